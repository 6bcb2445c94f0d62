import Modeling
import SQLite

/// The rows of a running SELECT of keys and answers.
final class StatementAnswerCursor: AnswerCursor {
  private let statement: Statement
  private let interner: KeyInterner?
  private let keyCount: Int

  init(_ statement: Statement, keyCount: Int, interner: KeyInterner?) {
    self.statement = statement
    self.keyCount = keyCount
    self.interner = interner
    super.init()
  }

  deinit { statement.connection.checkIn(statement) }

  override func step() throws -> Bool { try statement.step() }

  override var key: Int64 {
    interner.map { $0.number(of: (0..<keyCount).map(statement.value)) } ?? statement.integer(0)
  }

  override func answer(_ index: Int) -> Bool? {
    let column = keyCount + index
    return statement.storageClass(column) == .null ? nil : statement.integer(column) != 0
  }
}
