import Modeling

/// The blocks that were entered, each once: those of other stores first, then those of the open one, oldest first.
///
/// An entry that is entered again moves to the end. Blocks that begin with a space, and blank ones, are not recorded. The
/// passwords in it are left out.
///
///     history.record("Quake:count()", time: now)
///     history.finish(entry, duration: 0.2, rows: nil, hasFailed: false)
package final class History {
  package struct Entry: Equatable {
    package var text: String
    /// Seconds since 1970.
    package var time: Int
    /// The number by which the keeper knows the entry; 0 for one that is kept nowhere.
    package var number: Int64 = 0
    /// The seconds that it ran; nil for one that did not end.
    package var duration: Double?
    /// How many rows it answered, where it answered rows.
    package var rows: Int?
    package var hasFailed = false
    /// Whether it was entered while another store was open.
    package var isElsewhere = false

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

  /// A place where entries are kept, given as closures: this layer knows no database.
  package struct Keeper {
    /// The store that is open, by the name under which its entries are kept.
    package var place: () -> String
    /// The newest entries, in the order of `History.entries`, repetitions included.
    package var read: (_ place: String, _ limit: Int) -> [Entry]
    /// Keeps an entry at once, and returns its number; 0 if that failed.
    package var add: (_ entry: Entry, _ place: String) -> Int64
    /// Keeps what became of an entry.
    package var finish: (_ entry: Entry) -> Void

    package init(
      place: @escaping () -> String, read: @escaping (String, Int) -> [Entry],
      add: @escaping (Entry, String) -> Int64, finish: @escaping (Entry) -> Void
    ) {
      self.place = place
      self.read = read
      self.add = add
      self.finish = finish
    }
  }

  package private(set) var entries: [Entry] = []
  private let limit: Int
  private let keeper: Keeper?
  /// The store whose entries are the last ones.
  private var place = ""
  /// The entry that the last call of `record` recorded; nil if it left the block out.
  package private(set) var recorded: Entry?

  /// The entries that a keeper has, to which new ones are added at once; or an empty history that is kept nowhere.
  package init(keeper: Keeper? = nil, limit: Int = 10_000) {
    self.limit = limit
    self.keeper = keeper
    place = keeper?.place() ?? ""
    entries = stored()
  }

  /// Takes the entries of the store that is open now; false if it is the same as before.
  package func follow() -> Bool {
    guard let keeper, keeper.place() != place else { return false }
    place = keeper.place()
    entries = stored()
    return true
  }

  /// Records a block that was entered.
  @discardableResult
  package func record(_ text: String, time: Int) -> Change {
    recorded = nil
    guard let first = text.first, first != " ", !text.allSatisfy(\.isWhitespace) else { return .none }
    var entry = Entry(text: text.withoutTypedPasswords, time: time)
    entry.number = keeper?.add(entry, place) ?? 0
    recorded = entry
    if entries.last?.text == entry.text {
      entries[entries.count - 1] = entry
      return .none
    }
    var removed = entries.lastIndex { $0.text == entry.text }
    if removed == nil, entries.count >= limit { removed = 0 }
    if let removed { entries.remove(at: removed) }
    entries.append(entry)
    return .appended(removing: removed)
  }

  /// Records what became of an entry.
  package func finish(_ entry: Entry, duration: Double, rows: Int?, hasFailed: Bool) {
    var entry = entry
    (entry.duration, entry.rows, entry.hasFailed) = (duration, rows, hasFailed)
    keeper?.finish(entry)
    if let index = entries.lastIndex(where: { $0.text == entry.text }) { entries[index] = entry }
  }

  /// The newest entries that a search finds, oldest of them first, with those that other shells entered meanwhile.
  package func matching(_ search: HistorySearch, limit: Int) -> [Entry] {
    var numbered = entries
    if let keeper {
      numbered = keeper.read(place, self.limit)
    } else {
      for index in numbered.indices { numbered[index].number = Int64(index + 1) }
    }
    return Array(numbered.filter { (search.takesAll || !$0.isElsewhere) && search.matches($0) }.suffix(limit))
  }

  /// The last of equal texts stays.
  private func stored() -> [Entry] {
    var known: Set<String> = []
    let read = keeper?.read(place, limit) ?? []
    return read.reversed().filter { known.insert($0.text).inserted }.prefix(limit).reversed()
  }
}
