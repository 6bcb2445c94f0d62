public import Modeling

/// The rows that commits have touched, by table. Live results search them for the rows that they show.
///
/// They come from a `ChangeSet` for the connection's own commits, and from the history or a scan for commits of other
/// connections.
public struct TouchedRows: Sendable {
  /// The touched rows of one table.
  ///
  /// After a union a key may occur more than once, and in several lists.
  public struct Table: Sendable {
    /// The table's name.
    public var name: String
    /// The root entity of the table's rows; nil for tables of pairs and tables outside the model.
    public var entity: Entity?
    /// The keys of new rows; empty for tables of pairs.
    public var inserted: [Int64] = []
    /// The keys of rows with other values.
    public var updated: [Int64] = []
    /// The keys of deleted rows.
    public var deleted: [Int64] = []
    /// The columns of updated rows that have other values, in lower case; nil if they are unknown.
    public var updatedColumns: Set<String>?
    /// The former values of columns that refer to other rows, or to which other rows refer, in updated and deleted
    /// rows: stored values, by column in lower case. If nil, they are unknown, and the former owners of the rows cannot
    /// be found.
    public var formerReferences: [String: [Value]]? = [:]
    /// The current values of the same columns, for tables of pairs, whose rows have no key of their own.
    public var presentReferences: [String: [Value]] = [:]
    /// The former values of references of several columns, by their columns; nil for columns that did not change.
    package var formerCombinations: [[String]: Set<[Value?]>] = [:]
    package var presentCombinations: [[String]: Set<[Value?]>] = [:]
    /// The current values of the touched rows; nil if they have to be read from the store.
    public package(set) var present: PresentRows?
    /// Whether it is unknown which rows were touched, if any.
    public var isUnknown = false

    /// The keys of all touched rows, ascending, each once.
    public var keys: [Int64] {
      var keys = inserted + updated + deleted
      if keys.count < 2 { return keys }
      keys.sort()
      var count = 1
      for index in 1..<keys.count where keys[index] != keys[count - 1] {
        keys[count] = keys[index]
        count += 1
      }
      keys.removeLast(keys.count - count)
      return keys
    }

    /// Creates an empty record of a table.
    public init(name: String, entity: Entity?) {
      self.name = name
      self.entity = entity
    }
  }

  /// The tables with touched rows, by their names in lower case.
  public var tables: [String: Table] = [:]
  /// Whether all touched rows are known; if false, results read all their rows again.
  public var isComplete = true
  /// Whether another connection committed.
  public var isForeign = false
  /// The author of the change, if the transaction named one.
  public var author: String?

  /// Creates an empty set of touched rows.
  public init() {}

  /// Any rows may have been touched.
  public static var unknown: TouchedRows {
    var touched = TouchedRows()
    touched.isComplete = false
    return touched
  }

  /// Whether nothing was touched.
  public var isEmpty: Bool { tables.isEmpty && isComplete }
}
