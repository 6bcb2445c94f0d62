import Layouts
public import Modeling
import Postgres
import StoreErrors
import Stores

extension PostgresStore {
  /// Inserts a row with a value for each column of the layout; returns its key.
  @discardableResult
  public func insert(_ entity: Entity, _ values: [Value], key: Int64?) throws -> Int64 {
    try write(entity) {
      var values = values
      try derived?.add(to: &values, of: entity, self)
      let known = try key == nil ? keyOfNew(entity, values) : nil
      let given = key ?? (known?.isNumbered == true ? known?.key : nil)
      let shape = shapes(of: entity).insert(values, withKey: given != nil)
      let elements = try shape.columns.map { column -> PostgresArgument in
        switch column.source {
        case .key: .int(given ?? 0)
        case .value(let place): try element(values[place], column, entity)
        case .text(let text): .text(text)
        }
      }
      if let known {
        if let spread = spreadColumn(of: entity) { spreadPlaces.note(entity, key: known.key, values[spread]) }
        try pend(shape, key: known.key, values, elements)
        return known.key
      }
      let place = PostgresPlace(source: PostgresSource(""), entity: entity, alias: quoted("row"))
      let keys = KeyColumns(place, self, from: 0)
      let sql = GroupedStatements(shape, self).insert(elements) + " RETURNING \(keys.columns.joined(", "))"
      let written = values
      let source = try run(sql, entity) { shape.value(of: $0, in: written) }
      guard try source.step() else { throw StoreError(.constraint("the row was not inserted"), path: path) }
      let inserted = keys.key(source)
      if key != nil, format.declaresSchema { try reserve(inserted, layout(of: entity)) }
      transactions.log.add(.inserted(entity, [inserted]))
      return inserted
    }
  }

  /// The key that a new row will have, if it is known before the insert: `isNumbered` by us, or a value of its own.
  private func keyOfNew(_ entity: Entity, _ values: [Value]) throws -> (key: Int64, isNumbered: Bool)? {
    let layout = layout(of: entity)
    guard let name = layout.key.integerName, interner(of: entity) == nil else { return try ownKey(entity, values) }
    if format.declaresSchema { return try newKey(layout.table, name).map { ($0, true) } }
    guard let column = layout.columns.firstIndex(where: { $0.name == name }) else { return nil }
    if case .int(let own) = values[column] { return (own, false) }
    // A key that the server gives comes back with its row. For many rows it is asked for beforehand, unless a trigger may
    // give another.
    guard values[column].isNull, layout.columns[column].hasStoreDefault, !tables[layout.table].hasUserTriggers,
      transactions.isMany(insertsInto: layout.table)
    else { return nil }
    return try newKey(layout.table, name).map { ($0, true) }
  }

  /// The number of a row that is known by values of its own, which the server keeps as they are given.
  private func ownKey(_ entity: Entity, _ values: [Value]) throws -> (key: Int64, isNumbered: Bool)? {
    let layout = layout(of: entity)
    guard let interner = interner(of: entity), !tables[layout.table].hasUserTriggers,
      transactions.isMany(insertsInto: layout.table)
    else { return nil }
    var own: [Value] = []
    for name in layout.key.columns {
      let form = tables.form(layout.table, name)
      guard [.integer, .text, .uuid].contains(form.kind),
        let column = layout.columns.firstIndex(where: { $0.name == name }), layout.columns[column].isWritable,
        !values[column].isNull
      else { return nil }
      own.append(values[column].asKey(form))
    }
    return own.isEmpty ? nil : (interner.number(of: own), false)
  }

  /// Keeps the sequence from giving an explicit key again.
  private func reserve(_ key: Int64, _ layout: EntityLayout) throws {
    let sequence: PostgresSQL =
      "pg_get_serial_sequence(\(.text(tables[layout.table].sqlName)), \(.text(layout.key.columns[0])))"
    _ = try pool.run("SELECT setval(\(sequence), greatest(\(.int(key)), nextval(\(sequence))))")
  }

  /// Sets some columns of a row; returns false if the row does not exist.
  public func update(_ entity: Entity, key: Int64, _ changes: [(column: Int, value: Value)]) throws -> Bool {
    if changes.isEmpty { return true }
    return try write(entity) {
      // In a transaction with a single write, waiting gains nothing.
      let isFirst = transactions.log.count + pending.count == 0
      if !isFirst, try pendUpdate(entity, key: key, changes) { return true }
      return try updateRows(entity, [key], changes) > 0
    }
  }

