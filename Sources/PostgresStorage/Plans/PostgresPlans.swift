import Modeling
import Postgres
import Queries
import Stores

/// The plans of a store's requests, as the server makes them.
struct PostgresPlans: RequestPlanning {
  let store: PostgresStore

  /// Fewer rows are read as fast as an index finds them, and sorted as fast as an index has them in order.
  private static let worthwhileRows = 1000

  func explain(_ request: FetchRequest) throws -> Explanation {
    let split = try SplitRequest(request, store)
    let sql = statement(of: split)
    let plan = try plan(of: sql)
    var explanation = Explanation(sql: sql.text, arguments: [], displaySQL: sql.text)
    explanation.plan = plan.lines
    (explanation.indexesUsed, explanation.tablesScanned) = (plan.indexes, plan.scannedTables)
    explanation.sortsInMemory = plan.sorts || split.order == nil
    let start = monotonicSeconds()
    explanation.rowsReturned = try store.count(request)
    explanation.seconds = monotonicSeconds() - start
    let rows = try rowCounts(plan)
    explanation.words = (split.words + (try split.undecidedRows().map { [$0] } ?? []) + plan.words(store, rows)).map {
      (0, $0)
    }
    try judge(request, plan, rows, &explanation)
    return explanation
  }

  /// Examines the plan of a request for causes of slowness. The request does not run.
  func diagnosis(of request: FetchRequest) throws -> ReadDiagnosis {
    let split = try SplitRequest(request, store)
    let plan = try plan(of: statement(of: split))
    let scanned = plan.scannedEntities(store)
    var diagnosis = ReadDiagnosis(
      request, scanned: scanned.count == 1 ? scanned[0].name : nil, sorts: plan.sorts || split.order == nil,
      advice: try advice(request, plan))
    diagnosis.words = split.words + plan.words(store, [:])
    diagnosis.worthwhileRows = Self.worthwhileRows
    return diagnosis
  }

  func tryIndexes(_ indexes: [IndexAdvice], for request: FetchRequest) throws -> IndexTrial {
    guard !indexes.isEmpty else { throw IndexObstacle.noAdvice }
    let definitions = try indexes.map(definition)
    guard store.isDryRun || store.transactions.depth == 0 && !store.isInTransactionByHand else {
      throw StoreError(.openTransaction, path: store.path)
    }
    guard store.profile.has(.transactionalDefinitions) else { throw store.lacking("indexes that are rolled back") }
    let split = try SplitRequest(request, store)
    struct RolledBack: Error { let trial: IndexTrial }
    do {
      return try store.transaction { () throws -> IndexTrial in
        throw RolledBack(trial: try trial(indexes, definitions, split))
      }
    } catch let end as RolledBack {
      return end.trial
    }
  }

  /// Creates the indexes, which stay until the transaction ends, and times the request.
  private func trial(
    _ indexes: [IndexAdvice], _ definitions: [(name: String, sql: String)], _ split: SplitRequest
  ) throws -> IndexTrial {
    let sql = statement(of: split)
    let (before, secondsBefore) = (try plan(of: sql), try seconds(of: sql))
    let start = monotonicSeconds()
    for definition in definitions { _ = try store.pool.run("\(raw: definition.sql)") }
    let secondsToBuild = monotonicSeconds() - start
    let after = try plan(of: sql)
    let rows = try rowCounts(before)
    func words(_ plan: ServerPlan) -> [(depth: Int, text: String)] {
      (split.words + plan.words(store, rows)).map { (0, $0) }
    }
    return IndexTrial(
      indexes: indexes, statements: definitions.map(\.sql), wordsBefore: words(before), wordsAfter: words(after),
      isUsed: definitions.allSatisfy { after.indexes.contains($0.name) }, secondsBefore: secondsBefore,
      secondsAfter: try seconds(of: sql),
      bytes: try zip(indexes, definitions).reduce(0) { $0 + (try bytes($1.1.name, $1.0.entity)) },
      secondsToBuild: secondsToBuild)
  }

  private func seconds(of sql: PostgresSQL) throws -> Double {
    try IndexTrial.medianSeconds { _ = try store.pool.run("EXPLAIN (ANALYZE, TIMING OFF) \(sql)") }
  }

  private func statement(of split: SplitRequest) -> PostgresSQL {
    let properties: Set<String>? = split.request.resultType == .count ? [] : nil
    let columns = RowColumns(split.request.entity, split.place, store, properties: properties)
    return split.select(columns.columns, ordered: true)
  }

  private func plan(of sql: PostgresSQL) throws -> ServerPlan { ServerPlan(try store.pool.run("EXPLAIN \(sql)")) }

  // MARK: Judging

  /// The numbers of rows of the entities whose tables are read whole.
  private func rowCounts(_ plan: ServerPlan) throws -> [Entity: Int] {
    var counts: [Entity: Int] = [:]
    for entity in plan.scannedEntities(store) { counts[entity] = try store.count(FetchRequest(entity)) }
    return counts
  }

  private func judge(
    _ request: FetchRequest, _ plan: ServerPlan, _ rows: [Entity: Int], _ explanation: inout Explanation
  ) throws {
    guard !rows.isEmpty || plan.sorts else { return }
    var wanted = explanation.rowsReturned
    if request.isLimited || ![.objects, .objectIDs].contains(request.resultType) {
      var plain = FetchRequest(request.entity)
      (plain.predicate, plain.includesSubentities) = (request.predicate, request.includesSubentities)
      wanted = try store.count(plain)
    }
    for (entity, count) in rows.sorted(by: { $0.key.name < $1.key.name })
    where count >= Self.worthwhileRows && request.predicate != nil && wanted * 2 < count {
      explanation.warnings.append(.readsAll(entity: entity.name, rows: count, wanted: wanted))
      explanation.warnings += request.predicate?.inlined.obstacles ?? []
    }
    let taken = explanation.rowsReturned
    if explanation.sortsInMemory, request.resultType != .dictionaries, wanted >= Self.worthwhileRows {
      explanation.warnings.append(.sorts(rows: wanted, taken: min(taken, wanted)))
    }
    if !explanation.warnings.isEmpty { explanation.advice = try advice(request, plan) }
  }

  /// The first indexes that might serve the request in place of a look at whole tables. A trial shows whether the server
  /// uses them.
  private func advice(_ request: FetchRequest, _ plan: ServerPlan) throws -> [IndexAdvice] {
    let scanned = plan.scannedTables
    var known: [String: [[String]]] = [:]
    return try IndexCandidates(request).sets.first { set in
      try set.allSatisfy { advice in
        let table = store.layout(of: advice.entity).table
        guard scanned.contains(store.tables.name(of: table)), let columns = try? columns(of: advice) else {
          return false
        }
        let indexes = try known[table] ?? indexedColumns(of: table)
        known[table] = indexes
        return !indexes.contains { $0.starts(with: columns) }
      }
    } ?? []
  }
}
