public import Modeling
import SQLite
public import Stores

/// A statement that writes rows of an import. Text is bound in the memory of its source, without a copy.
private final class ImportStatement {
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

extension SQLiteStore {
  /// Prepares an INSERT; nil in a format whose rows need bookkeeping.
  ///
  /// - Throws: StoreError.
  public func insertStatement(_ entity: Entity, columns: [Int]) throws -> RowStatement? {
    try checkWritable(entity)
    if format.writesRowByRow { return nil }
    let layout = layout(of: entity)
    var names = columns.map { quotedName(layout.columns[$0].name) }
    var marks = names.map { _ in "?" }
    if let (name, value) = layout.discriminator {
      names.append(quotedName(name))
      marks.append(SQLFragment(value: value).displayText)
    }
    let list = "(\(names.joined(separator: ", "))) VALUES (\(marks.joined(separator: ", ")))"
    let text = "INSERT INTO \(quotedName(layout.table)) \(names.isEmpty ? "DEFAULT VALUES" : list)"
    return try ImportStatement(self, entity, text, columns).face
  }

  /// Prepares an UPDATE; nil in a format whose rows need bookkeeping.
  ///
  /// - Throws: StoreError.
  public func updateStatement(_ entity: Entity, columns: [Int], where known: Int) throws -> RowStatement? {
    try checkWritable(entity)
    if format.writesRowByRow { return nil }
    let layout = layout(of: entity)
    let settings = columns.map { "\(quotedName(layout.columns[$0].name)) = ?" }.joined(separator: ", ")
    let condition = "\(quotedName(layout.columns[known].name)) = ?"
    let text = "UPDATE \(quotedName(layout.table)) SET \(settings) WHERE \(condition)"
    return try ImportStatement(self, entity, text, columns + [known]).face
  }
}
