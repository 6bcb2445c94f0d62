// What the keys of the prompt do to a line: characters, words, its beginning and its end.
extension PredicateEditor {
  mutating func deleteBackward() { delete(max(cursor - 1, 0)..<cursor) }
  mutating func deleteForward() { delete(cursor..<min(cursor + 1, characters.count)) }

  mutating func cutToEnd() { cut(cursor..<characters.count, isBackward: false) }
  mutating func cutToStart() { cut(0..<cursor, isBackward: true) }
  /// Cuts back to the blank before the word.
  mutating func cutBlankWordBackward() { cut(blankWordStart..<cursor, isBackward: true) }
  mutating func cutWordBackward() { cut(wordStart..<cursor, isBackward: true) }
  mutating func cutWordForward() { cut(cursor..<wordEnd, isBackward: false) }

  mutating func moveLeft() { move(to: cursor - 1) }
  mutating func moveRight() { move(to: cursor + 1) }
  mutating func moveToStart() { move(to: 0) }
  mutating func moveToEnd() { move(to: characters.count) }
  mutating func moveWordLeft() { move(to: wordStart) }
  mutating func moveWordRight() { move(to: wordEnd) }

  private func isPartOfWord(_ place: Int) -> Bool {
    characters[place].isLetter || characters[place].isNumber || characters[place] == "_"
  }

  private var wordStart: Int {
    var place = cursor
    while place > 0, !isPartOfWord(place - 1) { place -= 1 }
    while place > 0, isPartOfWord(place - 1) { place -= 1 }
    return place
  }

  private var wordEnd: Int {
    var place = cursor
    while place < characters.count, !isPartOfWord(place) { place += 1 }
    while place < characters.count, isPartOfWord(place) { place += 1 }
    return place
  }

  private var blankWordStart: Int {
    var place = cursor
    while place > 0, characters[place - 1].isWhitespace { place -= 1 }
    while place > 0, !characters[place - 1].isWhitespace { place -= 1 }
    return place
  }
}
