import Layouts
public import Modeling
import Postgres
import Storage
import StoreErrors

extension PostgresStore {
  /// Inserts a row with a value for each column of the layout, and answers its key.
  @discardableResult
  public func insert(_ entity: Entity, _ values: [Value], key: Int64?) throws -> Int64 {
    try write(entity) {
      let layout = layout(of: entity)
      var values = values
      try derived?.add(to: &values, of: entity, self)
      var names: [String] = []
      var list: [PostgresSQL] = []
      var knownKey: Int64?
      if let name = layout.key.integerName, interner(of: entity) == nil {
        if key == nil, kind == .perilune {
          knownKey = try newKey(layout.table, name)
        } else if let column = layout.columns.firstIndex(where: { $0.name == name }),
          case .int(let own) = values[column]
        {
          knownKey = own
        }
      }
      if let key = key ?? (kind == .perilune ? knownKey : nil), let name = layout.key.integerName,
        interner(of: entity) == nil
      {
        names.append(name)
        list.append(PostgresSQL(.int(key)))
      }
      for (index, column) in layout.columns.enumerated()
      where (column.isWritable || derived != nil) && !names.contains(column.name) {
        if column.hasStoreDefault, values[index].isNull { continue }
        names.append(column.name)
        list.append(try argument(values[index], index, entity))
      }
      if let (name, value) = layout.discriminator, case .string(let text) = value {
        names.append(name)
        list.append(PostgresSQL(.text(text)))
      }
      let columns = names.isEmpty ? "DEFAULT VALUES" : "(\(names.map(quoted).joined(separator: ", "))) VALUES"
      let place = PostgresPlace(source: PostgresSource(""), entity: entity, alias: quoted("row"))
      let keys = KeyColumns(place, self, from: 0)
      var sql: PostgresSQL = "INSERT INTO \(table(layout.table)) AS \(raw: place.alias) \(raw: columns)"
      if !names.isEmpty { sql += " (\(list.joined(", ")))" }
      sql += " RETURNING \(keys.columns.joined(", "))"
      let written = values
      let value = { (name: String) -> Value? in
        names.firstIndex(of: name).flatMap { _ in layout.columns.firstIndex { $0.name == name } }.map { written[$0] }
      }
      if let knownKey {
        try enqueue(
          PendingWrites.Write(sql: sql, entity: entity, value: value) { [unowned self] _ in
            transactions.log.add(.inserted(entity, knownKey))
          })
        return knownKey
      }
      let source = try run(sql, entity, value)
      guard try source.step() else { throw StoreError(.constraint("the row was not inserted"), path: path) }
      let inserted = keys.key(source)
      if key != nil, kind == .perilune { try reserve(inserted, layout) }
      transactions.log.add(.inserted(entity, inserted))
      return inserted
    }
  }

  /// Keeps a key that was given from being given again.
  private func reserve(_ key: Int64, _ layout: EntityLayout) throws {
    let sequence: PostgresSQL =
      "pg_get_serial_sequence(\(.text(tables[layout.table].sqlName)), \(.text(layout.key.columns[0])))"
    _ = try pool.run("SELECT setval(\(sequence), greatest(\(.int(key)), nextval(\(sequence))))")
  }

  /// Sets some columns of a row; returns false if the row does not exist.
  public func update(_ entity: Entity, key: Int64, _ changes: [(column: Int, value: Value)]) throws -> Bool {
    if changes.isEmpty { return true }
    return try write(entity) {
      // In a transaction with one write alone nothing is gained by waiting.
      try updateRows(entity, [key], changes, isAssumed: transactions.log.count + pending.writes.count > 0) > 0
    }
  }

  /// Sets some columns of the rows with some keys, and answers how many there were.
  ///
  /// Where a lone row `isAssumed` to be there, because the transaction has read it, the statement waits for others.
  func updateRows(
    _ entity: Entity, _ keys: [Int64], _ changes: [(column: Int, value: Value)], isAssumed: Bool = false
  ) throws -> Int {
    let layout = layout(of: entity)
    let row = PostgresPlace(source: PostgresSource(""), entity: entity, alias: quoted("row"))
    guard let condition = keyCondition(row, keys) else { return 0 }
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
    let sql: PostgresSQL = """
      WITH old AS (SELECT \((oldKeys + olds).joined(", ")) FROM \(target) AS \(raw: row.alias) WHERE \(condition) FOR UPDATE) \
      UPDATE \(target) AS \(raw: row.alias) SET \(settings.joined(", ")) FROM old WHERE \(link.joined(" AND ")) \
      RETURNING \((keyColumns.columns + changes.indices.map { PostgresSQL(raw: "old.o\($0)") } + news).joined(", "))
      """
    let written = { (name: String) -> Value? in changes.first { layout.columns[$0.column].name == name }?.value }
    func note(_ source: PostgresRowSource) throws -> Int {
      try noteUpdates(source, keyColumns, keys, changes, forms, entity)
    }
    guard keys.count == 1, interner(of: entity) == nil, isAssumed else {
      return try note(try run(sql, entity, written))
    }
    try enqueue(
      PendingWrites.Write(sql: sql, entity: entity, value: written) { [unowned self] source in
        if try note(source) > 0 { return }
        throw StoreError(.missingRow(entity: entity.name, key: "\(keys[0])"), path: path)
      })
    return 1
  }

