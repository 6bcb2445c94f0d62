public import Modeling
import SQLite

/// A cursor over rows of values with column names.
public final class ValueCursor {
  /// The names of the columns, each another one: where a statement gives a name twice, the later column has a number behind it.
  public let columns: [String]
  private let shapes: [ValueShape]
  private var statement: Statement?
  /// Whether the statement already is on the first row, which `step` has not returned yet.
  private var isWaiting: Bool
  /// The rows of a statement that had to run to its end at once.
  private var rows: [[Value]] = []
  private var position = -1
  /// Reads the next row of a store that has no statement.
  private var next: (() throws -> [Value]?)?

  init(_ statement: Statement, _ shapes: [ValueShape], isWaiting: Bool = false) {
    self.statement = statement
    self.shapes = shapes
    self.isWaiting = isWaiting
    columns = ColumnNames.distinct(shapes.map(\.name))
  }

  /// Creates a cursor over the given rows.
  package init(rows: [[Value]], columns: [String]) {
    self.rows = rows
    self.columns = ColumnNames.distinct(columns)
    shapes = []
    isWaiting = false
  }

  /// Makes a cursor of rows that `next` reads, until it returns nil.
  package init(columns: [String], next: @escaping () throws -> [Value]?) {
    self.columns = ColumnNames.distinct(columns)
    self.next = next
    shapes = []
    isWaiting = false
  }

  deinit { close() }

  /// Moves to the next row; returns false after the last, when the statement's locks are released.
  ///
  /// - Throws: StoreError.
  public func step() throws -> Bool {
    guard let statement else {
      if let next {
        guard let row = try next() else {
          close()
          return false
        }
        (rows, position) = ([row], 0)
        return true
      }
      position += 1
      return position < rows.count
    }
    if isWaiting {
      isWaiting = false
      return true
    }
    do {
      if try statement.step() { return true }
    } catch {
      close()
      throw error
    }
    close()
    return false
  }

  /// The value of a column in the current row.
  public func value(_ column: Int) -> Value {
    if rows.indices.contains(position) { return rows[position][column] }
    guard let statement, !isWaiting else { return .null }
    let storage = statement.storageClass(column)
    let shape = shapes[column]
    if let entity = shape.entity { return shape.object(entity, statement.value(column)) }
    switch storage {
    case .null: return .null
    case .integer: return ValueCoding.decode(integer: statement.integer(column), as: shape.type)
    case .real: return ValueCoding.decode(real: statement.real(column), as: shape.type)
    case .text: return ValueCoding.decode(text: statement.bytes(column), as: shape.type)
    case .blob: return ValueCoding.decode(blob: statement.bytes(column), as: shape.type)
    }
  }

  /// The composite attribute, or its element, whose values a column holds; nil for other columns.
  public func composite(_ column: Int) -> Attribute? {
    shapes.indices.contains(column) ? shapes[column].composite : nil
  }

  /// Ends the statement; may be called twice.
  public func close() {
    (rows, next) = ([], nil)
    guard let statement else { return }
    statement.connection.checkIn(statement)
    self.statement = nil
  }
}
