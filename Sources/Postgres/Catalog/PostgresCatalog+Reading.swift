extension PostgresCatalog {
  /// Adds the answer to a question. Later answers belong to the tables of earlier ones.
  mutating func read(_ query: CatalogQuery, _ answer: PostgresResult) {
    let rows = (0..<answer.rowCount).map { CatalogRow(result: answer, row: $0) }
    switch query {
    case .searchPath: searchPath = rows.first?.texts(0) ?? []
    case .schemas: schemas = rows.map { $0.text(0) }
    case .relations: tables = rows.map(PostgresTable.init)
    case .columns: readColumns(rows)
    case .keys:
      readOfTables(rows) { table, row in
        var key = PostgresKey(name: row.text(1), columns: table.names(row.numbers(3)))
        (key.isDeferrable, key.isInitiallyDeferred) = (row.bool(4), row.bool(5))
        key.takesNullsForEqual = row.bool(6)
        if row.text(2) == "p" { table.primaryKey = key } else { table.uniqueKeys.append(key) }
      }
    case .foreignKeys:
      readOfTables(rows) { table, row in table.foreignKeys.append(PostgresForeignKey(row, of: table)) }
    case .checks:
      readOfTables(rows) { table, row in
        table.checks.append(PostgresCheck(name: row.text(2), expression: row.text(3)))
      }
      // A domain's wait for it.
      for row in rows where row.oid(1) != 0 {
        domainChecks[row.oid(1), default: []].append(PostgresCheck(name: row.text(2), expression: row.text(3)))
      }
    case .indexes: readOfTables(rows) { table, row in table.indexes.append(PostgresIndex(row, of: table)) }
    case .enums:
      for row in rows {
        enums[row.oid(0)] = PostgresEnum(
          oid: row.oid(0), schema: row.text(1), name: row.text(2), labels: row.texts(3))
      }
    case .domains:
      for row in rows {
        domains[row.oid(0)] = PostgresDomain(
          oid: row.oid(0), schema: row.text(1), name: row.text(2), baseType: row.oid(3), typeModifier: row.modifier(4),
          isNullable: !row.bool(5), defaultExpression: row.optionalText(6), checks: domainChecks[row.oid(0)] ?? [])
      }
    case .ranges: for row in rows { ranges[row.oid(0)] = row.oid(1) }
    case .arrays: for row in rows { arrays[row.oid(0)] = row.oid(1) }
    }
  }

  /// Puts the schemas of the search path in front, and the tables in the order of the schemas; completes facts that need
  /// all answers.
  mutating func order() {
    let path = searchPath.filter(schemas.contains)
    schemas = path + schemas.filter { !path.contains($0) }
    let places = Dictionary(schemas.enumerated().map { ($1, $0) }) { first, _ in first }
    tables.sort { ((places[$0.schema] ?? .max), $0.name) < ((places[$1.schema] ?? .max), $1.name) }
    for place in tables.indices {
      for column in tables[place].columns.indices {
        let type = tables[place].columns[column].type
        if isNeverNull(type) { tables[place].columns[column].isNullable = false }
      }
    }
  }

  /// Whether a type is a domain that, or whose ground, is NOT NULL.
  private func isNeverNull(_ type: UInt32) -> Bool {
    var type = type
    for _ in 0..<64 {
      guard let domain = domains[type] else { return false }
      if !domain.isNullable { return true }
      type = domain.baseType
    }
    return false
  }

  private mutating func readColumns(_ rows: [CatalogRow]) {
    let places = self.places
    for row in rows {
      let column = PostgresColumn(row)
      if row.text(1) == "c" {
        let fresh = PostgresComposite(oid: row.oid(2), schema: row.text(3), name: row.text(4))
        composites[row.oid(2), default: fresh].attributes.append(column)
      } else if let place = places[row.oid(0)] {
        tables[place].columns.append(column)
      }
    }
  }

  /// Gives each row to the table whose number stands first in it.
  private mutating func readOfTables(_ rows: [CatalogRow], _ body: (inout PostgresTable, CatalogRow) -> Void) {
    let places = self.places
    for row in rows {
      if let place = places[row.oid(0)] { body(&tables[place], row) }
    }
  }

  private var places: [UInt32: Int] {
    Dictionary(tables.enumerated().map { ($1.oid, $0) }) { first, _ in first }
  }
}

/// A row of an answer, by columns.
struct CatalogRow {
  let result: PostgresResult
  let row: Int

