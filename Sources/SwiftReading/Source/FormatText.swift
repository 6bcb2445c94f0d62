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
    if let mark = Self.openMark(in: format) {
      guard format.last == mark else { return false }
      format.removeLast()
      wanted = mark
    }
    guard Self.wantsValue(format), placeholders <= arguments.count else { return false }
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

  // MARK: What may follow

  /// The quotation mark that is open at the end of a text.
  static func openMark(in text: String) -> Character? {
    var mark: Character?
    for character in text where character == "'" || character == "\"" {
      if mark == nil { mark = character } else if mark == character { mark = nil }
    }
    return mark
  }

  /// Whether a value is wanted behind a text, and not a key.
  static func wantsValue(_ text: String) -> Bool {
    let rest = text.reversed().drop(while: \.isWhitespace)
    guard let last = rest.first else { return false }
    if last == "," { return text.last { $0 == "{" || $0 == "(" } == "{" }
    if "=<>]{+-*/".contains(last) { return true }
    return operators.contains(String(rest.prefix { $0.isLetter }.reversed()).uppercased())
  }

  /// Whether a comparison begins behind a text.
  static func wantsKey(_ text: String) -> Bool {
    let rest = text.reversed().drop(while: \.isWhitespace)
    guard let last = rest.first else { return true }
    if "(!&|".contains(last) { return true }
    let words: Set<String> = ["AND", "OR", "NOT", "ANY", "ALL", "SOME", "NONE"]
    return words.contains(String(rest.prefix { $0.isLetter }.reversed()).uppercased())
  }

  /// Whether a text begins with an operator that compares.
  static func beginsWithOperator(_ text: String) -> Bool {
    let rest = text.drop(while: \.isWhitespace)
    if let first = rest.first, "=<>!".contains(first) { return true }
    return operators.contains(String(rest.prefix { $0.isLetter }).uppercased())
  }

  private static let operators: Set<String> = [
    "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "IN", "BETWEEN",
  ]
}
