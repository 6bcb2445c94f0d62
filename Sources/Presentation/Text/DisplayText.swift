/// Text that is safe to put on a terminal, and how wide it is there.
///
///     DisplayText("a\nb\u{1B}[2J", in: 10)      // a⏎b␛[2J, 7 columns
///
/// A value can never move the cursor: newlines, tabs and control characters are shown as pictures, and the characters that
/// turn the writing direction as U+FFFD.
package struct DisplayText: Equatable {
  package private(set) var text: String
  package private(set) var width: Int
  private(set) var isCut = false
  /// Whether a terminal may draw the text wider or narrower than `width`.
  private(set) var isDisputed = false

  /// The beginning of `text` that fits in `limit` columns, with an ellipsis where something was cut off.
  ///
  /// Reads no more than it needs: a text of megabytes costs a line.
  package init(_ text: String, in limit: Int = .max, _ charset: Charset = .utf8) {
    if let plain = Self.plain(text, in: limit) {
      self.text = text
      width = plain
      return
    }
    var shown = ""
    var width = 0
    let mark = charset.ellipsis
    // Where to cut should it turn out to be too long: what precedes leaves room for the ellipsis.
    var cut: (text: String.Index, width: Int) = (shown.startIndex, 0)
    for character in text {
      let (piece, pieceWidth) = Self.picture(character, charset)
      if width + pieceWidth > limit {
        var kept = shown[..<cut.text]
        // The ellipsis of a text that was cut before may end here.
        while kept.last == mark.last {
          kept.removeLast()
          cut.width -= 1
        }
        self.text = String(kept) + (mark.count <= limit ? mark : String(repeating: ".", count: limit))
        self.width = cut.width + min(mark.count, limit)
        isCut = true
        return
      }
      shown += piece
      width += pieceWidth
      if !isDisputed, piece.utf8.count > 2 { isDisputed = character.hasDisputedWidth }
      if width <= limit - mark.count { cut = (shown.endIndex, width) }
    }
    self.text = shown
    self.width = width
  }

  /// `text` with pictures for its control characters, of any length; newlines and tabs stay with `keepingLines`.
  package static func picturingControls(in text: String, _ charset: Charset, keepingLines: Bool = false) -> String {
    let isHarmless = text.utf8.allSatisfy { byte in
      (byte >= 0x20 && byte < 0x7F) || (keepingLines && (byte == 0x0A || byte == 0x09))
    }
    if isHarmless { return text }
    var shown = ""
    for character in text {
      if keepingLines, character == "\n" || character == "\t" {
        shown.append(character)
      } else {
        shown += picture(character, charset).text
      }
    }
    return shown
  }

  /// `text` as a terminal may have it whole: colours stay, all other control characters become pictures.
  package static func picturingAllButColours(in text: String, _ charset: Charset) -> String {
    if text.utf8.allSatisfy({ ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x0A }) { return text }
    var shown = ""
    var rest = text[...]
    while let colour = rest.firstMatch(of: /\u{1B}\[[0-9;]*m/) {
      shown += picturingControls(in: String(rest[..<colour.range.lowerBound]), charset, keepingLines: true)
      shown += colour.output
      rest = rest[colour.range.upperBound...]
    }
    return shown + picturingControls(in: String(rest), charset, keepingLines: true)
  }

  /// `text` in lines of at most `width` columns, newlines shown and obeyed, the rest after `maximum` lines left out.
  ///
  /// With `atWords` a line ends before its last space, unless that would leave half of it empty.
  package static func wrapped(
    _ text: String, in width: Int, _ charset: Charset, maximum: Int = .max, atWords: Bool = false
  ) -> [String] {
    var lines: [String] = []
    var line = ""
    var lineWidth = 0
    var hasEnded = false
    for character in text {
      let (piece, pieceWidth) = picture(character, charset)
      if hasEnded || (lineWidth > 0 && pieceWidth > width - lineWidth) {
        let isBrokenWord = atWords && !hasEnded && character != " "
        let carried = isBrokenWord ? String(beginOfWord(at: line)) : ""
        line.removeLast(carried.count)
        if isBrokenWord, line.last == " " { line.removeLast() }
        lines.append(line)
        if lines.count >= maximum {
          lines[maximum - 1] = DisplayText(line + "  ", in: max(lineWidth, 1), charset).text
          return lines
        }
        (line, lineWidth) = (carried, carried.terminalWidth)
        if atWords, !hasEnded, character == " " { continue }
        hasEnded = false
      }
      line += piece
      lineWidth += pieceWidth
      hasEnded = character.isNewline
    }
    return lines + [line]
  }

  /// The text behind the last space of a line, if that is in its second half.
  private static func beginOfWord(at line: String) -> Substring {
    let half = line.dropFirst(line.count / 2)
    return half.lastIndex(of: " ").map { half[half.index(after: $0)...] } ?? ""
  }

  /// The width of text that needs no pictures and fits, or nil.
  private static func plain(_ text: String, in limit: Int) -> Int? {
    var width = 0
    for byte in text.utf8 {
      guard byte >= 0x20, byte < 0x7F, width < limit else { return nil }
      width += 1
    }
    return width
  }

  private static func picture(_ character: Character, _ charset: Charset) -> (text: String, width: Int) {
    if let ascii = character.asciiValue, ascii >= 0x20, ascii < 0x7F { return (String(character), 1) }
    let scalars = character == "\r\n" ? "\n".unicodeScalars : character.unicodeScalars
    if let first = scalars.first, scalars.count == 1, let picture = picture(first, charset) {
      return (picture, picture.terminalWidth)
    }
    if charset == .ascii { return ("?", 1) }
    return (String(character), character.terminalWidth)
  }

  /// The replacement of a scalar that must not reach the terminal, or nil if it may.
  private static func picture(_ scalar: Unicode.Scalar, _ charset: Charset) -> String? {
    let isUTF8 = charset == .utf8
    switch scalar.value {
    case 0x0A, 0x2028, 0x2029: return isUTF8 ? "⏎" : "\\n"
    case 0x09: return isUTF8 ? "⇥" : "\\t"
    case 0..<0x20:
      return isUTF8
        ? String(Unicode.Scalar(0x2400 + scalar.value)!) : "^" + String(Unicode.Scalar(UInt8(scalar.value) + 64))
    case 0x7F: return isUTF8 ? "␡" : "^?"
    default: return scalar.actsOnTerminals ? (isUTF8 ? "\u{FFFD}" : "?") : nil
    }
  }
}
