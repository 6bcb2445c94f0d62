public import Modeling
import SQLite

extension SQLiteStore {
  /// Inserts a row; `values` are by column of the layout, references included. Returns the new row's key.
  ///
  /// With `key`, the row is inserted under that key, as when a deletion is undone. Without it, the row gets a key that
  /// no row has had since the store was opened, so that a deleted object can always be restored.
  ///
  /// - Throws: StoreError; `.notUnique` with the existing values.
  @discardableResult
  public func insert(_ entity: Entity, _ values: [Value], key: Int64?) throws -> Int64 {
    try checkWritable(entity)
    return try write { try format.insert(entity, values, key: key, in: self) }
  }

  /// Inserts a row that needs no bookkeeping of its format.
  func insertRow(_ entity: Entity, _ values: [Value], key: Int64?) throws -> Int64 {
    if let key = try key ?? keyBeyondRetired(entity, values) { return try insert(entity, values, at: key) }
    let insert = try insertStatement(entity, values)
    let statement = insert.statement
    writers.texts.begin()
    for (position, column) in insert.columns.enumerated() {
      if case .string(let text) = values[column], let copy = writers.texts.copy(text) {
        try statement.bind(unowned: copy, at: position + 1)
      } else {
        try bind(values[column], column, of: entity, to: statement, at: position + 1)
      }
    }
    try run(statement, entity) { values[$0] }
    guard let interner = insert.interner else { return connection.lastInsertedRowID }
    let layout = layout(of: entity)
    return interner.number(of: layout.key.columns.map { layout.value(of: $0, in: values) })
  }

  /// Inserts a row with a given row id.
  private func insert(_ entity: Entity, _ values: [Value], at key: Int64) throws -> Int64 {
    let layout = layout(of: entity)
    guard case .rowID(let name) = layout.key, !layout.columns.contains(where: { $0.name == name }) else {
      return try insert(entity, values)
    }
    var columns = [name]
    var list = [Value.int(key)]
    for (index, column) in layout.columns.enumerated() where column.isWritable && !columns.contains(column.name) {
      if column.hasStoreDefault, values[index].isNull { continue }
      columns.append(column.name)
      list.append(try stored(values[index], index, of: entity))
    }
    if let (name, value) = layout.discriminator {
      columns.append(name)
      list.append(value)
    }
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let names = columns.map(quotedName).joined(separator: ", ")
    do {
      try connection.run("INSERT INTO \(quotedName(layout.table)) (\(names)) VALUES (\(marks))", list)
    } catch {
      throw named(error, entity) { values[$0] }
    }
    return key
  }

  /// The key for a new row if SQLite would assign a deleted row's key to it.
  private func keyBeyondRetired(_ entity: Entity, _ values: [Value]) throws -> Int64? {
    guard let retired = writers.retired(entity), case .rowID(let name) = layout(of: entity).key else { return nil }
    let layout = layout(of: entity)
    if let column = layout.columns.firstIndex(where: { $0.name == name }), !values[column].isNull { return nil }
    let highest = try connection.first("SELECT max(\(quotedName(name))) FROM \(quotedName(layout.table))")
    if case .int(let highest)? = highest, highest >= retired {
      writers.forgetRetired(entity)
      return nil
    }
    return layout.columns.contains { $0.name == name } || retired == .max ? nil : retired + 1
  }

  /// A value in the form in which a column of the entity keeps it.
  ///
  /// - Throws: StoreError, `.unfitDate` for a date that the form of its texts cannot hold.
  func stored(_ value: Value, _ column: Int, of entity: Entity) throws(StoreError) -> Value {
    guard keepsDateTexts, case .date(let date) = value else { return ValueCoding.stored(value) }
    let layout = layout(of: entity)
    guard case .dateText(let form) = layout.columns[column].encoding else { return ValueCoding.stored(value) }
    if let text = form.text(of: date) { return .string(text) }
    let property = layout.properties.firstIndex(of: .column(column)).map { entity.properties[$0].name }
    throw StoreError(
      .unfitDate(
        entity: entity.name, property: property ?? layout.columns[column].name, date, sample: form.sample), path: path)
  }

  /// Binds a value in the form in which a column of the entity keeps it.
  @inline(__always)
  private func bind(
    _ value: Value, _ column: Int, of entity: Entity, to statement: Statement, at index: Int
  ) throws(StoreError) {
    // Statements bind every other value in its stored form.
    if keepsDateTexts, case .date = value {
      try statement.bind(try stored(value, column, of: entity), at: index)
    } else {
      try statement.bind(value, at: index)
    }
  }

  /// Sets some columns of a row; returns false if the row does not exist.
  public func update(_ entity: Entity, key: Int64, _ changes: [(column: Int, value: Value)]) throws -> Bool {
    guard !changes.isEmpty else { return true }
    try checkWritable(entity)
    return try write { try format.update(entity, key: key, changes, in: self) }
  }

  func updateRow(_ entity: Entity, key: Int64, _ changes: [(column: Int, value: Value)]) throws -> Bool {
    let update = try updateStatement(entity, changes)
    let statement = update.statement
    for (position, change) in changes.enumerated() {
      try bind(change.value, change.column, of: entity, to: statement, at: position + 1)
    }
    try bind(key, of: update.interner, entity, to: statement, after: changes.count)
    try run(statement, entity) { column in changes.first { $0.column == column }?.value }
    guard connection.lastChanges > 0 else { return false }
    if let interner = update.interner { rename(key, of: interner, entity, changes) }
    return true
  }

  /// Deletes a row; returns false if it does not exist. References to the row stay unchanged.
  public func delete(_ entity: Entity, key: Int64) throws -> Bool {
    try checkWritable(entity)
    return try write { try format.delete(entity, key: key, in: self) }
  }

