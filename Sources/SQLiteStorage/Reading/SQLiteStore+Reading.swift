public import Modeling
public import Queries
package import SQLite

extension SQLiteStore {
  /// Returns the rows of a request whose result type is objects or object IDs, with values unless `keysOnly`.
  ///
  /// The cursor applies the request's limit and offset. Rows that are equal by its sort descriptors are ordered by
  /// their keys.
  public func cursor(_ request: FetchRequest, keysOnly: Bool) throws -> RowCursor {
    let (sql, shape) = try RequestSQL(request, schema).rows(keysOnly: keysOnly)
    let interner = interner(of: request.entity)
    // With a condition, an index may say which rows come, in another order than the file has them.
    let readsInOrder = request.sortDescriptors.isEmpty && request.predicate == nil && interner == nil
    return StatementRowCursor(try bound(sql), shape, interner: interner, readsInOrder: readsInOrder)
  }

  /// Returns the keys that a request selects, in order. Suitable for a million keys.
  public func keys(_ request: FetchRequest) throws -> [Int64] {
    let statement = try bound(RequestSQL(request, schema).keys())
    defer { connection.checkIn(statement) }
    var keys: [Int64] = []
    if let interner = interner(of: request.entity) {
      let columns = 0..<statement.columnCount
      while try statement.step() { keys.append(interner.number(of: columns.map(statement.value))) }
      noteScan(statement)
      return keys
    }
    keys = try statement.integers()
    noteScan(statement)
    // Without a requested order the keys are in some index's order. Sorted by key, rows are read in the order of the
    // file.
    if request.sortDescriptors.isEmpty { keys.sort() }
    return keys
  }

  /// Returns the rows with the given keys, in any order; keys without a row are skipped.
  public func rows(of entity: Entity, keys: some Collection<Int64>) throws -> RowCursor {
    let shape = texts.shape(entity) { RowShape(entity, schema, keysOnly: false) }
    let interner = interner(of: entity)
    // A short statement reads few keys; a longer one runs again for each group of many keys.
    let group = interner != nil || keys.count == 1 ? 1 : keys.count <= 16 ? 16 : 256
    let text = texts.text(entity, .rows(keys: group)) { rowsByKey(entity, shape, group) }
    let statement = try connection.checkOut(text)
    var rest = keys.makeIterator()
    let refill: (Statement) throws -> Bool = { statement in
      var count = 0
      while count < group, let key = rest.next() {
        if let interner {
          guard let values = interner.key(key) else { continue }
          for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
        } else {
          try statement.bind(key, at: count + 1)
        }
        count += 1
      }
      if count == 0 { return false }
      if count < group { for index in count..<group { try statement.bindNull(at: index + 1) } }
      return true
    }
    do {
      // Without keys, the statement runs once without bindings and finds nothing.
      _ = try refill(statement)
    } catch {
      connection.checkIn(statement)
      throw error
    }
    return StatementRowCursor(statement, shape, interner: interner, refill: refill)
  }

  private func rowsByKey(_ entity: Entity, _ shape: RowShape, _ count: Int) -> SQLFragment {
    let compiler = SQLCompiler(schema)
    let place = compiler.place(entity)
    var statement = SelectStatement()
    statement.columns = shape.columns.map(place.row)
    let key = layout(of: entity).key.columns.map(place.column)
    if count > 1 {
      let marks = [SQLFragment](repeating: SQLFragment(value: .null), count: count).joined(separator: ", ")
      statement.conditions = [SQLCondition("\(key[0]) IN (\(marks))")]
    } else {
      statement.conditions = key.map { SQLCondition("\($0) = \(value: .null)") }
    }
    if let family = compiler.familyCondition(entity, alias: place.alias, includesSubentities: true) {
      // The discriminators in the condition come from the model, and the statement's only parameters are the keys.
      statement.conditions.append(SQLCondition(family.inlined))
    }
    statement.from = place.source.sql
    return statement.sql
  }

