import Foundation
import TestSupport

/// The executable that was built with these tests, run in a folder of its own.
struct BuiltProgram {
  let folder: TemporaryFolder

  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  static let executable = BuiltProduct.perilune.path

  /// A store of five earthquakes, made once.
  private static let sample: Swift.Result<TemporaryFolder, any Error> = Swift.Result {
    let program = BuiltProgram(folder: try TemporaryFolder())
    let made = try program.run(script: sampleScript, name: "make.lua", ["quakes.sqlite"])
    guard made.status == 0 else { throw Failed(description: made.errors) }
    return program.folder
  }

  struct Failed: Error, CustomStringConvertible {
    var description: String
  }

  private static let sampleScript = """
    local model = Model {
      Quake = Entity {
        code = String { optional = false, unique = true },
        magnitude = Double { default = 0, min = 0, max = 10 },
        place = String,
        time = Date,
        reports = ToMany "Report" { inverse = "quake", deleteRule = "cascade" },
        _ = { order = { "code", "magnitude", "place", "time", "reports" } },
      },
      Report = Entity { text = String, quake = ToOne "Quake" { inverse = "reports" } },
    }
    local store <close> = open(..., { create = true, model = model })
    local Quake, Report = store.entities.Quake, store.entities.Report
    for i, place in ipairs { "Namie, Japan", "東京の近く", "Kaikōura", "Lata", "Suva" } do
      Quake { code = "us" .. i, magnitude = i + 0.5, place = place, time = Date(1700000000 + i) }
    end
    Report { text = "felt it", quake = Quake:find "us5" }
    store.context:save()
    """

  init(folder: TemporaryFolder) { self.folder = folder }

  /// The program in a folder of its own.
  init() throws { self.init(folder: try TemporaryFolder()) }

  /// The program beside a `quakes.sqlite`.
  static func withStore() throws -> BuiltProgram {
    let program = try BuiltProgram()
    let source = try sample.get().path
    for name in try FileManager.default.contentsOfDirectory(atPath: source) where name.hasPrefix("quakes.sqlite") {
      try FileManager.default.copyItem(atPath: source + "/" + name, toPath: program.path(name))
    }
    return program
  }

  func path(_ name: String) -> String { folder.path + "/" + name }

  func write(_ name: String, _ text: String) throws {
    try text.write(toFile: path(name), atomically: true, encoding: .utf8)
  }

  /// What a process sees: nothing of the person who runs the tests.
  var environment: [String: String] {
    [
      "PATH": (Self.executable as NSString).deletingLastPathComponent + ":/usr/local/bin:/usr/bin:/bin",
      "HOME": folder.path, "LC_ALL": "C.UTF-8", "TERM": "xterm", "INPUTRC": "/dev/null", "PERILUNE_PAGER": "off",
    ].merging(BuiltProduct.measurement) { $1 }
  }

  /// The program on a terminal of its own, in its folder and without colours, with the words of a command line.
  func terminal(
    _ words: String, environment added: [String: String] = [:], columns: Int = 80, rows: Int = 24
  ) throws -> PTYSession {
    try PTYSession(
      executable: "/bin/sh", arguments: ["-c", "cd '\(folder.path)' && exec perilune \(words)"],
      environment: environment.merging(["NO_COLOR": "1"]) { $1 }.merging(added) { $1 }, columns: columns, rows: rows)
  }

  func run(script: String, name: String = "script.lua", _ arguments: [String] = []) throws -> Result {
    try write(name, script)
    return try run([name] + arguments)
  }

  /// Runs the program; standard input is empty or `input`.
  func run(_ arguments: [String], input: String? = nil, environment added: [String: String] = [:]) throws -> Result {
    try shell([Self.executable] + arguments, input: input, environment: added)
  }

  /// Runs a command for half a minute at most.
  func shell(_ command: [String], input: String? = nil, environment added: [String: String] = [:]) throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["timeout", "-k", "1", "30"] + command
    process.environment = environment.merging(added) { $1 }
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.standardInput = FileHandle.nullDevice
    let files = ["in", "out", "err"].map { path(".\(UUID())." + $0) }
    defer { for file in files { try? FileManager.default.removeItem(atPath: file) } }
    for file in files { try Data((input ?? "").utf8).write(to: URL(filePath: file)) }
    for file in files.dropFirst() { try Data().write(to: URL(filePath: file)) }
    if input != nil { process.standardInput = FileHandle(forReadingAtPath: files[0]) }
    process.standardOutput = FileHandle(forWritingAtPath: files[1])
    process.standardError = FileHandle(forWritingAtPath: files[2])
    try process.run()
    process.waitUntilExit()
    let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    return Result(status: status, output: try text(files[1]), errors: try text(files[2]))
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }
}
