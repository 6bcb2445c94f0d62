/// A question to the history: words that an entry must hold all, in any order.
///
/// Capitals count only where the question has some.
package struct HistorySearch: Equatable {
  package var words: [String]
  /// Whether only entries that failed are meant.
  package var isFailed = false
  /// Whether those of other stores are meant too.
  package var takesAll = false

  package init(_ text: String, isFailed: Bool = false, takesAll: Bool = false) {
    words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    self.isFailed = isFailed
    self.takesAll = takesAll
  }

  package func matches(_ entry: History.Entry) -> Bool {
    (!isFailed || entry.hasFailed) && matches(entry.text)
  }

  /// Whether a text holds each word.
  func matches(_ text: String) -> Bool {
    lazy var folded = text.lowercased()
    return words.allSatisfy { word in
      word == word.lowercased() ? folded.contains(word) : text.contains(word)
    }
  }
}
