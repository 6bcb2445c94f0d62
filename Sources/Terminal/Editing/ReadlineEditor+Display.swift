@preconcurrency import CReadline
import Glibc
import Modeling
import Presentation

// The block on the screen: readline's own display knows one line. Where the terminal cannot move its cursor, or the user
// asks for the plain editor, readline's is left in place.
extension ReadlineEditor {
  /// Gives the keys of blocks to ours.
  func takeBlockKeys() {
    bind(rl_newline) { ReadlineEditor.current?.enter($0, $1, rl_newline) ?? 0 }
    bind(rl_operate_and_get_next) { ReadlineEditor.current?.enter($0, $1, rl_operate_and_get_next) ?? 0 }
    bind(rl_clear_screen) { _, _ in ReadlineEditor.current?.clearScreen() ?? 0 }
    takeHintKeys()
  }

  /// Gives keys to a function in both ways of editing, as one may change the way while one types.
  func bind(
    keys: [String], in maps: [String] = ["emacs", "vi-insert"],
    _ function: @escaping @convention(c) (Int32, Int32) -> Int32
  ) {
    for name in maps {
      let map = rl_get_keymap_by_name(name)
      for key in keys { rl_bind_keyseq_in_map(key, function, map) }
    }
  }

  /// Gives the keys of one of readline's functions, as the user's inputrc has them, to another, in each way of editing.
  func bind(
    _ function: @escaping @convention(c) (Int32, Int32) -> Int32,
    in maps: [String] = ["emacs", "vi-insert", "vi-move"],
    _ other: @escaping @convention(c) (Int32, Int32) -> Int32
  ) {
    for map in maps.map({ rl_get_keymap_by_name($0) }) {
      guard let keys = rl_invoking_keyseqs_in_map(function, map) else { continue }
      var next = keys
      while let key = next.pointee {
        rl_bind_keyseq_in_map(key, other, map)
        free(key)
        next += 1
      }
      free(keys)
    }
  }

  /// Brings the screen up to date.
  func redraw() {
    if drawsBlocks { draw() } else { rl_redisplay() }
  }

  /// Brings the screen up to date for the last time before other text follows: the marks at the cursor go.
  func redrawToStay() {
    if drawsBlocks { draw(stays: true) } else { rl_redisplay() }
  }

  /// Assumes that the block is gone from the screen: other text was written, and the cursor is at the start of a line.
  func beginDrawing() {
    display.forget()
    rl_on_new_line()
  }

  func draw(stays: Bool = false) {
    guard let request, isReading else { return }
    let size = TerminalSize.current(0) ?? TerminalSize(columns: 80, rows: 24)
    let first = rl_display_prompt.map { String(cString: $0) } ?? ""
    let plain = first.replacing("\u{1}", with: "").replacing("\u{2}", with: "")
    let block = buffer
    let hint = stays ? nil : hint(for: block)
    // While a key of several bytes comes, the display of the block stays.
    if hint != nil || stays || block != hintedBlock { (shownHint, hintedBlock) = (hint, block) }
    let layout = BlockLayout(
      block, point: Self.point, columns: size.columns, style: style,
      marks: style.isEnabled
        ? request.marks?(String(decoding: block, as: UTF8.self), stays ? -1 : Self.point) ?? [] : [],
      hint: hint?.shown(columns: size.columns, charset) ?? "", lines: &laidOutLines
    ) { $0 == 1 ? plain : continuationPrompt($0, behind: first, request) }
    fputs(display.show(layout, in: size), rl_outstream)
    fflush(rl_outstream)
  }

  /// The prompt of a line, made once as long as the first prompt stays.
  private func continuationPrompt(_ line: Int, behind first: String, _ request: BlockRequest) -> String {
    if continuationPrompts.first != first { continuationPrompts = [first] }
    while continuationPrompts.count < line {
      continuationPrompts.append(request.continuationPrompt(continuationPrompts.count + 1))
    }
    return continuationPrompts[line - 1]
  }

