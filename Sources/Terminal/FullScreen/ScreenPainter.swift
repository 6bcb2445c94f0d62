internal import Presentation

/// Turns frames into what a terminal is sent: only the lines that are not on it yet.
///
///     var painter = ScreenPainter()
///     painter.paint(first)      // everything
///     painter.paint(second)     // the lines that differ
struct ScreenPainter {
  private var shown: ScreenFrame?

  /// Takes nothing on the screen for granted: the next frame is painted whole.
  mutating func forget() { shown = nil }

  /// The bytes that make the screen show `frame`.
  mutating func paint(_ frame: ScreenFrame) -> String {
    defer { shown = frame }
    var output = ""
    let before = shown?.size == frame.size ? shown : nil
    if before == nil { output += "\u{1B}[0m\u{1B}[H\u{1B}[2J" }
    for row in 0..<frame.size.rows {
      let line = row < frame.lines.count ? frame.lines[row] : nil
      let old = before.flatMap { row < $0.lines.count ? $0.lines[row] : nil }
      guard line != old else { continue }
      output += "\u{1B}[\(row + 1);1H" + (line?.text ?? "")
      if line?.width ?? 0 < frame.size.columns { output += "\u{1B}[K" }
    }
    if before == frame { return "" }
    // The cursor does not run over the screen while it is painted.
    let hasPainted = !output.isEmpty
    if let cursor = frame.cursor {
      let place = "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
      return (hasPainted ? "\u{1B}[?25l" : "") + output + place
    }
    return "\u{1B}[?25l" + output
  }
}
