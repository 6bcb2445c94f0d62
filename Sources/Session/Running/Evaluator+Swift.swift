package import LuaBindings
internal import LuaRuntime
internal import Presentation

// Swift that is entered in place of Lua.
extension Evaluator {
  /// Runs what Swift source declares and shows its rows; what it would do is answered with the Lua for it.
  package func evaluate(_ block: SwiftBlock, chunk: String, firstLine: Int = 1) -> Int32 {
    let pasted = PastedSwift(block, in: engine)
    guard let lua = pasted.lua else {
      if pasted.isEmpty, block.isComplete { return 0 }
      console.report(
        block.isComplete ? pasted.diagnostic : Diagnostic("this is the beginning of Swift, which is not complete"))
      tellLines(of: pasted)
      return ExitStatus.failed
    }
    errors.sources.add(lua, chunk: chunk)
    let status = run(lua, chunk: chunk, firstLine: firstLine, keeping: pasted.kept) { values in
      engine.remember(values)
      try show(pasted, values)
    }
    guard status == 0 else { return status }
    tellNotes(of: pasted)
    if !pasted.answer.isEmpty {
      tell("note: ", pasted.shortAnswer.map { "not run here: " + $0 } ?? "not run here:")
      tellLines(of: pasted)
    }
    return status
  }

  /// Shows the rows of the live results, or the values; a request whose names have no values is described.
  private func show(_ pasted: PastedSwift, _ values: [LuaReference]) throws {
    if pasted.needsValues {
      for value in values {
        engine.lua.stack.push(value)
        defer { engine.lua.stack.pop() }
        console.printText(try engine.lua.stack.toDisplayString(at: -1) + "\n")
      }
      return
    }
    guard let name = pasted.shown else { return try console.show(values) }
    _ = engine.lua.pushGlobal(name)
    let value = engine.lua.stack.popReference()
    try console.show([value])
  }

  /// Reports the declarations, and the source that was left out. A program that pipes Swift in wants to know only the
  /// latter.
  private func tellNotes(of pasted: PastedSwift) {
    guard !console.isQuiet || console.isAtPrompt else { return }
    for note in pasted.notes where console.isAtPrompt || note.hasPrefix("left out") { tell("note: ", note) }
  }

  private func tell(_ heading: String, _ text: String) { console.tell(Remark(.note, text, heading: heading)) }

  /// Writes the lines of an answer that has no room in a note.
  private func tellLines(of pasted: PastedSwift) {
    guard pasted.shortAnswer == nil else { return }
    for line in pasted.answer.flatMap({ $0.split(separator: "\n", omittingEmptySubsequences: false) }) {
      console.tell(Remark(.line, String(line)))
    }
  }
}

extension PastedSwift {
  /// Whether there is nothing to say: a comment.
  fileprivate var isEmpty: Bool { lua == nil && answer.isEmpty && notes.isEmpty }

  /// The answer in one line, if it is one.
  fileprivate var shortAnswer: String? {
    answer.count == 1 && !answer[0].contains("\n") ? answer[0] : nil
  }

  fileprivate var diagnostic: Diagnostic {
    var diagnostic = Diagnostic(
      answer.isEmpty ? "this is Swift without anything for a store" : "this is Swift, and lines are Lua here")
    diagnostic.notes = notes
    if !answer.isEmpty { diagnostic.notes.append(shortAnswer.map { "the same here: " + $0 } ?? "the same here:") }
    return diagnostic
  }
}
