public import Layouts
public import Modeling
public import Postgres
import Queries
public import Storage
public import StoreErrors

/// A store of objects in a PostgreSQL database, whatever made its tables.
///
/// Everything happens on the calling thread. Functions throw StoreError, and PredicateError for requests that do not fit the model.
///
/// A predicate is split: the database decides what it decides exactly as `Predicate.evaluate` does, or selects more than that,
/// and the rest is evaluated here while rows come (`Selection`).
public final class PostgresStore {
  /// The model given, the store's own, or what was read off the database's catalog.
  public let model: Model
  /// Whether writes are refused.
  public let isReadOnly: Bool
  /// What a person should know about how the database was read.
  public let notes: [String]
  /// What made the tables.
  public let kind: StoreKind
  /// How many rows the last fetch or count stepped over in scans; PostgreSQL does not say.
  public var lastScan = 0

  let pool: PostgresPool
  let layouts: [Entity: EntityLayout]
  let tables: PostgresTables
  let interners = KeyInterners()
  /// How deep transactions are nested, and what they have written.
  let transactions = PostgresTransactions()
  /// What waits to be written.
  let pending = PendingWrites()
  var keyBlocks = KeyBlocks()
  private var writeShapes: [ObjectIdentifier: WriteShapes] = [:]
  /// The derived attributes of a store of our own; nil where the tables' makers keep them.
  let derived: DerivedValues?
  /// What is told of commits, and to whom.
  let commits = CommitObservers()
  /// What is known of others' commits.
  let foreign = ForeignCommits()
  /// What the database records of its changes; nil where it records nothing.
  var recording: PostgresRecording?
  /// Whether the server only follows another one.
  let isReplica: Bool
  private let wasOpenedReadOnly: Bool
  /// Whether SQL by hand is refused.
  let isConfined: Bool
  /// Whether the tables were made when the database was opened, and what is saved until it is closed belongs to their making.
  let isBeingMade: Bool
  /// Whether it is one side of a migration, in whose transaction everything is done.
  let isMigrating: Bool
  /// What was migrated when the store was opened; nil for nothing.
  public let migration: MigrationReport?
  private(set) lazy var watch = PostgresWatch(self)
  /// How tables are spread over nodes, on a server that does that; nil as long as the server has not said.
  var knownSpread: [String: TableSpread]?

  /// Connects, and opens or makes the store.
  ///
  /// - Throws: StoreError.
  public init(_ options: PostgresOptions) throws {
    let pool = try PostgresPool(
      options.address, options.profile, isReadOnly: options.isReadOnly, isInterrupted: options.isInterrupted)
    do {
      let opened = try PostgresOpener(pool, options).open()
      (model, layouts, tables) = (opened.model, opened.layouts, opened.tables)
      (notes, kind) = (opened.notes, opened.kind)
      let derived = opened.kind == .perilune ? try DerivedValues(opened.model) : nil
      self.derived = derived?.isEmpty == false ? derived : nil
      (isReplica, migration) = (opened.isReplica, opened.migration)
      isReadOnly = options.isReadOnly || opened.isReadOnly
      (wasOpenedReadOnly, isConfined) = (options.isReadOnly, options.isConfined)
      (isBeingMade, isMigrating) = (options.isMaking && opened.isNew, false)
    } catch {
      pool.close()
      throw error
    }
    self.pool = pool
    pool.willRun = { [unowned self] in try flush() }
    do {
      if options.isRehearsal, !isReadOnly { try continueRehearsal() }
      try findRecording(options.history)
      foreign.begin(try snapshot(), isReplica: isReplica)
    } catch {
      pool.close()
      throw error
    }
  }

  /// One of the two stores of a migration, within its transaction.
  init(
    migrating pool: PostgresPool, _ model: Model, _ layouts: [Entity: EntityLayout], _ tables: PostgresTables,
    isReadOnly: Bool
  ) throws {
    (self.pool, self.model, self.layouts, self.tables) = (pool, model, layouts, tables)
    (self.isReadOnly, isReplica, migration, notes, kind) = (isReadOnly, false, nil, [], .perilune)
    (wasOpenedReadOnly, isConfined, isBeingMade, isMigrating) = (isReadOnly, false, false, true)
    let derived = isReadOnly ? nil : try DerivedValues(model)
    self.derived = derived?.isEmpty == false ? derived : nil
    // What it writes ends with the migration.
    transactions.isDryRun = true
    if !isReadOnly { pool.willRun = { [unowned self] in try flush() } }
  }

