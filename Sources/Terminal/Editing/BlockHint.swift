internal import Presentation

/// A text that is shown in grey behind the cursor and is no part of the block.
package struct BlockHint: Equatable {
  /// The text that may follow the typed one.
  package var text: String
  /// Whether keys put it into the block; otherwise it is only shown.
  package var isTakable: Bool

  package init(_ text: String, isTakable: Bool) {
    self.text = text
    self.isTakable = isTakable
  }

  /// The part that is shown: the beginning of its first line.
  func shown(columns: Int, _ charset: Charset) -> String {
    let line = text.prefix { !$0.isNewline }
    let most = max(2 * columns - 1, 1)
    let cut = line.prefix(most)
    return cut.utf8.count < text.utf8.count ? cut + charset.ellipsis : String(cut)
  }

  /// The bytes up to the end of its first word, with the signs before it.
  var firstWordCount: Int {
    func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber || character == "_" }
    let signs = text.prefix { !isWord($0) }
    return signs.utf8.count + text[signs.endIndex...].prefix(while: isWord).utf8.count
  }
}

extension History {
  /// The fewest characters that an entry is proposed for.
  private static let fewestTyped = 2

  /// The rest of the newest entry of the open store that begins with `typed` and did not fail; nil if there is none.
  package func continuation(of typed: String) -> String? {
    guard typed.count >= Self.fewestTyped, !typed.allSatisfy(\.isWhitespace) else { return nil }
    let count = typed.utf8.count
    for entry in entries.reversed() {
      // Those of other stores come first.
      if entry.isElsewhere { return nil }
      guard !entry.hasFailed, entry.text.utf8.count > count, entry.text.utf8.starts(with: typed.utf8) else { continue }
      let rest = String(decoding: entry.text.utf8.dropFirst(count), as: UTF8.self)
      // A mark that belongs to the last letter makes it another.
      if typed.count + rest.count == entry.text.count { return rest }
    }
    return nil
  }
}
