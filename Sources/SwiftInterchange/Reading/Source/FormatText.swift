internal import Queries

/// The text of a format that is put together of pieces, with a placeholder for each value that is not known.
///
///     "place == '\\(place)' AND magnitude > %@"      // place == %@ AND magnitude > %@
struct FormatText {
  private(set) var format = ""
  /// The arguments of the placeholders in their order.
  private(set) var arguments: [PredicateArgument]
  /// The quotation mark that must follow, where the value stands alone in quotes.
  private var wanted: Character?
  /// Whether every quotation mark that a value stood in was closed.
  private(set) var isComplete = true

  init(arguments: [PredicateArgument]) { self.arguments = arguments }

  /// Adds a piece of text.
  mutating func append(_ piece: String) {
    var piece = piece[...]
    if let mark = wanted {
      wanted = nil
      guard piece.first == mark else {
        isComplete = false
        return
      }
      piece = piece.dropFirst()
    }
    format += piece
  }

  /// Adds a placeholder for a value; false where a key or a part of a text stands, which no placeholder is.
  mutating func insert(_ argument: () -> PredicateArgument) -> Bool {
    guard wanted == nil, let placeholders = Self.placeholders(format)?.count else { return false }
    if let mark = openMark {
      guard format.last == mark else { return false }
      format.removeLast()
      wanted = mark
    }
    guard endsWithOperator, placeholders <= arguments.count else { return false }
    arguments.insert(argument(), at: placeholders)
    format += "%@"
    return true
  }

  /// The placeholders of a format by the letter that follows the percent sign; nil where they have numbers.
  static func placeholders(_ format: String) -> [Character]? {
    var kinds: [Character] = []
    var isOpen = false
    for character in format {
      if isOpen {
        isOpen = false
        if character.isNumber { return nil }
        if character != "%" { kinds.append(character) }
      } else if character == "%" {
        isOpen = true
      }
    }
    return kinds
  }

  /// The quotation mark that is open at the end.
  private var openMark: Character? {
    var mark: Character?
    for character in format where character == "'" || character == "\"" {
      if mark == nil { mark = character } else if mark == character { mark = nil }
    }
    return mark
  }

  /// Whether a value is wanted, and not a key.
  private var endsWithOperator: Bool {
    let text = format.reversed().drop(while: \.isWhitespace)
    guard let last = text.first else { return false }
    if "=<>]{,+-*/".contains(last) { return true }
    let words: Set<String> = ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "IN", "BETWEEN"]
    return words.contains(String(text.prefix { $0.isLetter }.reversed()).uppercased())
  }
}
