internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Session
internal import Terminal

/// Reads blocks and runs them until the user leaves.
///
/// It knows neither Lua nor the store: the closures of its `Actions` do. The same loop serves a person at a terminal and a pipe; a
/// pipe gets no questions, and its first error ends it.
final class ReadEvalPrintLoop {
  /// The closures that connect the loop with the engine and the terminal.
  struct Actions {
    var prompt: () -> String
    var continuationPrompt: (Int) -> String
    var completeness: (String) -> Completeness
    var completions: (String, Int) -> Completions
    /// Returns a new function that finds the colours of a block while it is typed.
    var marks: () -> ((String, Int) -> [(range: Range<Int>, role: Style.Role)])? = { nil }
    /// Returns the arguments of the call that a block ends in the beginning of; nil where that is not known.
    var arguments: (String) -> String? = { _ in nil }
    /// Runs a block that began on a line of the input, shows its values or its error, and returns its exit status.
    var evaluate: (String, Int) -> Int32
    /// Runs a block of Swift in the same way.
    var evaluateSwift: (SwiftBlock, Int) -> Int32 = { _, _ in 0 }
    /// Returns the inputs of a block: those of several lines that were pasted, without the prompts before them.
    var inputs: (String) -> [String] = { [$0] }
    /// Runs the line of a command, with its output where `.output` or a program behind `|` gets it.
    var perform: (String, (String) -> Int32) -> Int32 = { $1($0) }
    /// Shows help on a name, or the overview for "".
    var help: (String) -> Void
    /// How many changes would be lost by leaving.
    var unsavedChangeCount: () -> Int
    /// Saves them; false if that failed.
    var save: () -> Bool
    /// Reports a mistake in a command line.
    var report: (Diagnostic) -> Void
    /// Whether a line has called `os.exit`.
    var hasExited: () -> Bool
    /// Forgets that it did: the person stays.
    var stay: () -> Void
    /// Returns how many rows the block has answered, and forgets it.
    var takeAnsweredRows: () -> Int? = { nil }
    /// Writes remarks of the shell itself to standard error.
    var remark: (String) -> Void
  }

  /// Ctrl-D so many times in a row leaves in spite of unsaved changes: the terminal may be gone.
  private static let mostEnds = 4

  private let editor: any LineEditor
  private let session: Actions
  private let registry: CommandRegistry
  private var context: ShellContext
  private var wantsToQuit = false
  private var ends = 0

  init(editor: any LineEditor, session: Actions, registry: CommandRegistry, context: ShellContext) {
    self.editor = editor
    self.session = session
    self.registry = registry
    self.context = context
    self.context.remember = { editor.remember($0) }
    self.context.quit = { [unowned self] in wantsToQuit = true }
  }

  /// Runs until the end of the input and returns the exit status.
  func run() -> Int32 {
    while true {
      switch editor.readBlock(request) {
      case .interrupted: ends = 0
      case .end:
        ends += 1
        wantsToQuit = true
      case .block(let block, let firstLine):
        ends = 0
        let inputs = editor.isInteractive ? session.inputs(block) : [block]
        let status = remembering(inputs.joined(separator: "\n")) { perform(inputs, firstLine: firstLine) }
        if status != 0, !editor.isInteractive { return status }
        wantsToQuit = wantsToQuit || session.hasExited()
      }
      if wantsToQuit, mayLeave() { return 0 }
      wantsToQuit = false
      session.stay()
    }
  }

  private var request: BlockRequest {
    var request = BlockRequest(
      prompt: session.prompt(), laterPrompt: session.prompt, continuationPrompt: session.continuationPrompt,
      completeness: { [session] block in ShellInput(block).completeness(session.completeness) },
      completions: session.completions)
    request.marks = session.marks()
    request.hint = { [unowned self] in hint(behind: $0) }
    request.indentation = { LuaIndentation.columns(of: $1, after: $0) }
    return request
  }

  /// The hint for what may follow a block, if the user wants hints: an earlier entry, or the arguments of a call.
  private func hint(behind block: String) -> BlockHint? {
    guard context.settings.showsHints else { return nil }
    if let rest = editor.history.continuation(of: block) { return BlockHint(rest, isTakable: true) }
    return (registry.arguments(behind: block) ?? session.arguments(block)).map { BlockHint($0, isTakable: false) }
  }

  /// Runs a block. The history records it before, and its outcome afterwards.
  private func remembering(_ block: String, _ body: () -> Int32) -> Int32 {
    guard editor.isInteractive else { return body() }
    let history = editor.history
    editor.remember(block)
    let entry = history.recorded
    _ = session.takeAnsweredRows()
    let start = monotonicSeconds()
    let status = body()
    if let entry {
      history.finish(
        entry, duration: monotonicSeconds() - start, rows: session.takeAnsweredRows(), hasFailed: status != 0)
    }
    return status
  }

  /// Runs inputs one after the other, to the first that fails.
  private func perform(_ inputs: [String], firstLine: Int) -> Int32 {
    for input in inputs {
      let status = perform(ShellInput(input), firstLine: firstLine)
      if status != 0 || wantsToQuit || session.hasExited() { return status }
    }
    return 0
  }

  private func perform(_ input: ShellInput, firstLine: Int) -> Int32 {
    switch input {
    case .empty: return 0
    case .code(let text): return timed { session.evaluate(text, firstLine) }
    case .swift(let block): return timed { session.evaluateSwift(block, max(1, firstLine - 1)) }
    case .help(let name):
      session.help(name)
      return 0
    case .quit:
      wantsToQuit = true
      return 0
    case .command(let line):
      return session.perform(line) { line in
        do throws(CommandFailure) {
          try registry.run(line, context)
          return 0
        } catch {
          if let diagnostic = error.diagnostic { session.report(diagnostic) }
          return error.status
        }
      }
    }
  }

  private func timed(_ body: () -> Int32) -> Int32 {
    let start = monotonicSeconds()
    let status = body()
    if context.settings.isTimed {
      let time = Quantity.duration(monotonicSeconds() - start)
      session.remark(context.style(.note, "  \(time)") + "\n")
    }
    return status
  }

  /// Whether the user agrees to lose the unsaved changes.
  private func mayLeave() -> Bool {
    let count = session.unsavedChangeCount()
    guard count > 0, editor.isInteractive else { return true }
    if ends >= Self.mostEnds {
      session.remark("\(changes(count)) not saved\n")
      return true
    }
    while true {
      guard let answer = editor.ask("\(changes(count)): s)ave d)iscard c)ancel ") else { return false }
      switch answer.first?.lowercased() {
      case "s": return session.save()
      case "d": return true
      case "c", nil: return false
      default: continue
      }
    }
  }

  private func changes(_ count: Int) -> String {
    Quantity.count(count, "unsaved change")
  }
}