  /// Lets the update of a row wait that exists, because the transaction has read it; returns false if it cannot wait.
  func pendUpdate(_ entity: Entity, key: Int64, _ changes: [(column: Int, value: Value)]) throws -> Bool {
    guard !format.mayLieApart, !isSpread(by: changes, entity) else { return false }
    let shape = shapes(of: entity).update(changes.map(\.column))
    var elements: [PostgresArgument] = []
    elements.reserveCapacity(shape.keys.count + changes.count)
    if let interner = interner(of: entity) {
      guard let own = interner.key(key), own.count == shape.keys.count,
        !shape.columns.contains(where: { column in shape.keys.contains { $0.name == column.name } })
      else { return false }
      for (value, key) in zip(own, shape.keys) {
        guard !value.isNull, let element = key.form.keyElement(value) else { return false }
        elements.append(element)
      }
    } else {
      elements.append(.int(key))
    }
    for (change, column) in zip(changes, shape.columns) { elements.append(try element(change.value, column, entity)) }
    try pend(shape, key: key, changes.map(\.value), elements)
    return true
  }

  /// Whether changes are of the column by which rows are spread.
  private func isSpread(by changes: [(column: Int, value: Value)], _ entity: Entity) -> Bool {
    spreadColumn(of: entity).map { column in changes.contains { $0.column == column } } ?? false
  }

  /// Sets some columns of the rows with some keys; returns their number.
  func updateRows(_ entity: Entity, _ keys: [Int64], _ changes: [(column: Int, value: Value)]) throws -> Int {
    guard profile.has(.joinsOfAnyColumns) else { return try updateWithoutJoins(entity, keys, changes) }
    guard let sql = try updateStatement(entity, keys, changes) else { return 0 }
    let layout = layout(of: entity)
    let forms = changes.map { tables.form(layout.table, layout.columns[$0.column].name) }
    let written = { (name: String) -> Value? in changes.first { layout.columns[$0.column].name == name }?.value }
    return try noteUpdates(try run(sql, entity, written), keys, changes, forms, entity)
  }

  /// The same on a server that finds rows by their keys alone: the old values are read before. Both statements see one
  /// moment.
  private func updateWithoutJoins(
    _ entity: Entity, _ keys: [Int64], _ changes: [(column: Int, value: Value)]
  ) throws -> Int {
    let layout = layout(of: entity)
    let row = PostgresPlace(source: PostgresSource(""), entity: entity, alias: quoted("row"))
    let columns = changes.map { layout.columns[$0.column] }
    if isSpread(by: changes, entity), let name = entity.root.description.userInfo[TableDistribution.option] {
      throw lacking("update of \(entity.name).\(name), by which its rows are distributed")
    }
    let forms = columns.map { tables.form(layout.table, $0.name) }
    let key = KeyColumns(row, self, from: 0)
    let held = zip(columns, forms).map { PostgresSQL(raw: $1.selected("\(row.alias).\(quoted($0.name))")) }
    let answers = (key.columns + held).joined(", ")
    func values(_ source: PostgresRowSource) -> [Value] {
      columns.indices.map { value(source, key.columns.count + $0, forms[$0], columns[$0].type) }
    }
    var olds: [Int64: [Value]] = [:]
    let spread = spreadColumn(of: entity).map { (column: $0, form: tables.form(layout.table, layout.columns[$0].name)) }
    let place = spread.map { spread -> PostgresSQL in
      PostgresSQL(raw: ", " + spread.form.selected("\(row.alias).\(quoted(layout.columns[spread.column].name))"))
    }
    let target = table(layout.table)
    let before = try found(row, keys) { condition in
      "SELECT \(answers)\(place ?? "") FROM \(target) AS \(raw: row.alias) WHERE \(condition)"
    }
    guard let before else { return 0 }
    while try before.step() {
      let number = key.key(before)
      olds[number] = values(before)
      if let spread {
        let type = layout.columns[spread.column].type
        let value = value(before, key.columns.count + columns.count, spread.form, type)
        spreadPlaces.note(entity, key: number, value)
      }
    }
    guard let isThere = keyCondition(row, Array(olds.keys)) else { return 0 }
    let settings = try changes.map { change -> PostgresSQL in
      "\(name: layout.columns[change.column].name) = \(try argument(change.value, change.column, entity))"
    }
    let written = { (name: String) -> Value? in changes.first { layout.columns[$0.column].name == name }?.value }
    let source = try run(
      """
      UPDATE \(target) AS \(raw: row.alias) SET \(settings.joined(", ")) WHERE \(isThere) \
      RETURNING \(answers)
      """, entity, written)
    var updated = CommitLog.UpdatedRows(columns.map { $0.name.lowercased() })
    while try source.step() {
      let number = key.key(source)
      updated.keys.append(number)
      updated.olds += olds[number] ?? columns.map { _ in .null }
      updated.news += values(source)
    }
    if !updated.keys.isEmpty { transactions.log.add(.updated(entity, updated)) }
    return updated.keys.count
  }

