@preconcurrency import CReadline

// vi's way of editing, in blocks: its commands go between the lines of a block, and pasted keys among them are text.
extension ReadlineEditor {
  /// Gives the keys of vi's commands to ours, where readline's own know one line.
  func takeViKeys() {
    // j and k, for example.
    bind(rl_get_previous_history, in: ["vi-move"]) { ReadlineEditor.goUp($0, $1) }
    bind(rl_get_next_history, in: ["vi-move"]) { ReadlineEditor.goDown($0, $1) }
    bind(rl_beg_of_line, in: ["vi-move"]) { _, _ in ReadlineEditor.current?.move(BlockNavigation.lineStart) ?? 0 }
    bind(rl_end_of_line, in: ["vi-move"]) { _, _ in
      ReadlineEditor.current?.move(BlockNavigation.lastCharacter) ?? 0
    }
    for key in ["\\C-x\\C-e", "v"] {
      rl_bind_keyseq_if_unbound_in_map(
        key, { _, _ in ReadlineEditor.current?.editOutside() ?? 0 }, rl_get_keymap_by_name("vi-move"))
    }
    // readline 8.2 takes pasted letters for commands.
    bind(keys: ["\\e[200~"], in: ["vi-move"]) { rl_bracketed_paste_begin($0, $1) }
    bind(rl_vi_replace, in: ["vi-move"]) { count, key in
      defer { ReadlineEditor.current?.widenReplaceKeys() }
      return rl_vi_replace(count, key)
    }
  }

  /// Gives the keys of several bytes, and Enter, to the functions that they have where text is inserted: readline's keys for
  /// writing over text are its own, made when that begins.
  private func widenReplaceKeys() {
    guard let insertion = rl_get_keymap_by_name("vi-insert"), let present = rl_get_keymap(), present != insertion else {
      return
    }
    let arrows = ["A", "B", "C", "D", "H", "F"].flatMap { ["\u{1B}[\($0)", "\u{1B}O\($0)"] }
    for key in ["\r", "\n", "\u{18}\u{5}", "\u{1B}[3~", "\u{1B}[1~", "\u{1B}[4~", "\u{1B}\r", "\u{1B}\n"] + arrows {
      var type: Int32 = 0
      guard let function = rl_function_of_keyseq(key, insertion, &type), type == ISFUNC else { continue }
      rl_bind_keyseq_in_map(key, function, present)
    }
  }
}
