package import Foundation

/// Programs of others: compiled against the modules that were built with the tests, which takes seconds.
package enum OutsideProgram {
  /// The repository.
  package static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let products = BuiltProduct.perilune.deletingLastPathComponent()

  /// A product that programs use.
  package struct Library: Sendable {
    /// Of the objects of a program that was built with the tests, those of other modules than `others`.
    fileprivate let program: String
    fileprivate var others: [String] = []
    fileprivate let system: [String]

    /// PeriluneKit alone.
    package static let kit = Library(program: "LiveBoard", system: ["sqlite3", "z"])
    /// PeriluneConsole, which has no terminal and no readline.
    package static let console = Library(
      program: "PausingProgram", others: ["PeriluneConsoleTerminal", "Shell", "Terminal"],
      system: ["lua5.4", "sqlite3", "utf8proc", "z"])

    fileprivate var list: URL { products.appending(path: "\(program).product/Objects.LinkFileList") }

    fileprivate var linking: [String] {
      get throws {
        let left = ([program] + others).map { "/\($0).build/" }
        let objects = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
          .map { $0.trimmingCharacters(in: ["'", "\""]) }.filter { path in !left.contains { path.contains($0) } }
        return objects + system.map { "-l\($0)" }
      }
    }
  }

  /// Whether the modules are there.
  package static var canBeCompiled: Bool {
    [Library.kit.list, Library.console.list, products.appending(path: "Modules/PeriluneKit.swiftmodule")]
      .allSatisfy { FileManager.default.fileExists(atPath: $0.path) }
  }

  /// Compiles a program of these files, in Swift 6 without warnings unless another mode is given.
  package static func compile(
    _ sources: [String], to program: String, with library: Library = .kit, mode: Int = 6
  ) throws {
    let strictness = mode == 6 ? ["-warnings-as-errors"] : []
    try run(
      ["swiftc", "-Onone", "-swift-version", String(mode)] + strictness + modules() + sources + library.linking
        + ["-o", program])
  }

  /// What the compiler says of files that it refuses; nothing if it accepts them.
  package static func messages(of sources: [String]) -> [String] {
    do { try run(["swiftc", "-typecheck"] + modules() + sources) } catch {
      return "\(error)".split(separator: "\n").map(String.init)
    }
    return []
  }

  private static func modules() throws -> [String] {
    let maps = try [root.appending(path: "Sources"), products].flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: folder.path).map { "\(folder.path)/\($0)/module.modulemap" }
    }
    return ["-I", products.path + "/Modules"]
      + maps.filter(FileManager.default.fileExists).flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
  }

  /// What a command prints; fails with what it says when it fails, or takes longer.
  @discardableResult
  package static func run(_ command: [String], in folder: TemporaryFolder? = nil, seconds: Int = 300) throws -> String {
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
