internal import LuaBindings
internal import LuaRuntime
internal import Presentation
internal import Session

/// A file of tests in a Lua of its own, with an empty store in memory.
final class Spec {
  private let file: String
  private let session: EngineSession
  private let settings: SpecRun
  private var functions: [LuaReference] = []
  /// Whether Ctrl-C or `os.exit` stopped it.
  private(set) var isInterrupted = false

  init(_ file: String, _ settings: SpecRun, _ surroundings: Surroundings) throws {
    self.file = file
    self.settings = settings
    session = try EngineSession(settings.options, surroundings)
  }

  func close() { session.close() }

  /// Opens the store and runs the file, which declares its tests.
  func read() throws {
    let model =
      try settings.modelPath.map { try session.loadModel($0, version: settings.modelVersion) }
      ?? session.projectModel(of: file)
    if let model { try session.open(model) }
    functions = try session.engine.run(Array(SpecFunctions.source.utf8), name: "=specs")
    session.sources.add(file: file)
    _ = try session.engine.run(try readFile(file), name: "@" + file)
  }

  /// How many tests there are.
  var testCount: Int { Int(call(0, nil) { $0.integer(at: -1) } ?? 0) }

  /// The name of a test, counted from 0.
  func name(_ number: Int) -> String { call(1, number) { $0.string(at: -1) } ?? "" }

  /// Runs a test, counted from 0.
  func run(_ number: Int) throws {
    let stack = session.engine.lua.stack
    stack.reserve(4)
    stack.push(functions[2])
    stack.push(Int64(number + 1))
    try stack.call(arguments: 1, results: 0)
    for error in session.engine.turns.end(failed: false, notifiesObservers: true) { throw error }
  }

  /// Does what may fail; returns how it did.
  func attempt(_ body: () throws -> Void) -> SpecResult.Failure? {
    session.engine.lua.installSignalHandler()
    defer { session.engine.lua.uninstallSignalHandler() }
    do {
      try session.engine.asking(body)
      return nil
    } catch {
      isInterrupted = session.engine.lua.interruption == .interrupted
      var first = session.session.parts.errors.diagnostics(for: error).first ?? Diagnostic("\(error)")
      if let error = error as? LuaError, case .exit(let status) = error.kind {
        first.message = "it called os.exit(\(status))"
      }
      let line = first.file == file ? first.line : nil
      var place = [first.file ?? file, first.line.map(String.init), first.column.map(String.init)].compactMap(\.self)
      if first.file == nil { place = [file] }
      return SpecResult.Failure(
        message: first.message + (first.suggestion.map { "; did you mean '\($0)'?" } ?? ""), line: line,
        place: place.joined(separator: ":"))
    }
  }

  private func call<Answer>(_ function: Int, _ number: Int?, _ read: (LuaStack) -> Answer?) -> Answer? {
    guard functions.indices.contains(function) else { return nil }
    let stack = session.engine.lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    stack.reserve(4)
    stack.push(functions[function])
    if let number { stack.push(Int64(number + 1)) }
    guard (try? stack.call(arguments: number == nil ? 0 : 1, results: 1)) != nil else { return nil }
    return read(stack)
  }
}
