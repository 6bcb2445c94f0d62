import Modeling
import SQLite

/// The rows of an entity one after the other, with what some predicates say of each: yes, no or neither.
public final class AnswerCursor {
  private let statement: Statement
  private let interner: KeyInterner?
  private let keyCount: Int

  init(_ statement: Statement, keyCount: Int, interner: KeyInterner?) {
    self.statement = statement
    self.keyCount = keyCount
    self.interner = interner
  }

  deinit { statement.connection.checkIn(statement) }

  /// Moves to the next row; false after the last.
  public func step() throws -> Bool { try statement.step() }

  /// The key of the row.
  public var key: Int64 {
    interner.map { $0.number(of: (0..<keyCount).map(statement.value)) } ?? statement.integer(0)
  }

  /// What the predicate at an index says of the row; nil for neither.
  public func answer(_ index: Int) -> Bool? {
    let column = keyCount + index
    return statement.storageClass(column) == .null ? nil : statement.integer(column) != 0
  }
}
