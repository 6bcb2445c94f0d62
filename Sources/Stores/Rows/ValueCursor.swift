public import Modeling

/// A cursor over rows of values with column names.
///
/// A store that reads rows one by one has its own subclass.
open class ValueCursor {
  /// The names of the columns, each another one: where a statement gives a name twice, the later column has a number behind it.
  public let columns: [String]
  private var rows: [[Value]] = []
  private var position = -1
  /// Reads the next row; nil where all are there.
  private var next: (() throws -> [Value]?)?

  /// Creates a cursor over the given rows.
  public init(rows: [[Value]], columns: [String]) {
    self.rows = rows
    self.columns = ColumnNames.distinct(columns)
  }

  /// Makes a cursor of rows that `next` reads, until it returns nil.
  public init(columns: [String], next: @escaping () throws -> [Value]?) {
    self.columns = ColumnNames.distinct(columns)
    self.next = next
  }

  /// Moves to the next row; returns false after the last, when the statement's locks are released.
  ///
  /// - Throws: StoreError.
  open func step() throws -> Bool {
    guard let next else {
      position += 1
      return position < rows.count
    }
    guard let row = try next() else {
      close()
      return false
    }
    (rows, position) = ([row], 0)
    return true
  }

  /// The value of a column in the current row.
  open func value(_ column: Int) -> Value { rows.indices.contains(position) ? rows[position][column] : .null }

  /// The composite attribute, or its element, whose values a column holds; nil for other columns.
  open func composite(_ column: Int) -> Attribute? { nil }

  /// Ends the statement; may be called twice.
  open func close() { (rows, next) = ([], nil) }
}
