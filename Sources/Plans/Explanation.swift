public import Modeling

/// How the store answers a request.
public struct Explanation: Sendable {
  /// The statement that runs, a question mark for each value.
  public var sql: String
  /// The values, in the order of the question marks.
  public var arguments: [Value]
  /// The statement with its values written in, a clause a line, to be read and copied.
  public var displaySQL: String
  /// SQLite's plan, a line a step, with its depth; tables under their own names.
  public var plan: [(depth: Int, text: String)] = []
  /// The plan in the model's words.
  public var words: [(depth: Int, text: String)] = []
  /// The indexes that the plan looks rows up by, or reads in order; those that SQLite makes for itself are called
  /// "automatic index".
  public var indexesUsed: [String] = []
  /// The tables that are read from end to end.
  public var tablesScanned: [String] = []
  /// Whether rows are sorted after they are read.
  public var sortsInMemory = false
  /// The rows, or dictionaries, that the request has.
  public var rowsReturned = 0
  /// The rows that were stepped over in scans of tables and of indexes.
  public var rowsScanned = 0
  /// How often rows were sorted.
  public var sorts = 0
  /// The rows that were put into indexes made for this one run.
  public var automaticIndexRows = 0
  /// How often the statement had to be compiled again.
  public var recompilations = 0
  /// The steps of SQLite's virtual machine.
  public var steps = 0
  /// How long it took to read them all.
  public var seconds = 0.0
  /// What makes the request slower than it need be.
  public var warnings: [ExplanationWarning] = []
  /// The indexes that would help.
  public var advice: [IndexAdvice] = []

  /// Begins with a statement, and its values written in.
  public init(sql: String, arguments: [Value], displaySQL: String) {
    (self.sql, self.arguments, self.displaySQL) = (sql, arguments, displaySQL)
  }
}

/// What makes a request slower than it need be.
public enum ExplanationWarning: Hashable, Sendable {
  /// Rows are read that are not asked for.
  case readsAll(entity: String, rows: Int, wanted: Int)
  /// All rows of an entity are read again for each row of another.
  case readsAllAgain(entity: String, rows: Int)
  case sorts(rows: Int, taken: Int)
  case automaticIndex(entity: String, rows: Int)
  /// No index can find what the clause asks for.
  case unindexable(clause: String, Obstacle)

  /// What keeps an index from being used.
  public enum Obstacle: Hashable, Sendable {
    /// A function of the path is compared, not its value.
    case function(String, of: String)
    /// Text is compared without regard to case or marks.
    case folding(String)
    /// The text may stand anywhere.
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
