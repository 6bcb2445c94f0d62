import Layouts

/// The internal tables of a store's history.
///
/// A change has the time and effect of its statement, by the numbers of HistoryNames. Author and context are in a row
/// of their own, which our transactions write for the range of their changes. A change outside of
/// all ranges was made by another program.
package enum HistoryTables {
  package static let change = BookTables.change
  package static let transaction = BookTables.transaction
  package static let tombstone = BookTables.tombstone

  /// The metadata key of the last gap's number.
  static let gapKey = "historyGap"

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

  /// The recorded time of a statement: a Julian day, the only SQLite function that is exact to the
  /// millisecond in every version and constant within a statement.
  static let now = "julianday('now')"

  /// Seconds since 1970 of a recorded time, to the millisecond.
  static func seconds(ofJulianDay day: Double) -> Double { ((day - 2_440_587.5) * 86_400_000).rounded() / 1000 }

  /// The recorded form of seconds since 1970.
  static func julianDay(ofSeconds seconds: Double) -> Double { seconds / 86_400 + 2_440_587.5 }
}
