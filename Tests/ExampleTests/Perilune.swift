import Foundation
import TestSupport

/// The built executable, run as a person would.
enum Perilune {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let executable = BuiltProduct.perilune

  struct Output {
    var status: Int32
    var text: String
    var errors: String
  }

  struct Missing: Error, CustomStringConvertible {
    var description: String { "there is no \(Perilune.executable.path)" }
  }

  /// What a process sees: nothing of the person who runs the tests.
  static func environment(home: URL) -> [String: String] {
    [
      "PATH": executable.deletingLastPathComponent().path + ":/usr/local/bin:/usr/bin:/bin",
      "HOME": home.path, "LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "dumb", "NO_COLOR": "1", "INPUTRC": "/dev/null",
    ].merging(BuiltProduct.measurement) { $1 }
  }

  static func run(_ arguments: [String], in folder: TemporaryFolder) throws -> Output {
    guard FileManager.default.isExecutableFile(atPath: executable.path) else { throw Missing() }
    return try runCommand([executable.path] + arguments, in: folder)
  }

  /// Runs a command found by PATH, for two minutes at most.
  static func runCommand(
    _ command: [String], input: URL? = nil, path: [String] = [], in folder: TemporaryFolder
  ) throws -> Output {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["timeout", "120"] + command
    process.environment = environment(home: folder.url)
    if !path.isEmpty {
      process.environment?["PATH"] = ([executable.deletingLastPathComponent().path] + path).joined(separator: ":")
    }
    process.currentDirectoryURL = folder.url
    process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? FileHandle.nullDevice
    // Files, unlike pipes, never fill up.
    let text = folder.url.appending(path: "\(UUID()).out")
    let errors = folder.url.appending(path: "\(UUID()).err")
    for file in [text, errors] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: text)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return Output(
      status: process.terminationStatus,
      text: String(decoding: try Data(contentsOf: text), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }
}

/// The stores that examples begin with, made once for all tests and copied for each.
enum SampleStore: String, CaseIterable {
  /// By Examples/quakes.lua.
  case quakes
  /// An app's, by Examples/app-store/make.py.
  case recipes

  var file: String { self == .quakes ? "quakes.sqlite" : "Recipes.sqlite" }

  private static let originals = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.made) })

  private var made: Result<TemporaryFolder, any Error> {
    Result {
      let products = Perilune.executable.deletingLastPathComponent()
      let folder = try TemporaryFolder(keptAt: products.appending(path: "ExampleTests.\(rawValue)"))
      let output =
        switch self {
        case .quakes: try Perilune.run([Perilune.root.appending(path: "Examples/quakes.lua").path, file], in: folder)
        case .recipes:
          try Perilune.runCommand(
            ["python3", Perilune.root.appending(path: "Examples/app-store/make.py").path, file], in: folder)
        }
      guard output.status == 0 else { throw Failed(errors: output.errors) }
      return folder
    }
  }

  struct Failed: Error, CustomStringConvertible {
    var errors: String
    var description: String { "a sample store could not be made: \(errors)" }
  }

  /// Puts the store, and what belongs to it, into the folder.
  func copy(to folder: TemporaryFolder) throws {
    guard let source = try Self.originals[self]?.get() else { return }
    for name in try FileManager.default.contentsOfDirectory(atPath: source.url.path)
    where name.hasPrefix(file) || name.hasPrefix(".\(file.prefix { $0 != "." })") {
      try FileManager.default.copyItem(atPath: source.file(name), toPath: folder.file(name))
    }
  }
}

/// Lines without what is invisible: blanks at their ends and empty lines at the end of all.
func visibleLines(_ text: String) -> [String] {
  var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
    String(line.reversed().drop { $0.isWhitespace }.reversed()).replacing(/[\d.,]+ (?:µs|ms|s)\b/, with: "… ms")
  }
  while lines.last?.isEmpty == true { lines.removeLast() }
  return lines
}
