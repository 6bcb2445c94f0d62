internal import Foundation
import Layouts
import Modeling
import Postgres
import Stores

/// The model and layouts of a database whose tables others made, read off its catalog.
///
/// A table is an entity, a foreign key a to-one with an inverse, a table of two foreign keys and nothing else a many-to-many.
/// Views are entities that cannot be written. Tables that are not on the search path are called with their schema.
struct PostgresIntrospection {
  private let catalog: PostgresCatalog
  private let path: String
  private var names: [UInt32: String] = [:]
  private var shown: [PostgresTable] = []
  private var notes: [String] = []

  init(_ pool: PostgresPool) throws {
    catalog = try PostgresCatalog(pool.main)
    path = pool.address.shown
    var taken: Set<String> = []
    for table in catalog.tables where !table.isOfExtension && !BookTables.all.contains(table.name) {
      guard table.privileges.contains(.select) else {
        notes.append("The table \(table.name) is left out: \(table.schema) does not let you read it.")
        continue
      }
      let isFound = catalog.table(table.name)?.oid == table.oid
      let name = isFound ? table.name : "\(table.schema).\(table.name)"
      // Names of entities differ by more than their case.
      guard taken.insert(name.lowercased()).inserted else {
        notes.append("The table \(name) is left out: another one differs from it by its case alone.")
        continue
      }
      names[table.oid] = name
      shown.append(table)
    }
  }

  /// Whether there is no table to be read.
  var isEmpty: Bool { shown.isEmpty }

  /// The tables as entities, or as those of a model that was given.
  ///
  /// - Throws: StoreError; `.modelMismatch` with all of the model that the tables do not have.
  func opened(as model: Model?) throws -> OpenedDatabase {
    let found = try IntrospectedLayout(shown.map(foreignTable), notes: notes, attribute: attribute)
    var opened = OpenedDatabase(
      model: found.model, layouts: found.layouts, tables: PostgresTables(tables), notes: found.notes, kind: .postgres)
    if let model {
      opened.layouts = try OverlaidLayout(model, over: found, path: path).layouts
      opened.model = model
    }
    return opened
  }

  // MARK: Tables

  private func foreignTable(_ table: PostgresTable) -> ForeignTable {
    let key = key(of: table)
    let columns = table.columns.map { column in
      ForeignColumn(
        name: column.name, isNotNull: !column.isNullable,
        primaryKeyPlace: (key.firstIndex(of: column.name) ?? -1) + 1,
        isGenerated: column.generationExpression != nil || column.identity == .always)
    }
    let isWritable = table.privileges.isSuperset(of: [.insert, .update, .delete]) && table.possible.contains(.update)
    let kind: ForeignTable.Kind = table.kind == .table || table.kind == .partitioned ? .table : .view
    let lone = key.count == 1 ? table.column(key[0]) : nil
    let isInteger = lone.map {
      [PostgresType.int2, PostgresType.int4, PostgresType.int8].contains(catalog.baseType(of: $0.type))
    }
    var foreign = ForeignTable(
      name: names[table.oid] ?? table.name, kind: isWritable ? kind : .view, columns: columns,
      key: isInteger == true ? lone?.name : nil)
    foreign.foreignKeys = table.foreignKeys.compactMap { key in
      names[key.target].map {
        ForeignKey(from: key.columns, to: $0, key.targetColumns, deleteAction: Self.action(key.onDelete))
      }
    }
    foreign.indexes = table.indexes.compactMap { index in
      let columns = index.parts.compactMap(\.column)
      guard index.predicate == nil, index.isValid, columns.count == index.parts.count else { return nil }
      return ForeignIndex(name: index.name, columns: columns, isUnique: index.isUnique, isPrimaryKey: index.isPrimary)
    }
    return foreign
  }

  /// The columns by which rows are known: the primary key, else a unique one that holds no NULL.
  private func key(of table: PostgresTable) -> [String] {
    if let key = table.primaryKey { return key.columns }
    let unique =
      table.uniqueKeys.map(\.columns)
      + table.indexes.filter(\.isUnique).compactMap { index in
        index.predicate == nil && index.isValid ? index.parts.map { $0.column ?? "" } : nil
      }
    return unique.first { columns in columns.allSatisfy { table.column($0)?.isNullable == false } } ?? []
  }

