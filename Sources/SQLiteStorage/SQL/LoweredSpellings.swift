import Queries

/// All results of SQLite's `lower` for the texts that equal a given text without case.
///
///     LoweredSpellings.all(of: "Kim")     // ["kim", "\u{212A}im"]: the second with the Kelvin sign
///
/// SQLite's `lower` changes only ASCII letters; Unicode's case folding changes all letters. The few characters beyond
/// ASCII that fold to ASCII are listed here. A test compares the list with the folding of every character.
enum LoweredSpellings {
  /// The characters that fold to ASCII letters, by those letters.
  static let foreign: [(letters: String, spellings: [String])] = [
    ("k", ["\u{212A}"]), ("s", ["\u{17F}"]), ("ss", ["ß", "\u{1E9E}"]), ("ff", ["\u{FB00}"]), ("fi", ["\u{FB01}"]),
    ("fl", ["\u{FB02}"]), ("ffi", ["\u{FB03}"]), ("ffl", ["\u{FB04}"]), ("st", ["\u{FB05}", "\u{FB06}"]),
  ]

  /// With more spellings than this, an index does not pay.
  private static let most = 64

  /// All spellings; nil if the folded text has characters beyond ASCII, or if there are too many spellings.
  static func all(of text: String) -> [String]? {
    let wanted = Array(folded(text, .caseInsensitive).utf8)
    guard wanted.allSatisfy({ $0 < 0x80 }) else { return nil }
    // The spellings of the first n letters, at index n.
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
