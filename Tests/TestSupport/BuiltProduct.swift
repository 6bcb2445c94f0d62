public import Foundation

/// The executable that was built together with the tests, or the one that `PERILUNE` names.
public enum BuiltProduct {
  /// The perilune program that was built with the tests.
  public static let perilune: URL = {
    if let path = ProcessInfo.processInfo.environment["PERILUNE"] { return URL(filePath: path) }
    let arguments = CommandLine.arguments
    let bundle = arguments.firstIndex(of: "--test-bundle-path").map { arguments[$0 + 1] } ?? arguments[0]
    return URL(filePath: bundle).deletingLastPathComponent().appending(path: "perilune")
  }()

  /// What a program must find in its environment so that `scripts/coverage` counts what it runs, too; else nothing.
  public static let measurement = ProcessInfo.processInfo.environment.filter { $0.key == "LLVM_PROFILE_FILE" }
}
