/// The words of a command's line, and where they stand. Blanks part them; single or double quotes protect blanks.
struct CommandWords {
  struct Word {
    /// The word without its quotes.
    var text: String
    /// Its place in the line, with its quotes.
    var range: Range<String.Index>
  }

  private(set) var words: [Word] = []
  /// The quote that does not close before the end.
  private(set) var openQuote: Character?

  init(_ line: Substring) {
    var isInWord = false
    for index in line.indices {
      let character = line[index]
      guard openQuote != nil || !character.isWhitespace else {
        isInWord = false
        continue
      }
      if !isInWord { words.append(Word(text: "", range: index..<index)) }
      isInWord = true
      let last = words.count - 1
      words[last].range = words[last].range.lowerBound..<line.index(after: index)
      if character == openQuote {
        openQuote = nil
      } else if openQuote == nil, character == "\"" || character == "'" {
        openQuote = character
      } else {
        words[last].text.append(character)
      }
    }
  }
}