  private static func action(_ action: PostgresForeignKey.Action) -> String {
    switch action {
    case .cascade: "CASCADE"
    case .setNull: "SET NULL"
    case .setDefault: "SET DEFAULT"
    case .noAction, .restrict: "NO ACTION"
    }
  }

  // MARK: Columns

  private func form(_ column: PostgresColumn) -> (form: ColumnForm, type: AttributeType) {
    let base = catalog.baseType(of: column.type)
    let name = Self.names[base] ?? ""
    let form = ColumnForm(
      typeName: column.typeName, name: name, isEnum: catalog.enums[base] != nil, isArray: catalog.arrays[base] != nil)
    return (form, form.attributeType(ofType: name))
  }

  private func attribute(_ foreign: ForeignTable, _ column: ForeignColumn) -> (
    attribute: Attribute, column: ColumnLayout
  ) {
    guard let table = shown.first(where: { names[$0.oid] == foreign.name }), let described = table.column(column.name)
    else { return (Attribute(column.name, .any), ColumnLayout(name: column.name, type: .any, isWritable: false)) }
    let (form, type) = form(described)
    var attribute = Attribute(column.name, type)
    var hasStoreDefault = described.isNumberedByServer
    if let expression = described.defaultExpression, described.generationExpression == nil {
      if let value = Self.literal(expression), let coerced = try? attribute.coerce(value) {
        attribute.defaultValue = coerced
      } else {
        hasStoreDefault = true
      }
    }
    attribute.isOptional = described.isNullable || hasStoreDefault || column.isGenerated
    if let length = described.maximumLength, type == .string { attribute.maximumLength = length }
    return (
      attribute,
      ColumnLayout(
        name: column.name, type: type, isWritable: form.isWritable && !column.isGenerated,
        hasStoreDefault: hasStoreDefault)
    )
  }

  /// The value of a default that is a constant, such as `5`, `'open'::text` or `true`.
  private static func literal(_ expression: String) -> Value? {
    if expression == "true" || expression == "false" { return .bool(expression == "true") }
    if let number = Int64(expression) { return .int(number) }
    guard expression.hasPrefix("'") else { return Double(expression).map(Value.double) }
    // 'it''s'::character varying
    let quoted = expression.dropFirst()
    guard let end = quoted.range(of: "'::", options: .backwards)?.lowerBound else { return nil }
    let text = quoted[..<end]
    let plain = text.replacing("''", with: "")
    return plain.contains("'") ? nil : .string(String(text).replacing("''", with: "'"))
  }

  private var tables: [String: PostgresTables.Table] {
    var found: [String: PostgresTables.Table] = [:]
    for table in shown {
      guard let name = names[table.oid] else { continue }
      let isFound = name == table.name
      var known = PostgresTables.Table(
        sqlName: isFound ? quoted(name) : "\(quoted(table.schema)).\(quoted(table.name))", forms: [:])
      (known.schema, known.name) = (table.schema, table.name)
      for column in table.columns { known.forms[column.name] = form(column).form }
      known.isView = table.kind == .view || table.kind == .foreign
      known.hasTriggers = true
      (known.hasUserTriggers, known.takesCopies) = (table.hasTriggers, !table.hasRowSecurity && !table.hasRules)
      for key in table.uniqueKeys + (table.primaryKey.map { [$0] } ?? []) { known.uniques[key.name] = key.columns }
      for index in table.indexes where index.isUnique { known.uniques[index.name] = index.parts.compactMap(\.column) }
      found[name] = known
    }
    return found
  }

  /// The names of the types that have a form of their own.
  private static let names: [UInt32: String] = [
    PostgresType.bool: "bool", PostgresType.bytea: "bytea", PostgresType.name: "name", PostgresType.int8: "int8",
    PostgresType.int2: "int2", PostgresType.int4: "int4", PostgresType.text: "text", PostgresType.json: "json",
    PostgresType.float4: "float4", PostgresType.float8: "float8", PostgresType.bpchar: "bpchar",
    PostgresType.varchar: "varchar", PostgresType.date: "date", PostgresType.timestamp: "timestamp",
    PostgresType.timestamptz: "timestamptz", PostgresType.numeric: "numeric", PostgresType.uuid: "uuid",
    PostgresType.jsonb: "jsonb",
  ]
}
