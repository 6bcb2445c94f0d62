/// The blocks that were entered, oldest first, each once.
///
/// An entry that is entered again moves to the end. What begins with a space is not recorded, nor is what is blank.
package final class History {
  package struct Entry: Equatable {
    package var text: String
    /// Seconds since 1970.
    package var time: Int

    package init(text: String, time: Int) {
      self.text = text
      self.time = time
    }
  }

  /// The effect of recording a block, for a mirror of the entries.
  package enum Change: Equatable {
    case none
    /// It was appended, after the entry at this index was taken out.
    case appended(removing: Int?)
  }

  package private(set) var entries: [Entry] = []
  private let limit: Int
  private let file: HistoryFile?

  /// The entries of a file, to which new ones are added at once; or an empty history that is kept nowhere.
  package init(file: HistoryFile? = nil, limit: Int = 10_000) {
    self.limit = limit
    self.file = file
    let stored = file?.read() ?? []
    // The last of equal ones stays.
    var known: Set<String> = []
    entries = stored.reversed().filter { known.insert($0.text).inserted }.prefix(limit).reversed()
    // Duplicates and what is beyond the limit are cleared away before they outweigh the rest.
    if stored.count > 2 * entries.count + 1_000 { file?.replace(with: entries) }
  }

  /// Records a block that was entered.
  package func record(_ text: String, time: Int) -> Change {
    guard let first = text.first, first != " ", !text.allSatisfy(\.isWhitespace) else { return .none }
    if entries.last?.text == text { return .none }
    let entry = Entry(text: text, time: time)
    file?.append(entry)
    var removed = entries.lastIndex { $0.text == text }
    if removed == nil, entries.count >= limit { removed = 0 }
    if let removed { entries.remove(at: removed) }
    entries.append(entry)
    return .appended(removing: removed)
  }

  /// The newest entries that hold a text, oldest of them first, with their numbers from 1.
  package func matching(_ text: String, limit: Int) -> [(number: Int, entry: Entry)] {
    let found = entries.enumerated().filter { text.isEmpty || $0.element.text.contains(text) }
    return found.suffix(limit).map { (number: $0.offset + 1, entry: $0.element) }
  }
}
