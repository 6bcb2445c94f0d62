public import StoreErrors

/// The server behind a connection, and the capabilities of PostgreSQL that it has.
///
///     let profile = try ServerProfile(connection)
///     profile.has(.notifications)
///
/// The tests run against PostgreSQL itself, and against Citus if it is installed. The facts about the other engines come
/// from their documentation; they were not tried.
public struct ServerProfile: Hashable, Sendable {
  /// Which program it is.
  public enum Engine: String, CaseIterable, Hashable, Sendable {
    /// PostgreSQL, or a service that runs it: Aurora, AlloyDB, …
    case postgres
    /// PostgreSQL with the extension Citus, which spreads tables over nodes.
    case citus
    /// YugabyteDB.
    case yugabyte
    /// CockroachDB.
    case cockroach
    /// Aurora DSQL.
    case dsql
  }

  /// The program.
  public var engine: Engine
  /// What the server says of itself.
  public var version: String
  /// The version of Citus.
  public var extensionVersion: String?
  /// Whether a pool stands between, which may give each transaction another session. The client cannot see whether it does,
  /// so it relies on nothing that such a pool would break.
  public var isPooled: Bool

  /// Creates a profile from its parts.
  public init(engine: Engine, version: String = "", extensionVersion: String? = nil, isPooled: Bool = false) {
    (self.engine, self.version, self.isPooled) = (engine, version, isPooled)
    self.extensionVersion = extensionVersion
  }

  /// Asks the server, in one round trip.
  ///
  /// - Throws: `StoreError`.
  public init(_ connection: PostgresConnection) throws(StoreError) {
    let answers = try connection.pipeline([
      (sql: "SELECT version(), pg_backend_pid()", arguments: []),
      (sql: "SELECT extversion FROM pg_extension WHERE extname = 'citus'", arguments: []),
      (sql: "SELECT to_regclass('sys.jobs') IS NOT NULL", arguments: []),
    ])
    version = answers[0].text(0, 0)
    extensionVersion = answers[1].field(0, 0)?.text
    let isDSQL = answers[2].bool(0, 0) && connection.address.host?.contains(".dsql.") ?? false
    engine =
      switch true {
      case version.hasPrefix("CockroachDB"): .cockroach
      case version.contains("-YB-"): .yugabyte
      case extensionVersion != nil: .citus
      case isDSQL: .dsql
      default: .postgres
      }
    // A pool invents the process number of its session; CockroachDB has none that could be asked for.
    isPooled = engine != .cockroach && answers[0].int(0, 1) != Int64(connection.processID)
  }

  /// Whether the server does it.
  public func has(_ capability: ServerCapability) -> Bool { !lacking.contains(capability) }

  /// The capabilities that it lacks, at least for some tables.
  public var lacking: Set<ServerCapability> {
    isPooled ? engine.lacking.union(Self.lackingBehindPools) : engine.lacking
  }

  /// Whether it spreads tables over nodes, and each node has snapshots, triggers and errors of its own.
  public var distributesTables: Bool { engine == .citus }

  /// Whether transactions regularly fail through no fault of their own (40001) and have to be retried.
  public var expectsRetries: Bool { [.yugabyte, .cockroach, .dsql].contains(engine) }

  /// What needs one session for longer than a transaction.
  private static let lackingBehindPools: Set<ServerCapability> = [
    .notifications, .logicalDecoding, .advisoryLocks, .temporaryTables, .preparedStatements, .sessionState,
  ]
}

extension ServerProfile.Engine {
  /// What the engine is called.
  public var name: String {
    switch self {
    case .postgres: "PostgreSQL"
    case .citus: "Citus"
    case .yugabyte: "YugabyteDB"
    case .cockroach: "CockroachDB"
    case .dsql: "Aurora DSQL"
    }
  }

  /// What the engine does not do, or not for all tables, as its documentation says.
  fileprivate var lacking: Set<ServerCapability> {
    switch self {
    case .postgres: []
    // For tables that are spread over nodes, each of these is refused or does something else.
    case .citus:
      [
        .rowTriggers, .statementTriggers, .transitionTables, .exportedSnapshots, .transactionNumbers, .rowVersions,
        .advisoryLocks, .foreignKeys, .deferrableForeignKeys, .uniquenessOfAnyColumns, .updatesOfAnyColumn, .rowLocks,
        .correlatedSubqueries, .joinsOfAnyColumns,
      ]
    case .yugabyte:
      // LISTEN is there from 2025.2.3 on, as a first trial.
      [
        .notifications, .transitionTables, .exportedSnapshots, .transactionNumbers, .rowVersions,
        .deferrableForeignKeys, .deferrableUniqueness,
      ]
    case .cockroach:
      // Advisory locks are functions that do nothing.
      [
        .notifications, .statementTriggers, .transitionTables, .logicalDecoding, .exportedSnapshots,
        .transactionNumbers, .rowVersions, .advisoryLocks, .deferrableForeignKeys, .deferrableUniqueness,
        .temporaryTables, .integerDivision, .binaryCopyOut, .severalPortals,
      ]
    case .dsql:
      [
        .notifications, .rowTriggers, .statementTriggers, .transitionTables, .logicalDecoding, .exportedSnapshots,
        .transactionNumbers, .rowVersions, .advisoryLocks, .foreignKeys, .deferrableForeignKeys,
        .deferrableUniqueness, .sequences, .temporaryTables, .savepoints, .transactionalDefinitions,
        .synchronousIndexes, .collations, .binaryCopyOut, .binaryCopyIn,
      ]
    }
  }
}
