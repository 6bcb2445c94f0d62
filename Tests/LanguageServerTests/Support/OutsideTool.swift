import Foundation
import TestSupport

/// Programs of others, with which the server is tried.
enum OutsideTool {
  /// The folder of the package.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Runs a program by its name to its end, at most for five minutes, and returns what it wrote.
  static func run(
    _ arguments: [String], _ environment: [String: String] = [:], in folder: URL? = nil
  ) throws -> (status: Int32, output: Data) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["timeout", "300"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let folder { process.currentDirectoryURL = folder }
    let output = try OwnPipe()
    process.standardOutput = output.writing
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try output.writing.close()
    let data = output.reading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, data)
  }

  /// Whether there is a program of a name that says its version.
  static func isInstalled(_ program: String) -> Bool { (try? run([program, "--version"]).status) == 0 }
}
