@testable import LuaBindings
@testable import Presentation
@testable import Session
@testable import Shell
@testable import Terminal

/// The loop with prepared inputs and an evaluator that writes down what it is given.
final class LoopHarness {
  var log: [String] = []
  var changes = 0
  var savesSucceed = true
  var statuses: [String: Int32] = [:]
  let settings = ShellSettings(mode: .table)

  /// Runs the inputs to their end and returns the exit status.
  func run(_ editor: ScriptedEditor) -> Int32 {
    let context = ShellContext(
      settings: settings, print: { [unowned self] in log.append("print " + $0) },
      readScript: { [unowned self] (path) throws(CommandFailure) in
        if path == "bad.lua" { throw .failed(status: 65) }
        log.append("read " + path)
      }, quit: {})
    let session = ReadEvalPrintLoop.Actions(
      prompt: { [unowned self] in "\(changes)> " }, continuationPrompt: { "\($0)" }, completeness: { _ in .complete },
      completions: { _, cursor in Completions(start: cursor) },
      evaluate: { [unowned self] text, line in
        log.append("\(line): \(text)")
        return statuses[text] ?? 0
      },
      evaluateSwift: { [unowned self] block, line in
        log.append("\(line): \(block.lua)")
        return 0
      },
      help: { [unowned self] in log.append("help " + $0) }, unsavedChangeCount: { [unowned self] in changes },
      save: { [unowned self] in
        log.append("save")
        return savesSucceed
      },
      report: { [unowned self] in log.append($0.message + ($0.suggestion.map { "? " + $0 } ?? "")) },
      hasExited: { false }, stay: {}, remark: { [unowned self] in log.append("remark " + $0) })
    return ReadEvalPrintLoop(editor: editor, session: session, registry: .withHistory(editor.history), context: context)
      .run()
  }

  func run(_ blocks: [String]) -> Int32 { run(ScriptedEditor(blocks: blocks)) }
}

extension CommandRegistry {
  /// The standard commands, and the one of a history.
  static func withHistory(_ history: History) -> CommandRegistry {
    let commands = CommandRegistry.standard.commands + [.history { history }]
    return CommandRegistry(commands: commands.sorted { $0.name < $1.name })
  }
}
