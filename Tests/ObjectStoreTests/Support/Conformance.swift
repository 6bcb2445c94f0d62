import Modeling
import Postgres
import PostgresStorage
import PostgresTestSupport
import SQLiteStorage
import Stores
import Synchronization
import TestSupport

/// A kind of store that must keep the rules of all.
///
/// To add one, add a case and how it is opened: the suites of this target run against each.
enum Conformance: String, CaseIterable {
  case memory
  case sqlite
  case postgres
  // PostgreSQL behind a proxy that refuses what these lack.
  case citus
  case yugabyte
  case cockroach
  case dsql
  case pooler

  /// The servers that are imitated.
  static let imitated: [Conformance] =
    PostgresServer.isInstalled ? [.citus, .yugabyte, .cockroach, .dsql, .pooler] : []

  /// The kinds that every rule is tried with on this system. PERILUNE_LONG_TESTS=1 has it tried with imitated servers, too;
  /// without it, ProfileTests tries them with what all rules are about.
  static var allCases: [Conformance] {
    guard PostgresServer.isInstalled else { return [.memory, .sqlite] }
    return [.memory, .sqlite, .postgres] + (Effort.isLong ? imitated : [])
  }

  /// Whether others can write to what the tests open.
  var hasOthers: Bool { profile != nil }

  /// What the server does, for stores on one.
  var profile: ServerProfile? {
    switch self {
    case .memory, .sqlite: nil
    case .postgres: ServerProfile(engine: .postgres)
    case .citus: ServerProfile(engine: .citus)
    case .yugabyte: ServerProfile(engine: .yugabyte)
    case .cockroach: ServerProfile(engine: .cockroach)
    case .dsql: ServerProfile(engine: .dsql)
    case .pooler: ServerProfile(engine: .postgres, isPooled: true)
    }
  }

  /// Whether the store can keep a history.
  var keepsHistory: Bool { self != .memory && profile?.has(.sequences) != false }

  /// Whether the store records all writes, also remote ones, and undoes saves.
  var recordsWrites: Bool {
    self != .memory
      && [.statementTriggers, .transitionTables, .transactionNumbers].allSatisfy { profile?.has($0) != false }
  }

  /// The same store once more, as another program opens it.
  func openAnother(_ store: any ObjectStore) throws -> any ObjectStore {
    guard let store = store as? PostgresStore else { throw StoreError(.notFound) }
    return try PostgresStore(PostgresOptions(try PostgresAddress(store.path)))
  }

  /// A new store with a model.
  func open(_ model: Model) throws -> any ObjectStore {
    switch self {
    case .memory: return MemoryStore(model)
    case .sqlite:
      var options = StoreOptions(path: ":memory:")
      options.model = model
      return try SQLiteStore(options)
    case .postgres, .citus, .yugabyte, .cockroach, .dsql, .pooler: return try PostgresStore(try newDatabase(model))
    }
  }

  /// The proxies in front of the shared server.
  private static let proxies = Mutex<[Conformance: StrictProxy]>([:])

  /// The proxy that imitates the server; nil for PostgreSQL itself.
  func proxy() throws -> StrictProxy? {
    guard self != .postgres, let profile else { return nil }
    return try Self.proxies.withLock { proxies in
      if let known = proxies[self] { return known }
      let proxy = try StrictProxy(PostgresServer.shared.get(), as: profile)
      proxies[self] = proxy
      return proxy
    }
  }

  /// What the extension of Citus would bring to a database.
  static let citusCatalog = """
    SET allow_system_table_mods = on;
    CREATE TABLE pg_catalog.citus_tables (
      table_name regclass PRIMARY KEY, citus_table_type text, distribution_column text, colocation_id int);
    CREATE FUNCTION pg_catalog.column_to_column_name(t regclass, c text) RETURNS text LANGUAGE sql AS $$ SELECT c $$;
    CREATE VIEW pg_catalog.pg_dist_partition AS SELECT table_name AS logicalrelid,
      CASE citus_table_type WHEN 'distributed' THEN 'h' ELSE 'n' END AS partmethod,
      CASE citus_table_type WHEN 'distributed' THEN distribution_column END AS partkey,
      CASE citus_table_type WHEN 'distributed' THEN 's' ELSE 't' END AS repmodel, colocation_id AS colocationid
      FROM citus_tables;
    CREATE VIEW pg_catalog.pg_dist_node AS SELECT 1 AS nodeid, 0 AS groupid;
    CREATE FUNCTION pg_catalog.run_command_on_all_nodes(command text)
      RETURNS TABLE (nodeid int, success bool, result text) LANGUAGE plpgsql AS $$ BEGIN
      EXECUTE command INTO result; nodeid := 1; success := true; RETURN NEXT; END $$;
    CREATE FUNCTION create_distributed_table(t regclass, c text) RETURNS void LANGUAGE sql AS $$
      INSERT INTO citus_tables SELECT t, 'distributed', c, a.atttypid::int FROM pg_attribute AS a
      WHERE a.attrelid = t AND a.attname = c $$;
    CREATE FUNCTION create_reference_table(t regclass) RETURNS void LANGUAGE sql AS $$
      INSERT INTO citus_tables VALUES (t, 'reference', '<none>', 1) $$;
    CREATE FUNCTION undistribute_table(t regclass, cascade_via_foreign_keys bool DEFAULT false)
      RETURNS void LANGUAGE sql AS $$ DELETE FROM citus_tables WHERE table_name = t $$
    """

  /// How a new database becomes a store with a model.
  private func newDatabase(_ model: Model) throws -> PostgresOptions {
    let server = try PostgresServer.shared.get()
    let name = try server.makeDatabase(for: "store")
    if self == .citus { try server.psql(name, Self.citusCatalog) }
    var options = PostgresOptions(try PostgresAddress(try proxy()?.address(of: name) ?? server.address(of: name)))
    (options.model, options.create) = (model, true)
    return options
  }

  /// An empty store with a model that refuses to be written.
  func openReadOnly(_ model: Model) throws -> any ObjectStore {
    switch self {
    case .memory: return MemoryStore(model, isReadOnly: true)
    case .sqlite:
      // It may go before the store: what is open stays readable.
      let folder = try TemporaryFolder()
      var options = StoreOptions(path: folder.file("shop.sqlite"))
      (options.create, options.model) = (true, model)
      try SQLiteStore(options).close()
      options.readOnly = true
      return try SQLiteStore(options)
    case .postgres, .citus, .yugabyte, .cockroach, .dsql, .pooler:
      var options = try newDatabase(model)
      try PostgresStore(options).close()
      options.isReadOnly = true
      return try PostgresStore(options)
    }
  }
}
