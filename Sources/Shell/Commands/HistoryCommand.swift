internal import Terminal

extension Command {
  /// `.history [NUMBER | TEXT]`
  static var history: Command {
    Command(
      name: "history", arguments: "[N|TEXT]", summary: "the last N blocks (20), or those that hold a text",
      inSandbox: .allowed
    ) {
      (invocation) throws(CommandFailure) in
      let context = invocation.context
      let text = invocation.arguments.joined(separator: " ")
      let count = Int(text)
      let found = context.history.matching(count == nil ? text : "", limit: max(count ?? (text.isEmpty ? 20 : .max), 0))
      let width = found.last.map { String($0.number).count } ?? 0
      for (number, entry) in found {
        let label = String(repeating: " ", count: width - String(number).count) + String(number)
        let lines = entry.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
          DisplayText.picturingControls(in: String(line), context.charset)
        }
        let margin = "\n" + String(repeating: " ", count: width + 2)
        context.print(context.style(.note, label) + "  " + lines.joined(separator: margin) + "\n")
      }
    }
  }
}
