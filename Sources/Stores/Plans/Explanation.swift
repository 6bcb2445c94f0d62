public import Modeling

/// An explanation of how the store answers a request.
public struct Explanation: Sendable {
  /// The statement, with a question mark for each value.
  public var sql: String
  /// The values, in the order of the question marks.
  public var arguments: [Value]
  /// The statement with its values written in and one clause per line, to read and to copy.
  public var displaySQL: String
  /// SQLite's plan, one step per line, with its depth and the tables' own names.
  public var plan: [(depth: Int, text: String)] = []
  /// The plan in the model's terms.
  public var words: [(depth: Int, text: String)] = []
  /// The indexes in which the plan looks up rows, or reads them in order; SQLite's own are called "automatic index".
  public var indexesUsed: [String] = []
  /// The tables that are scanned completely.
  public var tablesScanned: [String] = []
  /// Whether rows are sorted after reading.
  public var sortsInMemory = false
  /// The number of rows or dictionaries in the result.
  public var rowsReturned = 0
  /// The number of rows scanned in tables and indexes.
  public var rowsScanned = 0
  /// The number of sorts.
  public var sorts = 0
  /// The number of rows inserted into indexes that SQLite built for this run.
  public var automaticIndexRows = 0
  /// The number of recompilations of the statement.
  public var recompilations = 0
  /// The number of steps of SQLite's virtual machine.
  public var steps = 0
  /// The time to read all rows.
  public var seconds = 0.0
  /// The causes of unnecessary slowness.
  public var warnings: [ExplanationWarning] = []
  /// The indexes that would help.
  public var advice: [IndexAdvice] = []

  /// Begins with a statement, and its values written in.
  public init(sql: String, arguments: [Value], displaySQL: String) {
    (self.sql, self.arguments, self.displaySQL) = (sql, arguments, displaySQL)
  }
}

/// A cause of unnecessary slowness in a request.
public enum ExplanationWarning: Hashable, Sendable {
  /// Rows are read that the request does not need.
  case readsAll(entity: String, rows: Int, wanted: Int)
  /// All rows of an entity are read again for each row of another.
  case readsAllAgain(entity: String, rows: Int)
  case sorts(rows: Int, taken: Int)
  case automaticIndex(entity: String, rows: Int)
  /// No index can serve the clause.
  case unindexable(clause: String, Obstacle)

  /// The reason why an index cannot be used.
  public enum Obstacle: Hashable, Sendable {
    /// The condition compares a function of the path, not its value.
    case function(String, of: String)
    /// The condition ignores case or diacritics.
    case folding(String)
    /// The text may be at any position.
    case anywhere
    case difference
  }
}

extension ExplanationWarning: CustomStringConvertible {
  /// The warning in words.
  public var description: String {
    switch self {
    case .readsAll(let entity, let rows, let wanted):
      "reads all \(Quantity.grouped(rows)) \(entity) to find \(Quantity.grouped(wanted))"
    case .readsAllAgain(let entity, let rows): "reads all \(Quantity.grouped(rows)) \(entity) again and again"
    case .sorts(let rows, let taken):
      "sorts \(Quantity.count(rows, "row")) in memory" + (taken < rows ? " to take \(Quantity.grouped(taken))" : "")
    case .automaticIndex(let entity, let rows):
      "makes an index of \(Quantity.count(rows, "row")) of \(entity) for this request alone"
    case .unindexable(let clause, .function(let name, let path)):
      "no index finds \(clause): it compares \(name) of \(path)"
    case .unindexable(let clause, .folding(let options)):
      "no index finds \(clause): \(options) compares folded text"
    case .unindexable(let clause, .anywhere): "no index finds \(clause): it looks everywhere in the text"
    case .unindexable(let clause, .difference): "no index finds \(clause): nearly everything is different"
    }
  }
}
