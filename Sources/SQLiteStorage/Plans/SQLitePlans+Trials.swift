import Modeling
import Queries
import SQLite
import Stores

extension SQLitePlans {
  /// Creates indexes in a transaction that is rolled back, and times a request without and with them.
  ///
  /// The indexes do not stay in the file, and other connections never see them; other writers wait meanwhile. If the
  /// store cannot be written, or a cursor is open, the trial uses a private copy. Unsaved changes of contexts are
  /// ignored.
  ///
  /// - Throws: IndexObstacle for indexes that cannot be created, StoreError; `.openTransaction` within a transaction.
  func tryIndexes(_ indexes: [IndexAdvice], for request: FetchRequest) throws -> IndexTrial {
    guard !indexes.isEmpty else { throw IndexObstacle.noAdvice }
    let (sql, roles) = try store.statement(explaining: request)
    let experiment = IndexExperiment(
      indexes: indexes, definitions: try indexes.map(definition), sql: sql, roles: roles, layout: store.layout)
    let connection = store.connection
    if store.isReadOnly || connection.hasRunningStatements { return try onCopy(experiment) }
    // An interruption would roll back the transaction's other writes, too.
    guard !connection.isInTransaction || store.isDryRun else {
      throw StoreError(.openTransaction, path: store.path)
    }
    let isNested = connection.isInTransaction
    try connection.execute(isNested ? "SAVEPOINT perilune_index" : "BEGIN IMMEDIATE")
    defer {
      if connection.isInTransaction {
        try? connection.execute(isNested ? "ROLLBACK TO perilune_index; RELEASE perilune_index" : "ROLLBACK")
      }
    }
    return try experiment.run(on: connection)
  }

  private func onCopy(_ experiment: IndexExperiment) throws -> IndexTrial {
    let copy = try store.connection.privateCopy()
    copy.addFunctions = SQLFunctions().install
    defer { copy.close() }
    var trial = try experiment.run(on: copy)
    trial.isOnCopy = true
    return trial
  }
}

/// A request and indexes to try on a connection.
private struct IndexExperiment {
  let indexes: [IndexAdvice]
  let definitions: [(name: String, sql: String)]
  let sql: SQLFragment
  let roles: [String: AliasRole]
  let layout: (Entity) -> EntityLayout

  /// Runs the trial; leaves the indexes in place.
  func run(on connection: Connection) throws -> IndexTrial {
    let before = try connection.plan(of: sql)
    let secondsBefore = try time(on: connection)
    let pages = try pageBytes(connection)
    let start = monotonicSeconds()
    for definition in definitions { try connection.execute(definition.sql) }
    let secondsToBuild = monotonicSeconds() - start
    let after = try connection.plan(of: sql)
    let used = Set(after.indices.compactMap { after.access(at: $0)?.indexName })
    return IndexTrial(
      indexes: indexes, statements: definitions.map(\.sql), wordsBefore: words(before), wordsAfter: words(after),
      isUsed: definitions.allSatisfy { used.contains($0.name) }, secondsBefore: secondsBefore,
      secondsAfter: try time(on: connection), bytes: try bytes(connection, pages), secondsToBuild: secondsToBuild)
  }

  private func words(_ lines: [PlanLine]) -> [(depth: Int, text: String)] {
    PlanNarrator(lines: lines, roles: roles, layout: layout).words
  }

  private func time(on connection: Connection) throws -> Double {
    let statement = try connection.prepare(sql.text)
    for (index, value) in sql.arguments.enumerated() { try statement.bind(ValueCoding.stored(value), at: index + 1) }
    return try IndexTrial.medianSeconds { while try statement.step() {} }
  }

  private func bytes(_ connection: Connection, _ pages: Int) throws -> Int {
    var sum = 0
    for definition in definitions {
      // If SQLite was built without this table, the growth of the file is used instead.
      guard
        case .int(let size)? = try? connection.first(
          "SELECT sum(pgsize) FROM dbstat WHERE name = ?", [.string(definition.name)])
      else { return max(0, try pageBytes(connection) - pages) }
      sum += Int(size)
    }
    return sum
  }

  private func pageBytes(_ connection: Connection) throws -> Int {
    guard case .int(let count)? = try connection.first("PRAGMA page_count"),
      case .int(let size)? = try connection.first("PRAGMA page_size")
    else { return 0 }
    return Int(count * size)
  }
}
