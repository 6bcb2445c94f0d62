/// The words of a command's line, and where they stand. Blanks part them; single or double quotes protect blanks.
///
/// They are found by Unicode scalars: a quote before an accent is one Character with it, and still a quote.
package struct CommandWords {
  package struct Word {
    /// The word without its quotes.
    package var text: String
    /// Its place in the line, with its quotes.
    package var range: Range<String.Index>
  }

  package private(set) var words: [Word] = []
  /// The quote that does not close before the end.
  package private(set) var openQuote: Unicode.Scalar?

  package init(_ line: Substring) {
    var isInWord = false
    let scalars = line.unicodeScalars
    for index in scalars.indices {
      let scalar = scalars[index]
      guard openQuote != nil || !scalar.properties.isWhitespace else {
        isInWord = false
        continue
      }
      if !isInWord { words.append(Word(text: "", range: index..<index)) }
      isInWord = true
      let last = words.count - 1
      words[last].range = words[last].range.lowerBound..<scalars.index(after: index)
      if scalar == openQuote {
        openQuote = nil
      } else if openQuote == nil, scalar == "\"" || scalar == "'" {
        openQuote = scalar
      } else {
        words[last].text.unicodeScalars.append(scalar)
      }
    }
  }
}