  func deleteRow(_ entity: Entity, key: Int64) throws -> Bool {
    let statement = try writers.delete(entity) {
      let layout = layout(of: entity)
      return try connection.prepare("DELETE FROM \(quotedName(layout.table)) WHERE \(layout.key.condition)")
    }
    try bind(key, of: interner(of: entity), entity, to: statement, after: 0)
    try run(statement, entity) { _ in nil }
    writers.retire(key, of: entity)
    return connection.lastChanges > 0
  }

  // MARK: Statements

  /// The entity's INSERT; it omits columns that the store fills if no value is given for them.
  private func insertStatement(_ entity: Entity, _ values: [Value]) throws -> InsertStatement {
    let usual = try writers.insert(entity) { try prepareInsert(entity, leavingOut: []) }
    let left = usual.defaulted.filter { values[$0].isNull }
    return left.isEmpty ? usual : try prepareInsert(entity, leavingOut: left)
  }

  private func prepareInsert(_ entity: Entity, leavingOut left: [Int]) throws -> InsertStatement {
    let layout = layout(of: entity)
    var columns: [Int] = []
    var names: [String] = []
    for (index, column) in layout.columns.enumerated() where column.isWritable && !left.contains(index) {
      // A foreign key's column may occur twice, as an attribute and as a reference.
      guard !names.contains(column.name) else { continue }
      columns.append(index)
      names.append(column.name)
    }
    var into = names.map(quotedName)
    var marks = names.map { _ in "?" }
    if let (name, value) = layout.discriminator {
      into.append(quotedName(name))
      marks.append(SQLFragment(value: value).displayText)
    }
    let list =
      into.isEmpty ? "DEFAULT VALUES" : "(\(into.joined(separator: ", "))) VALUES (\(marks.joined(separator: ", ")))"
    let text = "INSERT INTO \(quotedName(layout.table)) \(list)"
    let statement = left.isEmpty ? try connection.prepare(text) : try connection.checkOut(text)
    if !left.isEmpty { connection.checkIn(statement) }
    let defaulted = columns.filter { layout.columns[$0].hasStoreDefault }
    return InsertStatement(statement: statement, columns: columns, defaulted: defaulted, interner: interner(of: entity))
  }

  private func updateStatement(_ entity: Entity, _ changes: [(column: Int, value: Value)]) throws -> UpdateStatement {
    if let known = writers.update(entity, changes) { return known }
    let layout = layout(of: entity)
    let columns = changes.map(\.column)
    let settings = columns.map { "\(quotedName(layout.columns[$0].name)) = ?" }.joined(separator: ", ")
    let statement = try connection.prepare(
      "UPDATE \(quotedName(layout.table)) SET \(settings) WHERE \(layout.key.condition)")
    let update = UpdateStatement(statement: statement, columns: columns, interner: interner(of: entity))
    writers.keep(update, of: entity)
    return update
  }

  /// Binds the key of a row; `interner` has the numbers of the entity's keys, nil if the row id is the key.
  private func bind(
    _ key: Int64, of interner: KeyInterner?, _ entity: Entity, to statement: Statement, after count: Int
  ) throws {
    guard let interner else { return try statement.bind(key, at: count + 1) }
    let values = interner.key(key) ?? layout(of: entity).key.columns.map { _ in .null }
    for (index, value) in values.enumerated() { try statement.bind(value, at: count + index + 1) }
  }

  /// Runs a statement that writes one row; `value` returns the value written to a column, for error messages.
  private func run(_ statement: Statement, _ entity: Entity, _ value: (Int) -> Value?) throws {
    do {
      _ = try statement.step()
    } catch {
      throw named(error, entity, value)
    }
    // A writing statement returns no rows; it was reset at its end.
  }

  /// A uniqueness violation with the existing values.
  func named(_ error: StoreError, _ entity: Entity, _ value: (Int) -> Value?) -> StoreError {
    guard case .notUnique(let name, let properties, let known) = error.fact, known.isEmpty else { return error }
    let layout = layout(of: entity)
    let values = properties.compactMap { property -> Value? in
      guard let index = entity.index(of: property) else { return nil }
      switch layout.properties[index] {
      case .column(let column): return value(column)
      case .reference(let columns, _): return columns.first.flatMap(value)
      default: return nil
      }
    }
    guard values.count == properties.count else { return error }
    return StoreError(.notUnique(entity: name, properties: properties, values: values), path: error.path)
  }

  /// Throws if objects of an entity cannot be written.
  func checkWritable(_ entity: Entity) throws {
    if isReadOnly { throw readOnlyError }
    if entity.isReadOnly { throw StoreError(.readOnlyEntity(entity.name), path: path) }
    try format.checkWritable(entity, in: self)
  }

  /// Keeps the key number of an object whose composite key has changed.
  private func rename(
    _ key: Int64, of interner: KeyInterner, _ entity: Entity, _ changes: [(column: Int, value: Value)]
  ) {
    guard var values = interner.key(key) else { return }
    let layout = layout(of: entity)
    for change in changes {
      guard let place = layout.key.columns.firstIndex(of: layout.columns[change.column].name) else { continue }
      values[place] = ValueCoding.stored(change.value)
    }
    interner.rename(key, to: values)
  }
}

extension KeyLayout {
  /// `a = ? AND b = ?`
  var condition: String { columns.map { "\(quotedName($0)) = ?" }.joined(separator: " AND ") }
}

extension EntityLayout {
  /// The stored value of the column `name` in a row's values.
  fileprivate func value(of name: String, in values: [Value]) -> Value {
    guard let index = columns.firstIndex(where: { $0.name == name }) else { return .null }
    return ValueCoding.stored(values[index])
  }
}