  func oid(_ column: Int) -> UInt32 { UInt32(truncatingIfNeeded: result.int(row, column)) }
  func modifier(_ column: Int) -> Int32 { Int32(truncatingIfNeeded: result.int(row, column)) }
  func number(_ column: Int) -> Int { Int(truncatingIfNeeded: result.int(row, column)) }
  func text(_ column: Int) -> String { result.text(row, column) }
  func optionalText(_ column: Int) -> String? { result.field(row, column)?.text }
  func bool(_ column: Int) -> Bool { result.bool(row, column) }
  func texts(_ column: Int) -> [String] {
    result.field(row, column)?.array?.elements.map { $0?.text ?? "" } ?? []
  }
  func numbers(_ column: Int) -> [Int] {
    result.field(row, column)?.array?.elements.map { Int(truncatingIfNeeded: $0?.int ?? 0) } ?? []
  }
}

extension PostgresTable {
  fileprivate init(_ row: CatalogRow) {
    oid = row.oid(0)
    (schema, name) = (row.text(1), row.text(2))
    kind = ["p": .partitioned, "v": .view, "m": .materializedView, "f": .foreign][row.text(3)] ?? .table
    comment = row.optionalText(4)
    if let estimate = row.result.field(row.row, 5)?.double, estimate >= 0, estimate < 1e18 {
      estimatedRowCount = Int(estimate)
    }
    for (column, privilege) in [(6, PostgresPrivileges.select), (7, .insert), (8, .update), (9, .delete)]
    where row.bool(column) {
      privileges.insert(privilege)
    }
    possible = .select
    // The bits of the server's kinds of statements.
    for (bit, privilege) in [(4, PostgresPrivileges.update), (8, .insert), (16, .delete)]
    where row.number(10) & bit != 0 {
      possible.insert(privilege)
    }
    hasRowSecurity = row.bool(11)
    isOfExtension = row.bool(12)
    hasTriggers = row.bool(13)
    hasRules = row.bool(14)
  }

  /// The names of columns by their numbers.
  fileprivate func names(_ numbers: [Int]) -> [String] {
    numbers.map { number in columns.first { $0.number == number }?.name ?? "" }
  }
}

extension PostgresColumn {
  fileprivate init(_ row: CatalogRow) {
    name = row.text(5)
    number = row.number(6)
    type = row.oid(7)
    typeName = row.text(8)
    typeModifier = row.modifier(9)
    isNullable = !row.bool(10)
    identity = ["a": .always, "d": .byDefault][row.text(12)]
    // The expression of a generated column is kept where defaults are.
    if row.text(13).isEmpty {
      defaultExpression = row.optionalText(11)
    } else {
      generationExpression = row.optionalText(11)
    }
    collation = row.optionalText(14)
    comment = row.optionalText(15)
  }
}

extension PostgresForeignKey {
  fileprivate init(_ row: CatalogRow, of table: PostgresTable) {
    let actions: [String: Action] = ["r": .restrict, "c": .cascade, "n": .setNull, "d": .setDefault]
    name = row.text(1)
    columns = table.names(row.numbers(2))
    target = row.oid(3)
    (targetSchema, targetTable, targetColumns) = (row.text(4), row.text(5), row.texts(6))
    (onDelete, onUpdate) = (actions[row.text(7)] ?? .noAction, actions[row.text(8)] ?? .noAction)
    (isDeferrable, isInitiallyDeferred, isValidated) = (row.bool(9), row.bool(10), row.bool(11))
    matchesFull = row.bool(12)
  }
}

extension PostgresIndex {
  fileprivate init(_ row: CatalogRow, of table: PostgresTable) {
    (name, method) = (row.text(1), row.text(2))
    (isUnique, isPrimary, isValid) = (row.bool(3), row.bool(4), row.bool(5))
    predicate = row.optionalText(6)
    let (numbers, options, texts) = (row.numbers(7), row.numbers(8), row.texts(10))
    let count = min(max(0, row.number(9)), numbers.count, texts.count)
    for place in 0..<count {
      let column = numbers[place] == 0 ? nil : table.names([numbers[place]]).first
      let isDescending = options.indices.contains(place) && options[place] & 1 != 0
      parts.append(Part(column: column, text: texts[place], isDescending: isDescending))
    }
    included = table.names(Array(numbers.dropFirst(count)))
  }
}
