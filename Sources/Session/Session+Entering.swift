package import Presentation

// What a client asks for that has blocks of text, such as a prompt, a page, an editor or a notebook.
extension Session {
  /// Evaluates a block as it would be typed, and returns its exit status: 0 for success. Its client receives what comes of it.
  package func evaluate(block: String) -> Int32 {
    switch ShellInput(block) {
    case .empty, .quit: return 0
    case .code(let text): return evaluateInput(text)
    case .swift(let swift): return evaluateInput { evaluate(swift, chunk: $0) }
    case .command(let line): return approving { run(command: line, shellContext()) }
    case .help(let name):
      showHelp(on: name)
      return 0
    }
  }

  /// The candidates at a byte of a block, of its Lua or its command.
  package func complete(_ block: String, at offset: Int) -> Completions {
    block.first == "."
      ? CommandRegistry(commands: commands).completions(block, at: offset) : completions(block, at: offset)
  }

  /// Whether a block can be evaluated as it is.
  package func isComplete(_ block: String) -> Completeness { ShellInput(block).completeness(completeness) }

  /// Stops what runs; it may be called from another thread.
  package func interrupt() { engine.interrupt() }
}