  /// Returns the number of objects, dictionaries or groups that a request selects.
  public func count(_ request: FetchRequest) throws -> Int {
    let source = RequestSQL(request, schema)
    if let count = try parallelCount(source) { return count }
    let statement = try bound(source.count())
    defer { connection.checkIn(statement) }
    let count = try statement.step() ? Int(statement.integer(0)) : 0
    noteScan(statement)
    return count
  }

  /// Returns the rows of a dictionary request.
  ///
  /// The caller may insert the rows into `target` while it reads: the cursor does not return the new rows. It takes
  /// constant memory, unless the request follows relationships or the caller changes the rows that it reads; then
  /// SQLite finds all rows before it returns the first. With `tiesByKey`, for rows of single objects, rows that are
  /// equal by the sort descriptors are ordered by their keys.
  public func dictionaries(
    _ request: FetchRequest, insertedInto target: Entity?, changing: Bool = false, tiesByKey: Bool = false
  ) throws -> ValueCursor {
    var source = RequestSQL(request, schema)
    source.ordersDictionariesByKey = tiesByKey
    if target == nil, let cursor = try parallelGroups(source) { return cursor }
    var isBeforehand = target != nil && request.looksAlongRelationships
    if let target, target.root === request.entity.root {
      if !changing, case .rowID(let key) = layout(of: target).key {
        let table = layout(of: target).table
        let last = try connection.first("SELECT max(\(quotedName(key))) FROM \(quotedName(table))")
        if case .int(let last)? = last { source.lastKey = last }
      } else {
        isBeforehand = true
      }
    }
    var (sql, columns) = try source.dictionaries()
    if isBeforehand { sql = "WITH found AS MATERIALIZED (\(sql)) SELECT * FROM found" }
    return StatementValueCursor(try bound(sql), columns)
  }

  /// Returns the values of aggregate expressions (`count`, `max(magnitude)`) over the rows that a request selects.
  public func aggregate(_ request: FetchRequest, _ expressions: [Expression]) throws -> [Value] {
    guard !expressions.isEmpty else { return [] }
    let source = RequestSQL(request, schema)
    let (sql, columns) = try source.aggregates(expressions)
    let cursor =
      try parallelAggregates(source, expressions, for: sql) ?? StatementValueCursor(try bound(sql), columns)
    defer { cursor.close() }
    guard try cursor.step() else { return expressions.map { _ in .null } }
    return columns.indices.map(cursor.value)
  }
}

extension FetchRequest {
  /// Whether the request needs rows of other entities.
  fileprivate var looksAlongRelationships: Bool {
    let expressions = propertiesToFetch.map(\.expression) + sortDescriptors.map(\.expression) + propertiesToGroupBy
    let paths = (predicate?.paths ?? []) + (havingPredicate?.paths ?? []) + expressions.flatMap(\.paths)
    return paths.contains { path in
      guard let resolved = try? path.resolve(in: entity), !resolved.hops.isEmpty else { return false }
      // A to-one relationship's own column is part of the row.
      return resolved.hops.count > 1 || resolved.isToMany || resolved.attribute != nil
    }
  }
}

// MARK: Parts

extension SQLiteStore {
  /// Records how many rows a finished statement scanned.
  private func noteScan(_ statement: Statement) {
    lastScan = statement.take(.scannedRows)
  }

  /// The facts about this store that the SQL compiler needs.
  var schema: SQLSchema {
    SQLSchema(
      layout: { [unowned self] in layout(of: $0) },
      keyValues: { [unowned self] in keyValues(of: $0, key: $1) },
      interner: { [unowned self] in interner(of: $0) }, now: { .now })
  }

  /// The numbers of the entity's keys; nil if the row id is the key.
  func interner(of entity: Entity) -> KeyInterner? {
    interners.interner(of: entity, layout)
  }

  /// Returns a statement for `sql` with its values bound; the caller checks it in.
  package func bound(_ sql: SQLFragment) throws -> Statement {
    let statement = try connection.checkOut(sql.text)
    statement.take(.scannedRows)
    do {
      for (index, value) in sql.arguments.enumerated() { try statement.bind(ValueCoding.stored(value), at: index + 1) }
    } catch {
      connection.checkIn(statement)
      throw error
    }
    return statement
  }
}
