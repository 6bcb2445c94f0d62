public import Modeling
import Queries
import SQLite

/// Keys and their column values.
extension SQLiteStore {
  /// The values of a key's columns, by which users identify the object.
  public func keyValues(of entity: Entity, key: Int64) -> [Value] {
    guard let interner = interner(of: entity) else { return [.int(key)] }
    return interner.key(key) ?? layout(of: entity).key.columns.map { _ in .null }
  }

  /// The values of columns that refer to an object.
  func values(of target: ReferenceTarget, _ entity: Entity, _ key: Int64) throws -> [Value] {
    let values = keyValues(of: entity, key: key)
    guard case .columns(let names) = target else { return values }
    let layout = layout(of: entity)
    let list = names.map(quotedName).joined(separator: ", ")
    let text = "SELECT \(list) FROM \(quotedName(layout.table)) WHERE \(layout.key.condition)"
    return try connection.all(text, values).first ?? names.map { _ in .null }
  }

  /// The key with these column values, whether or not a row has it; nil for too few values, or values of a wrong type.
  public func key(of entity: Entity, fromKeyValues values: [Value]) throws -> Int64? {
    let columns = layout(of: entity).key.columns
    guard values.count == columns.count else { return nil }
    if let interner = interner(of: entity) { return interner.number(of: values.map(ValueCoding.stored)) }
    switch values[0] {
    case .int(let key): return key
    case .double(let number): return Int64(exactly: number)
    default: return nil
    }
  }

  /// The key of the object whose `properties` have `values`; nil if there is none.
  public func key(of entity: Entity, where properties: [Int], equal values: [Value]) throws -> Int64? {
    if let key = try keyByColumns(entity, properties, values) { return key.first }
    var request = FetchRequest(entity)
    request.predicate = .and(
      zip(properties, values).map { property, value in
        .comparison(Comparison(.path(PropertyPath([entity.properties[property].name])), .equal, .constant(value)))
      })
    request.fetchLimit = 1
    return try keys(request).first
  }

  /// Finds keys by plain columns, with a cached statement; nil if the properties need a whole request.
  private func keyByColumns(_ entity: Entity, _ properties: [Int], _ values: [Value]) throws -> [Int64]? {
    let layout = layout(of: entity)
    guard interner(of: entity) == nil else { return nil }
    var columns: [String] = []
    for (property, value) in zip(properties, values) {
      guard case .column(let index) = layout.properties[property], case let column = layout.columns[index],
        column.isExact, !column.encoding.isSealed, column.type != .decimal, SQLKind(value) == SQLKind(column.type)
      else { return nil }
      columns.append(column.name)
    }
    let text = texts.text(entity, .find(columns)) {
      let compiler = SQLCompiler(schema)
      let place = compiler.place(entity)
      var statement = SelectStatement()
      statement.columns = layout.key.columns.map(place.column)
      statement.conditions = columns.map { SQLCondition("\(place.column($0)) = \(value: .null)") }
      if let family = compiler.familyCondition(entity, alias: place.alias, includesSubentities: true) {
        statement.conditions.append(SQLCondition(family.inlined))
      }
      statement.from = place.source.sql
      return "\(statement.sql) LIMIT 1"
    }
    let stored = zip(properties, values).map { property, value -> Value in
      guard case .column(let index) = layout.properties[property] else { return value }
      return layout.columns[index].stored(value)
    }
    return try connection.with(text, stored) { statement throws(StoreError) in
      try statement.step() ? [statement.integer(0)] : []
    }
  }
}
