import Queries

/// The texts that SQLite's `lower` makes of all texts that are the same as one without case.
///
///     LoweredSpellings.all(of: "Kim")     // ["kim", "\u{212A}im"]: the second with the sign for kelvin
///
/// `lower` knows ASCII letters only, Unicode's folding knows all; the few characters beyond ASCII that fold to ASCII are
/// listed here, and a test holds the list against the folding of every character.
enum LoweredSpellings {
  /// What folds to ASCII letters, by those letters.
  static let foreign: [(letters: String, spellings: [String])] = [
    ("k", ["\u{212A}"]), ("s", ["\u{17F}"]), ("ss", ["ß", "\u{1E9E}"]), ("ff", ["\u{FB00}"]), ("fi", ["\u{FB01}"]),
    ("fl", ["\u{FB02}"]), ("ffi", ["\u{FB03}"]), ("ffl", ["\u{FB04}"]), ("st", ["\u{FB05}", "\u{FB06}"]),
  ]

  /// More than so many are no longer worth an index.
  private static let most = 64

  /// All spellings; nil for a text with anything beyond ASCII once it is folded, and where there are too many.
  static func all(of text: String) -> [String]? {
    let wanted = Array(folded(text, .caseInsensitive).utf8)
    guard wanted.allSatisfy({ $0 < 0x80 }) else { return nil }
    // The spellings of the first letters, by their number.
    var beginnings: [[String]] = [[""]] + Array(repeating: [], count: wanted.count)
    for end in wanted.indices.map({ $0 + 1 }) {
      beginnings[end] = beginnings[end - 1].map { $0 + String(decoding: wanted[(end - 1)..<end], as: UTF8.self) }
      for (letters, spellings) in foreign where wanted[..<end].reversed().starts(with: letters.utf8.reversed()) {
        let before = beginnings[end - letters.utf8.count]
        beginnings[end] += spellings.flatMap { spelling in before.map { $0 + spelling } }
      }
      if beginnings[end].count > most { return nil }
    }
    return beginnings[wanted.count]
  }
}
