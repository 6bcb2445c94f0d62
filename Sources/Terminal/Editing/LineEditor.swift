package import Presentation

/// A source of the blocks that the shell runs: a terminal, a pipe, or a test.
package protocol LineEditor: AnyObject {
  /// Whether a person types: there are prompts, questions and a history.
  var isInteractive: Bool { get }

  /// The blocks that were entered before.
  var history: History { get }

  /// Reads one block: lines until they are complete.
  func readBlock(_ request: BlockRequest) -> EditorInput

  /// Records a block that was entered.
  func remember(_ block: String)

  /// Removes the prompt and the typed text from the screen, so that something can be printed in their place. They come back
  /// by themselves when the turn is over. Does nothing when no prompt is shown.
  func hidePrompt()
}

extension LineEditor {
  package func remember(_ block: String) {}
  package func hidePrompt() {}

  /// Asks for one line that is not remembered; nil if the person would rather not answer.
  package func ask(_ question: String) -> String? {
    guard isInteractive else { return nil }
    guard case .block(let answer, _) = readBlock(BlockRequest(prompt: question)) else { return nil }
    return answer
  }
}

/// The input that a line editor returns.
package enum EditorInput: Equatable {
  /// A block without its last newline, and the line of the input that it began on.
  case block(String, firstLine: Int)
  /// Ctrl-C: the typed text is dropped.
  case interrupted
  /// Ctrl-D on an empty line, or the end of the file.
  case end
}

/// The prompts and closures for reading a block.
package struct BlockRequest {
  /// May hold colours.
  package var prompt: String
  /// Returns the prompt to show after a turn has run; nil if the prompt does not change.
  package var laterPrompt: (() -> String)?
  /// The prompt of the second line and those after it, from the line's number.
  package var continuationPrompt: (Int) -> String = { _ in "" }
  package var completeness: (String) -> Completeness = { _ in .complete }
  /// Returns the completions at a UTF-8 offset of the block; nil if there is no completion.
  package var completions: ((String, Int) -> Completions)?
  /// Returns the parts of a block that have a colour while the cursor is at an offset, in bytes of UTF-8, in order and without
  /// overlaps; nil for none.
  package var marks: ((_ block: String, _ point: Int) -> [(range: Range<Int>, role: Style.Role)])?
  /// Returns what to show behind the cursor at the end of a block; nil for nothing.
  package var hint: ((_ block: String) -> BlockHint?)?
  /// Returns how many columns a line is indented by, from the lines before it and its text; nil to leave lines alone.
  package var indentation: ((_ before: String, _ line: String) -> Int)?

  package init(
    prompt: String,
    laterPrompt: (() -> String)? = nil,
    continuationPrompt: @escaping (Int) -> String = { _ in "" },
    completeness: @escaping (String) -> Completeness = { _ in .complete },
    completions: ((String, Int) -> Completions)? = nil
  ) {
    self.prompt = prompt
    self.laterPrompt = laterPrompt
    self.continuationPrompt = continuationPrompt
    self.completeness = completeness
    self.completions = completions
  }
}
