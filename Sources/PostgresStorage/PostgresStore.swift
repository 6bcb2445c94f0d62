public import Layouts
public import Modeling
public import Postgres
public import Queries
public import StoreErrors
public import Stores

/// A store of objects in a PostgreSQL database, whose tables we or another program made.
///
/// Everything happens on the calling thread. Functions throw StoreError, and PredicateError for requests that do not fit the model.
///
/// A predicate is split (`SplitRequest`). The database decides the parts that it decides exactly as `Predicate.evaluate` does,
/// or selects more rows. The rest is evaluated here while rows come.
public final class PostgresStore {
  /// The given model, the store's own, or the one derived from the database's catalog.
  public let model: Model
  /// Whether writes are refused.
  public let isReadOnly: Bool
  /// Notes for the user on how the database was read.
  public let notes: [String]
  /// What made the tables.
  public let kind: StoreKind
  /// What follows from that and from the server.
  let format: PostgresFormat
  /// The number of rows that the last fetch or count scanned; PostgreSQL does not report it.
  public var lastScan = 0

  let pool: PostgresPool
  let layouts: [Entity: EntityLayout]
  let tables: PostgresTables
  let interners = KeyInterners()
  /// The state of the nested transactions, and what they have written.
  let transactions = PostgresTransactions()
  /// The writes that wait to be sent.
  let pending = PendingWrites()
  var keyBlocks = KeyBlocks()
  /// Where rows are that are spread over nodes.
  let spreadPlaces = SpreadPlaces()
  private var writeShapes: [ObjectIdentifier: WriteShapes] = [:]
  /// The derived attributes of a store of our own; nil where the tables' makers keep them.
  let derived: DerivedValues?
  /// The commits to report, and their observers.
  let commits = CommitObservers()
  /// The remote commits that are known.
  let foreign = RemoteCommits()
  /// What the nodes record of writes to the tables of a store of ours on Citus; nil for others.
  private(set) lazy var nodeRecord: NodeRecord? =
    format.distributes && !isMigrating ? try? NodeRecord(pool, recordedTables, Set((spread ?? [:]).keys)) : nil
  /// What the database records of its changes; nil where it records nothing.
  var recording: PostgresRecording?
  /// Whether the server only follows another one.
  let isReplica: Bool
  private let wasOpenedReadOnly: Bool
  /// Whether handwritten SQL is refused.
  let isConfined: Bool
  /// Whether this opening made the tables, so that saves until the store is closed belong to their making.
  let isBeingMade: Bool
  /// Whether it is one side of a migration and works in the migration's transaction.
  let isMigrating: Bool
  /// What was migrated when the store was opened; nil for nothing.
  public let migration: MigrationReport?
  private(set) lazy var watch = PostgresWatch(self)
  /// The distribution of tables over nodes, on a server that distributes them; nil until the server is asked.
  var knownSpread: [String: TableSpread]?

  /// Whether properties are hidden, so that the history, which may hold their values, is not read.
  private(set) var hidesProperties = false
  private var knownEncoding: String?

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
      format = PostgresFormat(kind, pool.profile)
      let derived = format.declaresSchema ? try DerivedValues(opened.model) : nil
      self.derived = derived?.isEmpty == false ? derived : nil
      (isReplica, migration) = (opened.isReplica, opened.migration)
      hidesProperties = !options.hidden.isEmpty
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
    format = PostgresFormat(kind, pool.profile)
    let derived = isReadOnly ? nil : try DerivedValues(model)
    self.derived = derived?.isEmpty == false ? derived : nil
    // What it writes ends with the migration.
    transactions.isDryRun = true
    if !isReadOnly { pool.willRun = { [unowned self] in try flush() } }
  }

  /// Ends the connections; later uses of the store throw `.closed`.
  public func close() {
    watch.stop()
    pool.close()
  }

  /// The server, and the capabilities of PostgreSQL that it has.
  public var profile: ServerProfile { pool.profile }

  /// The address of the database, without a password.
  public var path: String { pool.address.shown }

  /// Asked while the store waits; true cancels what the server does.
  public var isInterrupted: () -> Bool {
    get { pool.isInterrupted }
    set { pool.isInterrupted = newValue }
  }

  /// The error for a write to a read-only store.
  public var readOnlyError: StoreError {
    if wasOpenedReadOnly { return StoreError(.readOnly, path: path) }
    let reason = isReplica ? "the server only follows another one" : "the server accepts no writes of this session"
    return StoreError(.notWritable(reason), path: path)
  }

  /// Whether the database keeps texts in UTF-8, so that a character is one of ours and its bytes are those that we see.
  var keepsUnicode: Bool {
    if let knownEncoding { return knownEncoding == "UTF8" }
    guard let result = try? pool.run("SHOW server_encoding"), result.rowCount > 0 else { return false }
    knownEncoding = result.text(0, 0)
    return knownEncoding == "UTF8"
  }

  /// The layout of an entity of the store's model.
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

/// The options for opening a store in PostgreSQL.
public struct PostgresOptions {
  /// Where the database is.
  public var address: PostgresAddress
  /// The model that the store shall have; nil for the store's own, or that of the tables.
  public var model: Model?
  /// Make the tables of the model if there are none.
  public var create = false
  /// Whether saves into tables that this opening makes belong to their making, so that no later session undoes them.
  public var isMaking = false
  /// Refuse every write.
  public var isReadOnly = false
  /// Attributes that are no part of the model; for a database that is only read.
  public var hidden: [HiddenProperty] = []
  /// Refuse handwritten SQL: it comes from an untrusted script.
  public var isConfined = false
  /// Switches the history on or off, in the database and for all programs; nil leaves it unchanged.
  public var history: Bool?
  /// Makes the changes that a migration to `model` cannot infer; called after those that it can.
  public var migrate: ((Migration) throws -> Void)?
  /// The migration to `model` in stages, from version to version; `model` must be one of them.
  public var stages: [MigrationStage] = []
  /// Lets a migration lose what `model` has no place for; otherwise it is refused with what would be lost.
  public var permitsLosses = false
  /// Roll all writes back at the end, also those of a migration.
  public var isRehearsal = false
  /// A server that does less than it says of itself; nil asks it.
  var profile: ServerProfile?
  /// Asked while opening waits; true gives up.
  public var isInterrupted: () -> Bool = { false }

  /// Opens the database at `address`.
  public init(_ address: PostgresAddress) { self.address = address }
}
