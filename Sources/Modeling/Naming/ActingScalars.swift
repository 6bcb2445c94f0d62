extension Unicode.Scalar {
  /// Whether a terminal obeys the character instead of showing it: a control, the end of a line, or a mark that turns the
  /// writing direction.
  ///
  /// Output for people, to a terminal or to a file that may be shown in one, has none of these in names and values: a name
  /// could erase the screen, or show a text as another.
  public var actsOnTerminals: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  /// The text as a part of a line of a document or of source, with blanks in place of the characters that a terminal obeys.
  public var inOneLine: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.actsOnTerminals ? " " : $0 }))
  }
}
