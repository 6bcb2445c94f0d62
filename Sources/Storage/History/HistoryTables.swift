/// The tables that a store's history is kept in, internal to it.
///
/// A change knows when its statement ran and what it did, by the numbers of HistoryNames. Who it was stands in a row
/// beside, written by us at the end of our own transactions: the changes from the first to the last. What is in no
/// such range was done by another program.
enum HistoryTables {
  static let change = "_perilune_change"
  static let transaction = "_perilune_transaction"
  static let tombstone = "_perilune_tombstone"

  /// Where the metadata keeps the number of the last gap.
  static let gapKey = "historyGap"

  static var all: [String] { [change, transaction, tombstone] }

  /// Kinds of changes as they are stored.
  enum Kind {
    static let insert: Int64 = 0
    static let update: Int64 = 1
    static let delete: Int64 = 2
    /// No change, but a place before which changes are missing: purged, or never recorded.
    static let gap: Int64 = 3
    /// Nobody's change, and nothing that people are told: a row whose computed values or members may be others now.
    static let touch: Int64 = 4
    /// A row that was in the way of another when that was written, and may be gone: INSERT OR REPLACE pushes rows out, for
    /// which no trigger runs.
    static let inTheWay: Int64 = 5
  }

  static let statements = [
    """
    CREATE TABLE IF NOT EXISTS \(change) (
      id INTEGER PRIMARY KEY, time REAL, entity INTEGER, key INTEGER, kind INTEGER NOT NULL, properties)
    """,
    """
    CREATE TABLE IF NOT EXISTS \(transaction) (
      first INTEGER PRIMARY KEY, last INTEGER NOT NULL, author TEXT, context TEXT, process INTEGER)
    """,
    """
    CREATE TABLE IF NOT EXISTS \(tombstone) (
      change INTEGER NOT NULL, property INTEGER NOT NULL, value, PRIMARY KEY (change, property)) WITHOUT ROWID
    """,
  ]

  /// The time of a statement as it is recorded: a Julian day, the one function of SQLite's that is exact to the
  /// millisecond in every version and the same throughout a statement.
  static let now = "julianday('now')"

  /// Seconds since 1970 of a recorded time, to the millisecond that it is exact to.
  static func seconds(ofJulianDay day: Double) -> Double { ((day - 2_440_587.5) * 86_400_000).rounded() / 1000 }

  /// The recorded form of seconds since 1970.
  static func julianDay(ofSeconds seconds: Double) -> Double { seconds / 86_400 + 2_440_587.5 }
}
