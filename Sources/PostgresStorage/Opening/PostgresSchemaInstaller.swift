internal import Foundation
import Layouts
import Modeling
import Postgres
import StoreErrors

/// Makes the tables of a model: those of `ModelLayout`, with PostgreSQL's own types.
///
/// Texts have the collation "C", so that an index serves our order. References are checked at the end of a transaction.
struct PostgresSchemaInstaller {
  private let pool: PostgresPool
  private let layout: ModelLayout
  /// The distribution of tables over nodes, on a server that distributes them.
  private let distribution: TableDistribution?

  /// - Throws: DerivationError for a derivation that no store computes.
  init(_ pool: PostgresPool, _ model: Model) throws {
    self.pool = pool
    layout = try ModelLayout(model)
    distribution = pool.profile.distributesTables ? try TableDistribution(layout, path: pool.address.shown) : nil
  }

  /// Makes everything in one transaction, or nothing; one statement at a time if the server wants each alone.
  func install() throws {
    guard pool.profile.has(.transactionalDefinitions) else {
      for statement in statements { _ = try pool.run(statement) }
      return
    }
    try pool.begin()
    do {
      for statement in statements { _ = try pool.run(statement) }
      _ = try pool.run("COMMIT")
    } catch {
      _ = try? pool.run("ROLLBACK")
      throw error
    }
  }

  private var statements: [PostgresSQL] {
    let tables = Self.tables(of: layout)
    var made: [PostgresSQL] = []
    var references: [PostgresSQL] = []
    for table in layout.schema.tables {
      var lines: [String] = []
      for column in table.columns {
        let form = tables.form(table.name, column.name)
        let (type, rest) = Self.declaration(column, form, of: table.name, pool.profile, distribution)
        lines.append("\(quoted(column.name)) \(type)")
        // Tables may refer to one another in circles, so references are added when all tables exist.
        if !rest.isEmpty {
          references.append(
            PostgresSQL(raw: "ALTER TABLE \(quoted(table.name)) ADD FOREIGN KEY (\(quoted(column.name))) \(rest)"))
        } else if let reference = distribution?.reference(table.name, column) {
          references.append(PostgresSQL(raw: reference))
        }
      }
      if let key = distribution?.key(table.name) { lines.append("PRIMARY KEY (\(key))") }
      if !table.pairKey.isEmpty { lines.append("PRIMARY KEY (\(table.pairKey.map(quoted).joined(separator: ", ")))") }
      made.append(PostgresSQL(raw: "CREATE TABLE \(quoted(table.name)) (\(lines.joined(separator: ", ")))"))
    }
    let indexes = layout.schema.tables.flatMap(\.indexes).compactMap { index -> PostgresSQL? in
      // Elements of composite attributes are indexed by expressions that only SQLite knows.
      guard index.expressions.isEmpty else { return nil }
      let statement = index.createStatement
      // On a server that builds indexes in the background, the word stands behind INDEX.
      return PostgresSQL(
        raw: pool.profile.has(.synchronousIndexes)
          ? statement : statement.replacingOccurrences(of: "INDEX ", with: "INDEX ASYNC ", range: statement.firstWords))
    }
    let spread = distribution?.statements.map { PostgresSQL(raw: $0) } ?? []
    let metadata = PostgresMetadata.statements(layout.model)
    let known = distribution.map { _ in [PostgresSQL(raw: TableDistribution.reference(BookTables.metadata))] } ?? []
    return made + spread + references + indexes + metadata + known
  }

  /// The type of a column, and the reference that it is.
  static func declaration(
    _ column: ColumnSchema, _ form: ColumnForm, of table: String, _ profile: ServerProfile,
    _ distribution: TableDistribution? = nil
  ) -> (type: String, reference: String) {
    var type = form.typeName
    // A server without other collations compares bytes by itself.
    if form.kind == .text, profile.has(.collations) { type += " COLLATE \"C\"" }
    // Derived attributes are computed here, not by the server.
    if column.isComputed { return (type, "") }
    var reference = ""
    if profile.has(.foreignKeys), let start = column.declaration.range(of: "REFERENCES") {
      reference = String(column.declaration[start.lowerBound...])
      if !profile.has(.deferrableForeignKeys) {
        reference = reference.replacingOccurrences(of: " DEFERRABLE INITIALLY DEFERRED", with: "")
      }
    }
    if column.name == ModelLayout.key {
      let isOwnKey = distribution?.key(table) == nil
      return (numbered(profile) + (isOwnKey ? " PRIMARY KEY" : ""), "")
    }
    if column.declaration.contains("NOT NULL") || distribution?.column(of: table) == column.name { type += " NOT NULL" }
    return (type, reference)
  }

  /// The type of a column that numbers rows.
  private static func numbered(_ profile: ServerProfile) -> String {
    if !profile.has(.sequences) { return "bigint" }
    // Citus does not colocate the rows of a table with an identity column.
    return profile.distributesTables ? "bigserial" : "bigint GENERATED BY DEFAULT AS IDENTITY"
  }

  /// The tables of a model, as the store knows them.
  static func tables(of layout: ModelLayout) -> PostgresTables {
    var tables: [String: PostgresTables.Table] = [:]
    for entity in layout.model.entities {
      guard let own = layout.layouts[entity] else { continue }
      var table = tables[own.table] ?? PostgresTables.Table(sqlName: quoted(own.table), forms: [:])
      table.forms[ModelLayout.key] = ColumnForm(own: .integer64)
      table.forms[ModelLayout.discriminator] = ColumnForm(own: .string)
      for column in own.columns { table.forms[column.name] = ColumnForm(own: column.type) }
      for property in own.properties {
        switch property {
        case .join(let join):
          var pairs = tables[join.table] ?? PostgresTables.Table(sqlName: quoted(join.table), forms: [:])
          for name in join.ownerColumns + join.memberColumns + [join.order].compactMap({ $0 }) {
            pairs.forms[name] = ColumnForm(own: .integer64)
          }
          tables[join.table] = pairs
        case .column, .reference, .inverse, .none: break
        }
      }
      tables[own.table] = table
    }
    for (declaration, order) in layout.orders {
      guard let back = declaration.inverse, let own = layout.layouts[back.entity] else { continue }
      tables[own.table]?.forms[order] = ColumnForm(own: .integer64)
    }
    for table in layout.schema.tables {
      for index in table.indexes where index.isUnique { tables[table.name]?.uniques[kept(index.name)] = index.columns }
    }
    return PostgresTables(tables)
  }
}

extension String {
  /// The beginning of a statement, which says what it makes.
  fileprivate var firstWords: Range<String.Index> {
    startIndex..<(index(startIndex, offsetBy: 24, limitedBy: endIndex) ?? endIndex)
  }
}
