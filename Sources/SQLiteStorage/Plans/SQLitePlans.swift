import Modeling
import Queries
import SQLite
import Stores

/// The plans of a store's requests, as SQLite makes them.
struct SQLitePlans: RequestPlanning {
  let store: SQLiteStore

  /// Returns the SQL, values, plan and costs of a request, which is run to its end.
  func explain(_ request: FetchRequest) throws -> Explanation {
    let (sql, roles) = try store.statement(explaining: request)
    let lines = try plan(of: sql)
    var explanation = Explanation(sql: sql.text, arguments: sql.arguments, displaySQL: sql.layoutText)
    explanation.describe(lines, roles)
    try run(sql, into: &explanation)
    var review = PlanReview(store: store, request: request, sql: sql, roles: roles, lines: lines)
    try review.complete(&explanation)
    return explanation
  }

  /// Examines the plan of a request for causes of slowness. The request does not run.
  func diagnosis(of request: FetchRequest) throws -> ReadDiagnosis {
    let (sql, roles) = try store.statement(explaining: request)
    let lines = try plan(of: sql)
    let scans = lines.indices.compactMap { index -> String? in
      guard let access = lines.access(at: index), !access.isSearch else { return nil }
      return roles[access.subject]?.entity.name
    }
    let advisor = IndexAdvisor(store: store, request: request, sql: sql, roles: roles) { _ in .max }
    var diagnosis = ReadDiagnosis(
      request, scanned: scans.count == 1 ? scans[0] : nil, sorts: lines.contains { $0.step == .tree(.order) },
      advice: try advisor.advice())
    diagnosis.words = PlanNarrator(lines: lines, roles: roles, layout: store.layout).words.map(\.text)
    diagnosis.worthwhileRows = IndexAdvisor.worthwhileRows
    return diagnosis
  }

  private func plan(of sql: SQLFragment) throws -> [PlanLine] { try store.connection.plan(of: sql) }

  private func run(_ sql: SQLFragment, into explanation: inout Explanation) throws {
    let statement = try store.bound(sql)
    defer { store.connection.checkIn(statement) }
    for cost in Statement.Cost.allCases { statement.take(cost) }
    let start = monotonicSeconds()
    while try statement.step() { explanation.rowsReturned += 1 }
    explanation.seconds = monotonicSeconds() - start
    explanation.rowsScanned = statement.take(.scannedRows)
    explanation.steps = statement.take(.steps)
    explanation.sorts = statement.take(.sorts)
    explanation.automaticIndexRows = statement.take(.automaticIndexRows)
    explanation.recompilations = statement.take(.recompilations)
  }
}

extension Explanation {
  /// Adds the facts in SQLite's own lines.
  fileprivate mutating func describe(_ lines: [PlanLine], _ roles: [String: AliasRole]) {
    for (index, line) in lines.enumerated() {
      plan.append((line.depth, line.text(roles)))
      if line.step == .tree(.order) || line.step == .tree(.restOfOrder) { sortsInMemory = true }
      guard let access = lines.access(at: index) else { continue }
      let name = access.path == .automaticIndex ? "automatic index" : access.indexName
      if let name, !indexesUsed.contains(name) { indexesUsed.append(name) }
      let table = roles[access.subject]?.table ?? access.subject
      let isTable = roles[access.subject] != nil || !access.subject.hasPrefix("(")
      if !access.isSearch, access.path == .table, isTable, !tablesScanned.contains(table) {
        tablesScanned.append(table)
      }
    }
  }
}

extension PlanLine {
  /// SQLite's text with the table's name in place of its alias.
  fileprivate func text(_ roles: [String: AliasRole]) -> String {
    guard case .access(let access) = step, let role = roles[access.subject],
      let place = detail.firstRange(of: " \(access.subject)")
    else { return detail }
    return detail.replacingCharacters(in: place, with: " \(role.table)")
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
  }
}
