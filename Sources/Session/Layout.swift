package import Presentation

/// How texts are laid out for the client of a session.
///
///     Layout()                                         plain text of any width, for programs
package struct Layout {
  /// The colours of results.
  package var style = Style(enabled: false)
  /// The colours of messages.
  package var messageStyle = Style(enabled: false)
  package var charset = Charset.utf8
  /// The columns of the window; nil where there is none.
  package var width: Int?
  /// Whether a person reads it on a terminal: long results are cut, strings have quotes, and no control character acts.
  package var isTerminal = false
  /// Whether the terminal moves its cursor on request.
  package var movesCursor = false

  package init() {}

  /// Text with words that are not cut at the window's edge.
  package func wrapped(_ text: String) -> String { width.map { WordWrap.broken(text, in: $0) } ?? text }
}