  /// Ends the connections; what is done with the store afterwards throws `.closed`.
  public func close() {
    watch.stop()
    pool.close()
  }

  /// Which server it is, and what it does of what PostgreSQL does.
  public var profile: ServerProfile { pool.profile }

  /// Where the database is, without a password.
  public var path: String { pool.address.shown }

  /// Asked while the store waits; true cancels what the server does.
  public var isInterrupted: () -> Bool {
    get { pool.isInterrupted }
    set { pool.isInterrupted = newValue }
  }

  /// Why nothing can be written.
  public var readOnlyError: StoreError {
    if wasOpenedReadOnly { return StoreError(.readOnly, path: path) }
    let reason = isReplica ? "the server only follows another one" : "the server accepts no writes of this session"
    return StoreError(.notWritable(reason), path: path)
  }

  /// Where the store keeps an entity of its model.
  ///
  /// - Precondition: the entity is one of `model`.
  public func layout(of entity: Entity) -> EntityLayout {
    guard let layout = layouts[entity] else { preconditionFailure("\(entity.name) belongs to another model") }
    return layout
  }

  /// The numbers of the keys of an entity's rows; nil where a row's key is an integer.
  func interner(of entity: Entity) -> KeyInterner? { interners.interner(of: entity, layout) }

  /// The shapes of writes of an entity's rows.
  func shapes(of entity: Entity) -> WriteShapes {
    if let known = writeShapes[ObjectIdentifier(entity)] { return known }
    let shapes = WriteShapes(entity, layout(of: entity), tables, writesDerived: derived != nil)
    writeShapes[ObjectIdentifier(entity)] = shapes
    return shapes
  }

  /// A table's name, as SQL finds it.
  func table(_ name: String) -> PostgresSQL { PostgresSQL(raw: tables[name].sqlName) }

  /// The type of a table's rows, with its schema: a name alone, as that of a table `point`, may be one of the server's own types.
  func rowType(of table: String) throws -> String {
    let result = try pool.run(
      """
      SELECT format('%I.%I', n.nspname, t.typname) FROM pg_class AS c JOIN pg_type AS t ON t.oid = c.reltype \
      JOIN pg_namespace AS n ON n.oid = t.typnamespace WHERE c.oid = \(.untyped(tables[table].sqlName))::regclass
      """)
    return result.rowCount > 0 ? result.text(0, 0) : tables[table].sqlName
  }
}

/// How a store in PostgreSQL is opened.
public struct PostgresOptions {
  /// Where the database is.
  public var address: PostgresAddress
  /// The model the store shall have; nil takes the store's own, or that of the tables.
  public var model: Model?
  /// Make the tables of the model if there are none.
  public var create = false
  /// Whether what is saved in tables that this opening makes is their making, which no later session undoes.
  public var isMaking = false
  /// Refuse every write.
  public var isReadOnly = false
  /// Refuse SQL by hand: it comes from a script that nobody trusts.
  public var isConfined = false
  /// Switches the history on or off, in the database and for all programs; nil leaves it unchanged.
  public var history: Bool?
  /// Makes the changes that a migration to `model` cannot infer; called after those that it can.
  public var migrate: ((Migration) throws -> Void)?
  /// The migration to `model` in stages, from version to version; `model` must be one of them.
  public var stages: [MigrationStage] = []
  /// Lets a migration lose what `model` has no place for; otherwise it is refused with what would be lost.
  public var permitsLosses = false
  /// Have everything that is written, also by a migration, taken back at the end.
  public var isRehearsal = false
  /// A server that does less than it says of itself; nil asks it.
  var profile: ServerProfile?
  /// Asked while opening waits; true gives up.
  public var isInterrupted: () -> Bool = { false }

  /// Opens the database at `address`.
  public init(_ address: PostgresAddress) { self.address = address }
}
