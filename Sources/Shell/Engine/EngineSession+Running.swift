internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Session
internal import Terminal

// Runs of files and of standard input.
extension EngineSession {
  /// Runs standard input as a script; a text that is one expression shows its value.
  ///
  /// A text that cannot be Lua, but has lines that begin with a dot command, runs line by line, as it would be typed.
  func runStandardInput(_ arguments: [String]) -> Int32 {
    let editor = PipedEditor()
    let source = editor.readRest()
    let text = String(decoding: source, as: UTF8.self)
    session.sources.add(text, chunk: "=stdin")
    if text.drop(while: \.isWhitespace).first == "." { return InteractiveRun(self).run(lines: text) }
    guard arguments.isEmpty else { return guarding { try runStandardInput(source, arguments) } }
    if let block = SwiftBlock(text) { return session.parts.evaluator.evaluate(block, chunk: "=stdin") }
    if engine.isExpression(text) { return session.parts.evaluator.evaluate(text, chunk: "=stdin") }
    let (hasCommands, isHabit) = (hasCommand(text), SQLHabit.matches(text) || CommandHabit.diagnostic(text) != nil)
    // Lua skips a first line that begins with #.
    if hasCommands || isHabit, text.first != "#", engine.isMistake(text) {
      return hasCommands
        ? InteractiveRun(self).run(lines: text) : session.parts.evaluator.evaluate(text, chunk: "=stdin")
    }
    return guarding { try runStandardInput(source, []) }
  }

  private func runStandardInput(_ source: [UInt8], _ arguments: [String]) throws {
    _ = try engine.run(source, name: "=stdin", arguments: arguments)
  }

  /// Whether the text has a dot command where one could be typed: not in a text of several lines, for example.
  private func hasCommand(_ text: String) -> Bool {
    let names = Set(session.registry.commands.map(\.name))
    func isCommand(_ line: some StringProtocol) -> Bool {
      line.first == "." && names.contains(String(line.dropFirst().prefix { !$0.isWhitespace }))
    }
    let mayBe = text.utf8.split(separator: UInt8(ascii: "\n")).contains {
      $0.first == UInt8(ascii: ".") && isCommand(Substring($0))
    }
    guard mayBe else { return false }
    let lines = PipedEditor(text: text)
    let request = BlockRequest(
      prompt: "", completeness: { self.session.isComplete($0) })
    while case .block(let block, _) = lines.readBlock(request) {
      if isCommand(block) { return true }
    }
    return false
  }
}
