import Layouts
import Modeling
import Postgres
import StoreErrors
import Stores

/// What opening finds out about a database.
struct OpenedDatabase {
  var model: Model
  var layouts: [Entity: EntityLayout]
  var tables: PostgresTables
  var notes: [String] = []
  var kind: StoreKind
  var isReadOnly = false
  /// Whether the tables were just made.
  var isNew = false
  /// Whether the server only follows another one.
  var isReplica = false
  /// What was migrated.
  var migration: MigrationReport?
}

/// Opens a database: as a store of our own if it has our table of metadata, otherwise as tables that others made.
struct PostgresOpener {
  let pool: PostgresPool
  let options: PostgresOptions

  init(_ pool: PostgresPool, _ options: PostgresOptions) {
    (self.pool, self.options) = (pool, options)
  }

  func open() throws -> OpenedDatabase {
    var opened = try find()
    // A standby server refuses to write.
    let state = try pool.run("SELECT pg_is_in_recovery(), current_setting('default_transaction_read_only') = 'on'")
    opened.isReplica = state.bool(0, 0)
    if opened.isReplica || state.bool(0, 1) { opened.isReadOnly = true }
    let names = Set(opened.layouts.values.map(\.table)).map { (name: $0, sqlName: opened.tables[$0].sqlName) }
    if try !TableSpread.find(names, pool).isEmpty { opened.notes.append(Self.noMoment) }
    return opened
  }

  /// What a store cannot promise whose rows are spread over nodes.
  private static let noMoment = """
    The nodes have no moment in common: while others write, a request may have the rows of a save from one node and not yet \
    from another.
    """

  private func find() throws -> OpenedDatabase {
    if let metadata = try PostgresMetadata(pool) { return try openOwn(metadata) }
    guard let model = options.model else {
      let found = try PostgresIntrospection(pool)
      let opened = try found.opened(as: nil)
      return options.hidden.isEmpty ? opened : try found.opened(as: opened.model.hiding(options.hidden))
    }
    let others = try PostgresIntrospection(pool)
    if !others.isEmpty { return try others.opened(as: model) }
    guard options.create else { throw StoreError(.notFound, path: pool.address.shown) }
    try PostgresSchemaInstaller(pool, model).install()
    var made = try own(model)
    made.isNew = true
    return made
  }

  func openOwn(_ metadata: PostgresMetadata) throws -> OpenedDatabase {
    let stored = try metadata.decoded(path: pool.address.shown).hiding(options.hidden)
    guard let wanted = options.model, wanted.encoded() != metadata.model else { return try own(stored) }
    return try migrate(stored, to: wanted)
  }

  func own(_ model: Model) throws -> OpenedDatabase {
    let layout = try ModelLayout(model)
    return OpenedDatabase(
      model: model, layouts: layout.layouts, tables: PostgresSchemaInstaller.tables(of: layout), kind: .perilune)
  }
}
