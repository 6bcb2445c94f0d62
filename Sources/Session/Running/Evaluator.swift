internal import LuaBindings
package import LuaRuntime
internal import Modeling
package import Presentation

/// Evaluates blocks of Lua and Swift, and runs files.
package final class Evaluator {
  let console: Console
  let errors: ErrorReporter
  private let runs: GuardedRuns
  var engine: Engine { console.engine }
  /// The last block that ran without an error, which `.keep` keeps.
  private(set) var lastBlock: String?
  /// Whether a name is that of a command.
  var isCommand: (String) -> Bool = { _ in false }

  init(_ console: Console, _ errors: ErrorReporter, _ runs: GuardedRuns) {
    (self.console, self.errors, self.runs) = (console, errors, runs)
  }

  /// Evaluates a line or block as it would be typed, and shows its values.
  package func evaluate(_ source: String, chunk: String, firstLine: Int = 1) -> Int32 {
    errors.sources.add(source, chunk: chunk)
    if let diagnostic = habit(source) {
      console.report(diagnostic)
      return ExitStatus.failed
    }
    return run(source, chunk: chunk, firstLine: firstLine) {
      if console.isAtPrompt { try refuseUnknownName(source, $0) }
      // A request whose value is missing can still be bound, and one that is stopped be narrowed.
      engine.remember($0)
      try console.show($0)
    }
  }

  /// Runs Lua, and has its values shown.
  package func run(
    _ source: String, chunk: String, firstLine: Int, keeping kept: String? = nil,
    showing show: ([LuaReference]) throws -> Void
  ) -> Int32 {
    let status = runs.guarding {
      // String(repeating:) appends one by one, which is felt in the last lines of a long text that is piped in.
      let emptyLines = String(decoding: [UInt8](repeating: UInt8(ascii: "\n"), count: firstLine - 1), as: UTF8.self)
      try show(try engine.evaluate(emptyLines + source, name: chunk))
    }
    if status == 0 { lastBlock = kept ?? source }
    return status
  }

  /// Runs a script file.
  package func runScript(_ path: String, _ arguments: [String]) -> Int32 {
    errors.sources.add(file: path)
    return runs.guarding { _ = try engine.run(try readFile(path), name: "@" + path, arguments: arguments) }
  }

  /// Whether a block of Lua is incomplete and needs more lines.
  package func completeness(of block: String) -> Completeness {
    if SQLHabit.matches(block) || LuaMistake.endsInMethod(block) { return .complete }
    return engine.isComplete(block) ? .complete : .incomplete
  }

  // MARK: Habits

  /// What is wrong with a text of another language; nil for Lua.
  private func habit(_ source: String) -> Diagnostic? {
    guard SQLHabit.matches(source), engine.isMistake(source) else {
      return CommandHabit.diagnostic(source) ?? predicateHabit(source)?.diagnostic
    }
    let comparison = SQLComparison(
      engine: engine, presenter: console.presenter(ShowOptions(mode: .json)), slowReads: runs.slowReads)
    return SQLHabit(source, comparison).diagnostic
  }

  /// The predicate that was typed in place of Lua; nil for anything that Lua can mean.
  ///
  /// Lua may read it, too: `magnitude > 5` compares a global. At the prompt it is none where no such global is there.
  private func predicateHabit(_ source: String) -> PredicateHabit? {
    let tokens = LuaToken.tokens(of: source)
    guard tokens.count > 1, tokens.count < 500 else { return nil }
    if !engine.isMistake(source) {
      let (hints, bytes) = (errors.hints, Array(source.utf8))
      let words = tokens.enumerated().filter { index, token in
        token.kind == .name && (index == 0 || ![".", ":"].contains(tokens[index - 1].text(in: bytes)))
      }.map { $1.text(in: bytes) }
      guard console.isAtPrompt, engine.isExpression(source), !words.isEmpty, !words.contains(where: hints.isKnown)
      else { return nil }
    }
    return PredicateHabit(source, model: engine.store?.model, first: console.settings.lastTable?.rowName)
  }

  /// Refuses a name alone that is neither a global nor a local.
  private func refuseUnknownName(_ source: String, _ values: [LuaReference]) throws {
    let name = source.trimmingSpace
    guard Naming.isLuaIdentifier(name), values.count == 1 else { return }
    let hints = errors.hints
    guard !hints.isKnown(name) else { return }
    var unknown = UnknownName(name: name, nearest: hints.nearestKnown(to: name))
    let entities = engine.store?.model.entities ?? []
    if isCommand(name) {
      unknown.elsewhere = "the command is .\(name)"
    } else if let entity = entities.first(where: { $0.name.lowercased() == name.lowercased() }) {
      unknown.nearest = entity.name
    } else if let entity = entities.first(where: { $0.index(of: name) != nil }) {
      unknown.elsewhere = "it is a property of \(entity.name)"
    }
    throw unknown
  }
}
