public import Modeling

/// The rows that commits have touched, by table: what live results look for those they show in.
///
/// Made of a `ChangeSet` for the connection's own commits, and of the history or a scan for those of others.
public struct TouchedRows: Sendable {
  /// What was done to the rows of one table.
  ///
  /// After a union a key may stand more than once, and in several lists.
  public struct Table: Sendable {
    /// The table's name.
    public var name: String
    /// The root of the entities whose rows it keeps; nil for tables of pairs and tables of nobody's.
    public var entity: Entity?
    /// The keys of new rows; empty for tables of pairs.
    public var inserted: [Int64] = []
    /// The keys of rows with other values.
    public var updated: [Int64] = []
    /// The keys of rows that are gone.
    public var deleted: [Int64] = []
    /// Which columns of updated rows have other values, in lower case; nil where nobody knows.
    public var updatedColumns: Set<String>?
    /// What columns that refer to other rows, or are referred to, held before, of updated and deleted rows: by column in
    /// lower case, the stored values. Nil where nobody knows: then rows that such a row belonged to before cannot be
    /// found.
    public var formerReferences: [String: [Value]]? = [:]
    /// The same of what they hold now, for tables of pairs, whose rows have no key of their own.
    public var presentReferences: [String: [Value]] = [:]
    /// The same of references of several columns, by their columns; what did not change is nil.
    package var formerCombinations: [[String]: Set<[Value?]>] = [:]
    package var presentCombinations: [[String]: Set<[Value?]>] = [:]
    /// What those of the touched rows that are there hold now; nil where somebody has to ask the store.
    public internal(set) var present: PresentRows?
    /// Whether nobody knows which rows were touched, if any.
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
  /// Whether every row is told; false where everything is to be read anew.
  public var isComplete = true
  /// Whether another connection committed.
  public var isForeign = false
  /// Who made the change, as far as that was said.
  public var author: String?

  /// Nothing touched.
  public init() {}

  /// Whether nothing was touched.
  public var isEmpty: Bool { tables.isEmpty && isComplete }
}
