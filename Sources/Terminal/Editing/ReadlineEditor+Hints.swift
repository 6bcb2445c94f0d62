@preconcurrency import CReadline

// The text in grey behind the cursor, and the keys that take it.
extension ReadlineEditor {
  /// The hint for the typed text; nil if the cursor is not at the end, or if more keys wait to be read.
  func hint(for block: [UInt8]) -> BlockHint? {
    guard style.isEnabled, search == nil, rl_end > 0, rl_point == rl_end, let hint = request?.hint,
      !Self.hasInput(rl_instream, milliseconds: 0)
    else { return nil }
    return hint(String(decoding: block, as: UTF8.self)).flatMap { $0.text.isEmpty ? nil : $0 }
  }

  /// Gives the keys that move forward a second meaning at the end of the block.
  func takeHintKeys() {
    bind(rl_forward_char) { count, key in
      ReadlineEditor.current?.takeHint(\.text.utf8.count) ?? rl_forward_char(count, key)
    }
    bind(rl_forward_word) { count, key in
      ReadlineEditor.current?.takeHint(\.firstWordCount) ?? rl_forward_word(count, key)
    }
    // Alt-F, which readline names otherwise than it binds it; Alt and the right arrow; Ctrl does the same.
    // In vi's way of editing, Escape and f are a command.
    bind(keys: ["\\ef", "\\e\\e[C"], in: ["emacs"]) { ReadlineEditor.takeWord($0, $1) }
    bind(keys: ["\\e[1;3C", "\\e[1;5C"]) { ReadlineEditor.takeWord($0, $1) }
  }

  private static func takeWord(_ count: Int32, _ key: Int32) -> Int32 {
    current?.takeHint(\.firstWordCount) ?? rl_forward_word(count, key)
  }

  /// Puts so many bytes of the shown hint into the block; nil if none is shown.
  func takeHint(_ count: (BlockHint) -> Int) -> Int32? {
    guard let hint = shownHint, hint.isTakable, rl_point == rl_end else { return nil }
    let bytes = Array(hint.text.utf8.prefix(count(hint))) + [0]
    rl_insert_text(bytes.map { CChar(bitPattern: $0) })
    return 0
  }
}