  private func clearScreen() -> Int32 {
    fputs("\u{1B}[H\u{1B}[2J", rl_outstream)
    beginDrawing()
    draw()
    return 0
  }

  // MARK: Lines of a block

  /// Sends a block that is complete, or opens another line of one that is not.
  ///
  /// readline itself ends the line: the entries of the history that were edited own lists of edits, of which the line's is one,
  /// and readline alone knows which is whose.
  private func enter(_ count: Int32, _ key: Int32, _ send: (Int32, Int32) -> Int32) -> Int32 {
    guard let request else { return 0 }
    rl_begin_undo_group()
    moveOut(request)
    let isIncomplete = request.completeness(String(decoding: buffer, as: UTF8.self)) == .incomplete
    if isIncomplete { openLine(request) }
    rl_end_undo_group()
    return isIncomplete ? 0 : send(count, key)
  }

  /// Removes blanks from a line that closes an earlier line's block.
  private func moveOut(_ request: BlockRequest) {
    let line = buffer
    let start = BlockNavigation.lineStart(of: Self.point, in: line)
    let end = BlockNavigation.lineEnd(of: Self.point, in: line)
    let present = line[start..<end]
    let blanks = present.prefix { $0 == UInt8(ascii: " ") }.count
    let before = String(decoding: line[..<start], as: UTF8.self)
    guard start > 0, blanks < present.count,
      let columns = request.indentation?(before, String(decoding: present, as: UTF8.self)), columns < blanks,
      // A line that only continues another is left as the user indented it.
      let usual = request.indentation?(before, ""), columns < usual
    else { return }
    rl_delete_text(Int32(start), Int32(start + blanks - columns))
    rl_point = max(rl_point - Int32(blanks - columns), Int32(start))
  }

  /// Inserts a newline, and the blanks of the line that it begins.
  private func openLine(_ request: BlockRequest) {
    let line = buffer
    let rest = String(decoding: line[Self.point...].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let before = String(decoding: line[..<Self.point], as: UTF8.self) + "\n"
    rl_insert_text("\n")
    // A line that was pasted brings its own.
    if !rest.hasPrefix(" "), !Self.nextIsBlank, let columns = request.indentation?(before, rest), columns > 0 {
      rl_insert_text(String(repeating: " ", count: columns))
    }
  }

  /// Leaves the block that was sent on the screen, and goes below it.
  func leaveBlock() {
    rl_point = rl_end
    draw(stays: true)
    fputs(display.leave(), rl_outstream)
    fflush(rl_outstream)
  }

  // MARK: An editor of the user's

  /// Ctrl-X Ctrl-E: has $VISUAL or $EDITOR change the block.
  func editOutside() -> Int32 {
    guard let program = environment["VISUAL"] ?? environment["EDITOR"], !program.isEmpty else { return rl_ding() * 0 }
    var path = Array(((environment["TMPDIR"] ?? "/tmp") + "/perilune-XXXXXX.lua").utf8CString)
    let descriptor = mkstemps(&path, 4)
    guard descriptor >= 0 else { return rl_ding() * 0 }
    let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(name) }
    let bytes = buffer + [UInt8(ascii: "\n")]
    let isWritten = write(descriptor, bytes, bytes.count) == bytes.count
    close(descriptor)
    guard isWritten else { return rl_ding() * 0 }
    fputs(display.erase(), rl_outstream)
    fflush(rl_outstream)
    rl_deprep_terminal()
    let quoted = name.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined()
    let status = system("\(program) '\(quoted)'")
    rl_prep_terminal(1)
    let reading = open(name, O_RDONLY | O_CLOEXEC)
    if status == 0, reading >= 0 {
      var text = String(decoding: readToEnd(reading), as: UTF8.self).replacing("\u{0}", with: "")
      while text.last == "\n" { text.removeLast() }
      rl_begin_undo_group()
      rl_delete_text(0, rl_end)
      rl_point = 0
      rl_insert_text(text)
      rl_end_undo_group()
    }
    if reading >= 0 { close(reading) }
    beginDrawing()
    return 0
  }
}
