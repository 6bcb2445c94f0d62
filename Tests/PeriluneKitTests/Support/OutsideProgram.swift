import Foundation
import TestSupport

/// Programs of others: compiled against the modules that were built with the tests, which takes seconds.
enum OutsideProgram {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let products = BuiltProduct.perilune.deletingLastPathComponent()
  /// The objects that a program over PeriluneKit is linked from: those of LiveBoard.
  private static let objects = products.appending(path: "LiveBoard.product/Objects.LinkFileList")

  /// Whether the modules are there.
  static var canBeCompiled: Bool {
    FileManager.default.fileExists(atPath: objects.path)
      && FileManager.default.fileExists(atPath: products.appending(path: "Modules/PeriluneKit.swiftmodule").path)
  }

  /// Compiles a program of these files, in Swift 6 without warnings unless another mode is given.
  static func compile(_ sources: [String], to program: String, mode: Int = 6) throws {
    let objects = try String(contentsOf: objects, encoding: .utf8).split(separator: "\n")
      .map { $0.trimmingCharacters(in: ["'", "\""]) }.filter { !$0.contains("/LiveBoard.build/") }
    let strictness = mode == 6 ? ["-warnings-as-errors"] : []
    try run(
      ["swiftc", "-Onone", "-swift-version", String(mode)] + strictness + modules + sources + objects
        + ["-lsqlite3", "-lz", "-o", program])
  }

  /// What the compiler says of files that it refuses; nothing if it accepts them.
  static func messages(of sources: [String]) -> [String] {
    do { try run(["swiftc", "-typecheck"] + modules + sources) } catch {
      return "\(error)".split(separator: "\n").map(String.init)
    }
    return []
  }

  private static let modules =
    ["-I", products.path + "/Modules"]
    + ["CSQLite", "CZlib"].flatMap { ["-Xcc", "-fmodule-map-file=\(root.path)/Sources/\($0)/module.modulemap"] }

  /// What a command prints; fails with what it says when it fails, or takes longer.
  @discardableResult
  static func run(_ command: [String], in folder: TemporaryFolder? = nil, seconds: Int = 300) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["timeout", String(seconds)] + command
    process.environment = TemporaryFolder.environment
    process.currentDirectoryURL = folder?.url
    let (text, errors) = (try OutputFile(), try OutputFile())
    (process.standardOutput, process.standardError) = (text.handle, errors.handle)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(text: try text.text() + errors.text()) }
    return try text.text()
  }

  /// A file that a process prints into; files, unlike pipes, never fill up.
  private struct OutputFile {
    private let url = TemporaryFolder.ofThisRun.appending(path: UUID().uuidString)
    let handle: FileHandle

    init() throws {
      try Data().write(to: url)
      handle = try FileHandle(forWritingTo: url)
    }

    func text() throws -> String { String(decoding: try Data(contentsOf: url), as: UTF8.self) }
  }

  /// What a command that failed printed.
  private struct Failure: Error, CustomStringConvertible {
    var text: String
    var description: String { text }
  }
}