  /// Takes note of the rows that an UPDATE answers, and answers how many there are.
  private func noteUpdates(
    _ source: PostgresRowSource, _ keyColumns: KeyColumns, _ keys: [Int64], _ changes: [(column: Int, value: Value)],
    _ forms: [ColumnForm], _ entity: Entity
  ) throws -> Int {
    let layout = layout(of: entity)
    var count = 0
    let start = keyColumns.columns.count
    while try source.step() {
      count += 1
      var key = keyColumns.key(source)
      var columns: [String: (old: Value, new: Value)] = [:]
      for (index, change) in changes.enumerated() {
        let column = layout.columns[change.column]
        let old = value(source, start + index, forms[index], column.type)
        let new = value(source, start + changes.count + index, forms[index], column.type)
        columns[column.name.lowercased()] = (old, new)
      }
      if let interner = interner(of: entity), keys.count == 1, key != keys[0] {
        // The row keeps its number under its new name.
        if let values = interner.key(key) { interner.rename(keys[0], to: values) }
        key = keys[0]
      }
      transactions.log.add(.updated(entity, key, columns))
    }
    return count
  }

  private func value(_ source: PostgresRowSource, _ column: Int, _ form: ColumnForm, _ type: AttributeType) -> Value {
    var scratch = ColumnReader.Scratch()
    guard let bytes = source.bytes(column) else { return .null }
    return ValueCoding.decode(Value(keyColumn: ColumnReader.read(bytes, form, &scratch)), as: type)
  }

  /// Deletes a row; returns false if it does not exist.
  public func delete(_ entity: Entity, key: Int64) throws -> Bool {
    try write(entity) { try deleteRows(entity, [key]) > 0 }
  }

  /// Deletes the rows with some keys, and answers how many there were.
  func deleteRows(_ entity: Entity, _ keys: [Int64]) throws -> Int {
    if kind == .perilune { try release(entity, keys) }
    let layout = layout(of: entity)
    let row = PostgresPlace(source: PostgresSource(""), entity: entity, alias: quoted("row"))
    guard let condition = keyCondition(row, keys) else { return 0 }
    let keyColumns = KeyColumns(row, self, from: 0)
    let references = layout.properties.flatMap { property -> [Int] in
      if case .reference(let columns, _) = property { columns } else { [] }
    }
    let forms = references.map { tables.form(layout.table, layout.columns[$0].name) }
    let columns = zip(references, forms).map { column, form in
      PostgresSQL(raw: form.selected("\(row.alias).\(quoted(layout.columns[column].name))"))
    }
    let source = try run(
      """
      DELETE FROM \(table(layout.table)) AS \(raw: row.alias) WHERE \(condition) \
      RETURNING \((keyColumns.columns + columns).joined(", "))
      """, entity
    ) { _ in nil }
    var count = 0
    let start = keyColumns.columns.count
    while try source.step() {
      count += 1
      var held: [String: Value] = [:]
      for (index, column) in references.enumerated() {
        held[layout.columns[column].name.lowercased()] = value(
          source, start + index, forms[index], layout.columns[column].type)
      }
      transactions.log.add(.deleted(entity, keyColumns.key(source), references: held))
    }
    return count
  }

  /// Takes rows out of what leads to them, and their own pairs away, as the foreign keys of our tables would, so that it is known.
  private func release(_ entity: Entity, _ keys: [Int64]) throws {
    for source in model.entities {
      for index in (source.parent?.properties.count ?? 0)..<source.properties.count
      where source.properties[index].relationship != nil && entity.isKind(of: source.destination(at: index)) {
        let layout = layout(of: source)
        switch layout.properties[index] {
        case .reference(let columns, _) where isEmptied(source, index):
          var holders: [Int64] = []
          try visitReferrers(
            of: LooseReference(entity: source, property: index, effect: .emptied), to: entity, keys: keys
          ) {
            holder, _ in holders.append(holder)
          }
          _ = try updateRows(source, holders, columns.map { ($0, .null) })
        case .join(let join): try deletePairs(join, join.memberColumns[0], keys)
        case .reference, .column, .inverse, .none: break
        }
      }
    }
    for case .join(let join) in layout(of: entity).properties { try deletePairs(join, join.ownerColumns[0], keys) }
  }

  /// Whether the foreign key of a to-one empties it when what it leads to goes.
  private func isEmptied(_ entity: Entity, _ index: Int) -> Bool {
    guard let back = entity.inverse(at: index) else { return true }
    return entity.destination(at: index).properties[back].relationship?.deleteRule == .nullify
  }

  func deletePairs(_ join: JoinLayout, _ column: String, _ keys: [Int64]) throws {
    let ends = join.ownerColumns + join.memberColumns
    let result = try pool.run(
      """
      DELETE FROM \(table(join.table)) WHERE \(name: column) = ANY(\(.ints(keys))) \
      RETURNING \(ends.map { PostgresSQL(raw: "\(quoted($0))::bigint") }.joined(", "))
      """)
    for row in 0..<result.rowCount {
      var pair: [String: Value] = [:]
      for (index, name) in ends.enumerated() { pair[name] = .int(result.int(row, index)) }
      transactions.log.add(.pair(table: join.table, isNew: false, pair))
    }
  }

  /// Runs a statement that writes rows of an entity.
  private func run(
    _ sql: PostgresSQL, _ entity: Entity, _ value: (String) -> Value?
  ) throws -> PostgresRowSource {
    do {
      return PostgresRowSource(result: try pool.run(sql))
    } catch {
      throw named(error, entity, value)
    }
  }

  /// A value for a column of the layout.
  func argument(_ value: Value, _ column: Int, _ entity: Entity) throws -> PostgresSQL {
    let layout = layout(of: entity)
    let form = tables.form(layout.table, layout.columns[column].name)
    if let argument = argument(value, form) { return argument }
    let name = layout.columns[column].name
    throw StoreError(
      .constraint("\(layout.table).\(name) is \(form.typeName), and cannot hold \(value.displayText)"), path: path)
  }
}
