internal import Glibc
package import Presentation

/// The lines of a text in a file, which are read when they are shown.
package struct PagedText {
  private let file: Int32
  /// The byte at which each line begins, and the end.
  private var starts: [Int] = [0]

  /// Finds the lines of an open file; nil if it cannot be read.
  package init?(_ file: Int32) {
    self.file = file
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var offset = 0
    while true {
      let count = pread(file, &buffer, buffer.count, off_t(offset))
      guard count >= 0 else { return nil }
      if count == 0 { break }
      for index in 0..<count where buffer[index] == UInt8(ascii: "\n") { starts.append(offset + index + 1) }
      offset += count
    }
    if starts.last != offset { starts.append(offset) }
  }

  var count: Int { starts.count - 1 }

  /// A line without its newline.
  subscript(line: Int) -> String {
    var bytes = [UInt8](repeating: 0, count: starts[line + 1] - starts[line])
    let count = pread(file, &bytes, bytes.count, off_t(starts[line]))
    let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    return text.last == "\n" ? String(text.dropLast()) : text
  }

  /// Whether all of it can be seen at once, with the prompt below it.
  package func fits(_ window: TerminalSize) -> Bool {
    guard count < window.rows else { return false }
    let rows = (0..<count).reduce(0) { rows, line in
      rows + max(1, (PagedLine(self[line]).width + window.columns - 1) / max(window.columns, 1))
    }
    return rows < window.rows
  }
}

/// A line with colours, of which a window shows a part.
struct PagedLine {
  private struct Piece {
    var text: String
    var width: Int
    /// The sequence that sets the colours of the text.
    var colour: String
  }

  private var pieces: [Piece] = []
  /// The columns of the whole line.
  private(set) var width = 0

  /// Separates the colours from the text.
  init(_ line: String, _ charset: Charset = .utf8) {
    var colour = ""
    var rest = line[...]
    while !rest.isEmpty {
      if let sequence = rest.prefixMatch(of: /\u{1B}\[[0-9;]*m/) {
        // A sequence that resets ends all others.
        colour = sequence.output == "\u{1B}[0m" || sequence.output == "\u{1B}[m" ? "" : colour + sequence.output
        rest = rest[sequence.range.upperBound...]
        continue
      }
      let end = rest.dropFirst().firstIndex(of: "\u{1B}") ?? rest.endIndex
      for character in rest[..<end] {
        let shown = DisplayText.picturingControls(in: String(character), charset)
        let piece = Piece(text: shown, width: shown.terminalWidth, colour: colour)
        pieces.append(piece)
        width += piece.width
      }
      rest = rest[end...]
    }
  }

  /// The text without colours.
  var plain: String { pieces.map(\.text).joined() }

  /// The columns from `offset` that a window shows; `isMarked` shows them in reverse.
  func shown(from offset: Int, columns: Int, isMarked: Bool, _ style: Style) -> ScreenLine {
    var text = ""
    var column = 0
    var (shownWidth, colour) = (0, "")
    for piece in pieces {
      defer { column += piece.width }
      guard column >= offset else { continue }
      guard shownWidth + piece.width <= columns else { break }
      if piece.colour != colour, style.isEnabled {
        text += "\u{1B}[0m" + piece.colour
        colour = piece.colour
      }
      text += piece.text
      shownWidth += piece.width
    }
    if !colour.isEmpty { text += "\u{1B}[0m" }
    if isMarked, style.isEnabled { text = "\u{1B}[7m" + text.replacing("\u{1B}[0m", with: "\u{1B}[0;7m") + "\u{1B}[0m" }
    return ScreenLine(styled: text, width: shownWidth, style)
  }
}
