public import Modeling

/// The rows that commits have touched, by table. Live results look here for the rows that they show.
///
/// Made of a `ChangeSet` for the connection's own commits, and of the history or a scan for those of others.
public struct TouchedRows: Sendable {
  /// What was done to the rows of one table.
  ///
  /// After a union a key may stand more than once, and in several lists.
  public struct Table: Sendable {
    /// The table's name.
    public var name: String
    /// The root of the entities whose rows it keeps; nil for tables of pairs and tables outside the model.
    public var entity: Entity?
    /// The keys of new rows; empty for tables of pairs.
    public var inserted: [Int64] = []
    /// The keys of rows with other values.
    public var updated: [Int64] = []
    /// The keys of deleted rows.
    public var deleted: [Int64] = []
    /// The columns of updated rows that have other values, in lower case; nil if they are unknown.
    public var updatedColumns: Set<String>?
    /// What columns that refer to other rows, or are referred to, held before, of updated and deleted rows: by column in
    /// lower case, the stored values. Nil if they are unknown: then the rows that such a row belonged to before cannot be
    /// found.
    public var formerReferences: [String: [Value]]? = [:]
    /// The same of what they hold now, for tables of pairs, whose rows have no key of their own.
    public var presentReferences: [String: [Value]] = [:]
    /// The same of references of several columns, by their columns; what did not change is nil.
    package var formerCombinations: [[String]: Set<[Value?]>] = [:]
    package var presentCombinations: [[String]: Set<[Value?]>] = [:]
    /// The present values of the touched rows; nil if they have to be read from the store.
    public internal(set) var present: PresentRows?
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

    /// Nothing done to a table.
    public init(name: String, entity: Entity?) {
      self.name = name
      self.entity = entity
    }
  }

  /// The tables with touched rows, by their names in lower case.
  public var tables: [String: Table] = [:]
  /// Whether all touched rows are here; if false, results read everything again.
  public var isComplete = true
  /// Whether another connection committed.
  public var isForeign = false
  /// The author of the change, if the transaction named one.
  public var author: String?

  /// Nothing touched.
  public init() {}

  /// Whether nothing was touched.
  public var isEmpty: Bool { tables.isEmpty && isComplete }
}
