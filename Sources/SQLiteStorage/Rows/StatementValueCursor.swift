import Modeling
import SQLite

/// A cursor over the rows of a statement that read values of requests.
final class StatementValueCursor: ValueCursor {
  private let shapes: [ValueShape]
  private var statement: Statement?
  /// Whether the statement already is on the first row, which `step` has not returned yet.
  private var isWaiting: Bool

  init(_ statement: Statement, _ shapes: [ValueShape], isWaiting: Bool = false) {
    self.statement = statement
    self.shapes = shapes
    self.isWaiting = isWaiting
    super.init(rows: [], columns: shapes.map(\.name))
  }

  deinit { close() }

  override func step() throws -> Bool {
    guard let statement else { return false }
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

  override func value(_ column: Int) -> Value {
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

  override func composite(_ column: Int) -> Attribute? {
    shapes.indices.contains(column) ? shapes[column].composite : nil
  }

  override func close() {
    guard let statement else { return }
    statement.connection.checkIn(statement)
    self.statement = nil
  }
}
