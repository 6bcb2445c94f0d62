import Modeling
import Queries
import SQLite

/// Writes many rows at once: without the indexes meanwhile, and by statements that are prepared once.
struct BulkWriter {
  let store: SQLiteStore

  /// Announces many inserts within a transaction, so that the store can build secondary indexes after the rows; `body`
  /// must do the inserts.
  ///
  /// If there are few rows compared with the table, or a cursor is open, the indexes are updated row by row as usual.
  ///
  /// - Throws: StoreError; `.notUnique` at the end, for values that two rows have.
  @discardableResult
  func insert<Result>(
    into entity: Entity, expecting rows: Int, _ body: () throws -> Result
  ) throws -> Result {
    try store.checkWritable(entity)
    return try store.transaction {
      let table = store.layout(of: entity).table
      // The app owns its indexes.
      if store.format.writesRowByRow { return try body() }
      guard try isWorthRebuilding(table, rows) else { return try body() }
      let indexes = try store.connection.all(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL",
        [.string(table)])
      for index in indexes {
        if case .string(let name) = index[0] { try store.connection.execute("DROP INDEX \(quotedName(name))") }
      }
      store.transactions.bulkTables.insert(table)
      defer { store.transactions.bulkTables.remove(table) }
      let result = try store.connection.keepingFewUnwrittenPages(body)
      try store.connection.sortingForIndexes {
        for index in indexes { if case .string(let sql) = index[1] { try build(sql, entity) } }
      }
      return result
    }
  }

  /// Prepares an INSERT; nil in a format whose rows need bookkeeping.
  ///
  /// - Throws: StoreError.
  func insertStatement(_ entity: Entity, columns: [Int]) throws -> RowStatement? {
    try store.checkWritable(entity)
    if store.format.writesRowByRow { return nil }
    let layout = store.layout(of: entity)
    var names = columns.map { quotedName(layout.columns[$0].name) }
    var marks = names.map { _ in "?" }
    if let (name, value) = layout.discriminator {
      names.append(quotedName(name))
      marks.append(SQLFragment(value: value).displayText)
    }
    let list = "(\(names.joined(separator: ", "))) VALUES (\(marks.joined(separator: ", ")))"
    let text = "INSERT INTO \(quotedName(layout.table)) \(names.isEmpty ? "DEFAULT VALUES" : list)"
    return try ImportStatement(store, entity, text, columns).face
  }

  /// Prepares an UPDATE; nil in a format whose rows need bookkeeping.
  ///
  /// - Throws: StoreError.
  func updateStatement(_ entity: Entity, columns: [Int], where known: Int) throws -> RowStatement? {
    try store.checkWritable(entity)
    if store.format.writesRowByRow { return nil }
    let layout = store.layout(of: entity)
    let settings = columns.map { "\(quotedName(layout.columns[$0].name)) = ?" }.joined(separator: ", ")
    let condition = "\(quotedName(layout.columns[known].name)) = ?"
    let text = "UPDATE \(quotedName(layout.table)) SET \(settings) WHERE \(condition)"
    return try ImportStatement(store, entity, text, columns + [known]).face
  }

  /// Whether dropping and rebuilding the indexes is less work than updating them.
  private func isWorthRebuilding(_ table: String, _ rows: Int) throws -> Bool {
    // SQLite cannot drop an index while a statement is running.
    guard rows >= 2000, !store.transactions.bulkTables.contains(table), !store.connection.hasRunningStatements else {
      return false
    }
    let present = try store.connection.first("SELECT max(rowid) FROM \(quotedName(table))").flatMap { value -> Int64? in
      if case .int(let number) = value { number } else { nil }
    }
    // Once the table is larger than the cache, updating indexes costs some ten times as much per row as a rebuild.
    return Int64(rows) >= (present ?? 0) / 4
  }

  private func build(_ sql: String, _ entity: Entity) throws {
    do {
      try store.connection.execute(sql)
    } catch {
      throw withDuplicates(error, entity)
    }
  }

  /// A uniqueness violation with values that two rows have.
  private func withDuplicates(_ error: StoreError, _ entity: Entity) -> StoreError {
    guard case .notUnique(let name, let properties, let known) = error.fact, known.isEmpty else { return error }
    let places = properties.map { PropertyPath([$0]) }
    var request = FetchRequest(entity.root)
    request.resultType = .dictionaries
    request.propertiesToFetch = places.map { FetchedColumn($0.text, .path($0)) }
    request.propertiesToGroupBy = places.map { .path($0) }
    request.havingPredicate = .comparison(Comparison(.call(.count, .object), .greater, .constant(.int(1))))
    request.predicate = .and(
      places.map { .comparison(Comparison(.path($0), .notEqual, .constant(.null))) })
    request.fetchLimit = 1
    guard let rows = try? store.dictionaries(request), (try? rows.step()) == true else { return error }
    defer { rows.close() }
    let values = properties.indices.map(rows.value)
    return StoreError(.notUnique(entity: name, properties: properties, values: values), path: error.path)
  }
}