  /// The UPDATE of the rows with some keys, which returns their keys and the old and new values of the columns; nil for no
  /// rows.
  func updateStatement(
    _ entity: Entity, _ keys: [Int64], _ changes: [(column: Int, value: Value)]
  ) throws -> PostgresSQL? {
    let layout = layout(of: entity)
    let row = PostgresPlace(source: PostgresSource(""), entity: entity, alias: quoted("row"))
    guard let condition = keyCondition(row, keys) else { return nil }
    let forms = changes.map { tables.form(layout.table, layout.columns[$0.column].name) }
    let keyColumns = KeyColumns(row, self, from: 0)
    let rowKeys = layout.key.columns.map { "\(column: row.alias, $0)" as PostgresSQL }
    let olds = zip(changes, forms).enumerated().map { index, change -> PostgresSQL in
      let column = "\(row.alias).\(quoted(layout.columns[change.0.column].name))"
      return "\(raw: change.1.selected(column)) AS o\(raw: String(index))"
    }
    let news = zip(changes, forms).map { change, form -> PostgresSQL in
      PostgresSQL(raw: form.selected("\(row.alias).\(quoted(layout.columns[change.column].name))"))
    }
    let settings = try changes.map { change -> PostgresSQL in
      "\(name: layout.columns[change.column].name) = \(try argument(change.value, change.column, entity))"
    }
    let names = layout.key.columns.indices.map { "k\($0)" }
    let oldKeys = zip(rowKeys, names).map { "\($0) AS \(raw: $1)" as PostgresSQL }
    let link = zip(rowKeys, names).map { "\($0) = old.\(raw: $1)" as PostgresSQL }
    let target = table(layout.table)
    return """
      WITH old AS (SELECT \((oldKeys + olds).joined(", ")) FROM \(target) AS \(raw: row.alias) WHERE \(condition) FOR UPDATE) \
      UPDATE \(target) AS \(raw: row.alias) SET \(settings.joined(", ")) FROM old WHERE \(link.joined(" AND ")) \
      RETURNING \((keyColumns.columns + changes.indices.map { PostgresSQL(raw: "old.o\($0)") } + news).joined(", "))
      """
  }

  /// Logs the rows that an UPDATE returns, and returns their number.
  private func noteUpdates(
    _ source: PostgresRowSource, _ keys: [Int64], _ changes: [(column: Int, value: Value)], _ forms: [ColumnForm],
    _ entity: Entity
  ) throws -> Int {
    let layout = layout(of: entity)
    let columns = changes.map { layout.columns[$0.column] }
    let key = KeyColumns(PostgresPlace(source: PostgresSource(""), entity: entity, alias: ""), self, from: 0)
    var updated = CommitLog.UpdatedRows(columns.map { $0.name.lowercased() })
    let start = key.columns.count
    while try source.step() {
      var number = key.key(source)
      for (index, column) in columns.enumerated() {
        updated.olds.append(value(source, start + index, forms[index], column.type))
        updated.news.append(value(source, start + changes.count + index, forms[index], column.type))
      }
      if let interner = interner(of: entity), keys.count == 1, number != keys[0] {
        // The row keeps its number under its new name.
        if let values = interner.key(number) { interner.rename(keys[0], to: values) }
        number = keys[0]
      }
      updated.keys.append(number)
    }
    if !updated.keys.isEmpty { transactions.log.add(.updated(entity, updated)) }
    return updated.keys.count
  }

  func value(_ source: PostgresRowSource, _ column: Int, _ form: ColumnForm, _ type: AttributeType) -> Value {
    var scratch = ColumnReader.Scratch()
    guard let bytes = source.bytes(column) else { return .null }
    return ValueCoding.decode(Value(keyColumn: ColumnReader.read(bytes, form, &scratch)), as: type)
  }

  /// Runs a statement that writes rows of an entity.
  func run(
    _ sql: PostgresSQL, _ entity: Entity, _ value: (String) -> Value?
  ) throws -> PostgresRowSource {
    do {
      return PostgresRowSource(result: try pool.run(sql))
    } catch {
      throw named(error, entity, value)
    }
  }

  /// A value for a column of a shape.
  private func element(_ value: Value, _ column: WriteShape.Column, _ entity: Entity) throws -> PostgresArgument {
    if let element = column.form.element(value) ?? column.form.keyElement(value) {
      // Thrown here, where the row is known.
      if case .text(let text) = element, text.utf8.contains(0) { throw StoreError(.nulInText, path: path) }
      return element
    }
    throw unfit(value, layout(of: entity).table, column.name, column.form)
  }

  private func unfit(_ value: Value, _ table: String, _ column: String, _ form: ColumnForm) -> StoreError {
    StoreError(
      .constraint("\(table).\(column) is \(form.typeName), and cannot hold \(value.displayText)"), path: path)
  }

  /// A value for a column of the layout.
  func argument(_ value: Value, _ column: Int, _ entity: Entity) throws -> PostgresSQL {
    let layout = layout(of: entity)
    let form = tables.form(layout.table, layout.columns[column].name)
    if let argument = argument(value, form) { return argument }
    throw unfit(value, layout.table, layout.columns[column].name, form)
  }
}
