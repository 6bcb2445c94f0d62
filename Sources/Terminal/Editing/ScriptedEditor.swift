/// A line editor with prepared input, for tests of the loop.
final class ScriptedEditor: LineEditor {
  let isInteractive: Bool
  let history = History()
  private var inputs: [EditorInput]
  /// The prompts and questions that were shown.
  private(set) var prompts: [String] = []

  init(_ inputs: [EditorInput], isInteractive: Bool = true) {
    self.inputs = inputs
    self.isInteractive = isInteractive
  }

  /// An editor that brings blocks one after another, then the end.
  convenience init(blocks: [String]) {
    self.init(blocks.map { .block($0, firstLine: 1) })
  }

  func remember(_ block: String) {
    _ = history.record(block, time: 0)
  }

  func readBlock(_ request: BlockRequest) -> EditorInput {
    prompts.append(request.prompt)
    return inputs.isEmpty ? .end : inputs.removeFirst()
  }
}
