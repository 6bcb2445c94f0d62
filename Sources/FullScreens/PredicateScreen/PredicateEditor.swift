/// The line into which a predicate is typed: text, cursor, cut text, and the steps that can be undone.
///
/// It counts in characters as people see them: a letter and its combining marks are one. It never holds a line break or
/// another control character.
struct PredicateEditor: Equatable {
  private(set) var characters: [Character] = []
  /// How many characters stand before the cursor.
  private(set) var cursor = 0
  /// The text that was cut last, for Ctrl-Y.
  private(set) var cut = ""
  private var undoable: [State] = []
  private var lastAction = Action.other

  private struct State: Equatable {
    var text: String
    var cursor: Int
  }

  /// The kind of a change; consecutive changes of one kind are undone together.
  private enum Action: Equatable { case typing, deleting, cutting, other }

  private static let mostUndoable = 1_000
  private static let mostUndoableBytes = 4_000_000

  init(_ text: String = "") {
    characters = Array(Self.cleaned(text))
    cursor = characters.count
  }

  var text: String { String(characters) }
  var isEmpty: Bool { characters.isEmpty }

  /// The cursor's place in the text, in bytes of UTF-8.
  var byteOffset: Int { String(characters[..<cursor]).utf8.count }

  // MARK: Typing

  /// Puts text in at the cursor; line breaks and tabs become blanks.
  mutating func insert(_ text: String) {
    let text = Self.cleaned(text)
    guard !text.isEmpty else { return }
    // A word is undone at once.
    let isTyping = text != " "
    willChange(isTyping ? .typing : .other)
    put(text)
    lastAction = isTyping ? .typing : .other
  }

  /// Puts `replacement` in the place of the bytes from `start` to the cursor.
  mutating func replace(from start: Int, with replacement: String) {
    willChange(.other)
    let first = characterIndex(ofByte: start)
    if first < cursor {
      characters.removeSubrange(first..<cursor)
      cursor = first
    }
    put(Self.cleaned(replacement))
  }

  /// Puts in what was cut last.
  mutating func paste() {
    guard !cut.isEmpty else { return }
    willChange(.other)
    put(cut)
  }

  /// Makes another text the line, its cursor at the end.
  mutating func replaceAll(with text: String) {
    willChange(.other)
    characters = Array(Self.cleaned(text))
    cursor = characters.count
  }

  /// Undoes the last change; returns false if there is none.
  @discardableResult
  mutating func undo() -> Bool {
    guard let state = undoable.popLast() else { return false }
    (characters, cursor) = (Array(state.text), state.cursor)
    lastAction = .other
    return true
  }

  /// Moves to a place given in bytes of UTF-8.
  mutating func move(toByte byte: Int) { move(to: characterIndex(ofByte: byte)) }

  // MARK: Inside

  mutating func move(to place: Int) {
    cursor = min(max(place, 0), characters.count)
    lastAction = .other
  }

  mutating func delete(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    willChange(.deleting)
    remove(range)
    lastAction = .deleting
  }

  mutating func cut(_ range: Range<Int>, isBackward: Bool) {
    guard !range.isEmpty else { return }
    let goesOn = lastAction == .cutting
    willChange(.other)
    let text = String(characters[range])
    cut = goesOn ? (isBackward ? text + cut : cut + text) : text
    remove(range)
    lastAction = .cutting
  }

  private mutating func remove(_ range: Range<Int>) {
    let before = String(characters[..<range.lowerBound])
    join(before, String(characters[range.upperBound...]))
  }

  private mutating func put(_ text: String) {
    join(String(characters[..<cursor]) + text, String(characters[cursor...]))
  }

  /// Makes a line of what is before the cursor and what is behind it, which may have become one character.
  private mutating func join(_ before: String, _ after: String) {
    characters = Array(before + after)
    cursor = min(Array(before).count, characters.count)
  }

  private mutating func willChange(_ action: Action) {
    if action == .other || action != lastAction {
      let state = State(text: text, cursor: cursor)
      undoable.append(state)
      // Of a text of megabytes a few states are enough.
      let most = max(min(Self.mostUndoable, Self.mostUndoableBytes / (state.text.utf8.count + 1)), 20)
      if undoable.count > most { undoable.removeFirst(undoable.count - most) }
    }
    lastAction = .other
  }

  private func characterIndex(ofByte byte: Int) -> Int {
    var bytes = 0
    for (index, character) in characters.enumerated() {
      if bytes >= byte { return index }
      bytes += character.utf8.count
    }
    return characters.count
  }

  private static func cleaned(_ text: String) -> String {
    var cleaned = String.UnicodeScalarView()
    for character in text {
      if character.isNewline || character == "\t" {
        cleaned.append(" ")
      } else {
        for scalar in character.unicodeScalars where scalar.properties.generalCategory != .control {
          cleaned.append(scalar)
        }
      }
    }
    return String(cleaned)
  }
}
