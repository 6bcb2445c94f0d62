internal import Presentation

/// The keys of the prompt, as `?keys` shows them.
///
/// To add one, add a line; docs/guide.md has the same table.
enum KeyTable {
  static let keys: KeyValuePairs = [
    "Tab": "completes what is unambiguous, otherwise lists the possibilities",
    "Enter": "runs the block if it is complete, otherwise adds a line",
    "Alt-Enter": "inserts a line anywhere",
    "Up, Down": "move in a block; at its first and last line they go through the history",
    "Right, End, Ctrl-E": "accept the grey hint; Alt-F accepts a word of it",
    "Ctrl-R, Ctrl-S": "search the history backwards and forwards, by all typed words",
    "Ctrl-X Ctrl-E": "opens the block in $VISUAL or $EDITOR",
    "Ctrl-C": "discards the typed text; while code runs, stops it",
    "Ctrl-D": "on an empty line, leaves",
  ]

  static func text(style: Style, width: Int) -> String {
    let indent = (keys.map(\.key.count).max() ?? 0) + 4
    let margin = "\n" + String(repeating: " ", count: indent)
    let lines = keys.map { key, meaning in
      let gap = String(repeating: " ", count: indent - 2 - key.count)
      let wrapped = DisplayText.wrapped(meaning, in: max(width - indent - 1, 30), .utf8, atWords: true)
      return "  " + style(.name, key) + gap + wrapped.joined(separator: margin) + "\n"
    }
    return lines.joined() + "  The other keys are readline's; ~/.inputrc changes them.\n"
  }
}
