import Modeling
import SQLite
import Stores

/// A statement that writes rows of an import. Text is bound in the memory of its source, without a copy.
final class ImportStatement {
  private let store: SQLiteStore
  private let entity: Entity
  private let statement: Statement
  /// The layout's column of each parameter.
  private let columns: [Int]

  init(_ store: SQLiteStore, _ entity: Entity, _ text: String, _ columns: [Int]) throws {
    (self.store, self.entity, self.columns) = (store, entity, columns)
    statement = try store.connection.prepare(text)
  }

  deinit {
    // Its text may be in memory that is freed.
    statement.clearBindings()
  }

  /// The statement as imports use it.
  var face: RowStatement {
    RowStatement(bind: bind, run: run, lastKey: { [store] in store.connection.lastInsertedRowID })
  }

  private func bind(_ field: TypedField, _ parameter: Int) throws {
    switch field {
    case .null: try statement.bindNull(at: parameter)
    case .int(let number): try statement.bind(number, at: parameter)
    case .double(let number): try statement.bind(number, at: parameter)
    case .bool(let flag): try statement.bind(flag ? 1 : 0 as Int64, at: parameter)
    case .text(let bytes): try statement.bind(unowned: bytes, at: parameter)
    case .date(let date) where !store.keepsDateTexts: try statement.bind(date.seconds, at: parameter)
    case .date, .value:
      try statement.bind(try store.stored(field.value, columns[parameter - 1], of: entity), at: parameter)
    }
  }

  private func run(_ value: (Int) -> Value?) throws -> Bool {
    do throws(StoreError) {
      _ = try statement.step()
    } catch {
      // The caller may skip the row and go on, but not in a transaction that SQLite has ended.
      if error.fact != .interrupted { try store.checkTransaction() }
      throw store.named(error, entity, value)
    }
    return store.connection.lastChanges > 0
  }
}
