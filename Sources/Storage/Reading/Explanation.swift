public import Modeling

/// How the store answers a request.
public struct Explanation: Sendable {
  /// The statement that runs, a question mark for each value.
  public var sql: String
  /// The values, in the order of the question marks.
  public var arguments: [Value]
  /// The statement with its values written in, to be read and copied.
  public var displaySQL: String
  /// SQLite's plan, a line a step, with its depth; tables under their own names.
  public var plan: [(depth: Int, text: String)]
  /// The indexes that the plan looks rows up by, or reads in order; those that SQLite makes for itself are called
  /// "automatic index".
  public var indexesUsed: [String]
  /// The tables that are read from end to end.
  public var tablesScanned: [String]
  /// Whether rows are sorted after they are read.
  public var sortsInMemory: Bool
  /// The rows, or dictionaries, that the request has.
  public var rowsReturned: Int
  /// The rows that were stepped over in scans of tables and of indexes.
  public var rowsScanned: Int
  /// The steps of SQLite's virtual machine.
  public var steps: Int
  /// How long it took to read them all.
  public var seconds: Double
}
