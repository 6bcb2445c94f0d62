/// A line of a full screen: text with its colours, and how wide it is.
///
///     var line = ScreenLine(style)
///     line.append("Quake where ", .header)
///     line.append("magnitude > 5")
///
/// The text must be safe to show; `append(cut:)` makes it so.
package struct ScreenLine: Equatable {
  package private(set) var text = ""
  package private(set) var width = 0
  private let style: Style

  package init(_ style: Style) { self.style = style }

  /// A line of one piece of text that may hold anything, cut to a width.
  package init(_ text: String, _ role: Style.Role? = nil, in limit: Int, _ style: Style, _ charset: Charset) {
    self.init(style)
    append(cut: text, role, in: limit, charset)
  }

  /// A line that has its colours already.
  package init(styled text: String, width: Int, _ style: Style) {
    self.text = text
    self.width = width
    self.style = style
  }

  /// Adds text that is safe and fits.
  package mutating func append(_ piece: String, _ role: Style.Role? = nil) {
    text += style(role, piece)
    width += piece.terminalWidth
  }

  /// Adds text that may hold anything, as much of it as fits before the column `limit`.
  package mutating func append(cut piece: String, _ role: Style.Role? = nil, in limit: Int, _ charset: Charset) {
    guard width < limit else { return }
    let shown = DisplayText(piece, in: limit - width, charset)
    text += style(role, shown.text)
    width += shown.width
  }

  /// Adds blanks up to a column.
  package mutating func pad(to column: Int) {
    if column > width { append(String(repeating: " ", count: column - width)) }
  }
}
