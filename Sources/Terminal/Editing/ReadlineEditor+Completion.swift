@preconcurrency import CReadline
import Glibc
internal import Presentation

// The key Tab.
extension ReadlineEditor {
  /// Inserts the certain part of a completion, or lists the completions at the cursor; Tab in a block indents.
  package func complete() -> Int32 {
    let line = buffer
    let before = line[..<Self.point]
    let isIndentation = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.allSatisfy { $0 == UInt8(ascii: " ") }
    if isIndentation, !lines.isEmpty || before.contains(UInt8(ascii: "\n")) {
      rl_insert_text("  ")
      return 0
    }
    guard let completions = request?.completions else { return rl_ding() * 0 }
    let sent = lines.map { $0 + "\n" }.joined()
    // Invalid bytes become text, which is longer; places in it are places in the line behind the last such byte.
    let text = sent + String(decoding: before, as: UTF8.self)
    let found = completions(text + String(decoding: line[before.count...], as: UTF8.self), text.utf8.count)
    let typed = text.utf8.suffix(max(0, text.utf8.count - max(found.start, sent.utf8.count)))
    let start = before.count - typed.count
    if found.candidates.isEmpty || !before.suffix(typed.count).elementsEqual(typed) {
      rl_ding()
    } else if found.isCertain(typed: before.count - start) {
      replace(start..<before.count, with: found.commonText)
    } else {
      list(found)
    }
    return 0
  }

  private func replace(_ range: Range<Int>, with text: String) {
    rl_begin_undo_group()
    rl_delete_text(Int32(range.lowerBound), Int32(range.upperBound))
    rl_point = Int32(range.lowerBound)
    rl_insert_text(text)
    rl_end_undo_group()
  }

  /// Prints the candidates below the line, and the line again below them.
  private func list(_ completions: Completions) {
    let size = TerminalSize.current(0, environment: environment) ?? TerminalSize(columns: 80, rows: 24)
    let listing = completions.listing(width: size.columns, rows: size.rows, style: style, charset: charset)
    let point = rl_point
    rl_point = rl_end
    redrawToStay()
    fputs("\n" + listing.map { $0 + "\n" }.joined(), rl_outstream)
    rl_point = point
    beginDrawing()
  }
}
