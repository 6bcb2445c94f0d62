import Modeling
import Queries
import SQLite

/// Reviews a plan by the numbers of rows: describes it, warns of slow parts, and looks for indexes that help.
struct PlanReview {
  let store: SQLiteStore
  let request: FetchRequest
  let sql: SQLFragment
  let roles: [String: AliasRole]
  let lines: [PlanLine]
  private var rowCounts: [String: Int] = [:]

  init(store: SQLiteStore, request: FetchRequest, sql: SQLFragment, roles: [String: AliasRole], lines: [PlanLine]) {
    self.store = store
    self.request = request
    self.sql = sql
    self.roles = roles
    self.lines = lines
  }

  /// Adds the description, warnings and advice to the explanation of a run.
  mutating func complete(_ explanation: inout Explanation) throws {
    let scans = lines.indices.filter { isScan($0) }
    for index in scans { try countRows(at: index) }
    let isSorted = lines.contains { $0.step == .tree(.order) }
    let wanted = scans.isEmpty && !isSorted ? 0 : try self.wanted(explanation)
    warn(of: scans, wanted: wanted, isSorted: isSorted, &explanation)
    explanation.words = words(scans, wanted: isSorted ? wanted : nil, explanation)
    let canHelp = explanation.warnings.contains { if case .unindexable = $0 { false } else { true } }
    if canHelp { explanation.advice = try advice() }
  }

  private mutating func advice() throws -> [IndexAdvice] {
    var counts = rowCounts
    for role in Set(roles.values.map(\.table)) where counts[role] == nil { counts[role] = try count(role) }
    return try IndexAdvisor(store: store, request: request, sql: sql, roles: roles) { counts[$0] ?? 0 }.advice()
  }

  // MARK: Counting

  private func isScan(_ index: Int) -> Bool {
    guard let access = lines.access(at: index) else { return false }
    return !access.isSearch && roles[access.subject] != nil
  }

  private func role(at index: Int) -> AliasRole? { lines.access(at: index).flatMap { roles[$0.subject] } }

  private mutating func countRows(at index: Int) throws {
    guard let table = role(at: index)?.table, rowCounts[table] == nil else { return }
    rowCounts[table] = try count(table)
  }

  private func count(_ table: String) throws -> Int {
    guard case .int(let count)? = try store.connection.first("SELECT count(*) FROM \(quotedName(table))") else {
      return 0
    }
    return Int(count)
  }

  /// The number of objects that satisfy the condition, before limits and grouping.
  private func wanted(_ explanation: Explanation) throws -> Int {
    if !request.isLimited, request.resultType == .objects || request.resultType == .objectIDs {
      return explanation.rowsReturned
    }
    var plain = FetchRequest(request.entity)
    plain.predicate = request.predicate
    plain.includesSubentities = request.includesSubentities
    return try store.count(plain)
  }

  // MARK: Judging

  private func warn(of scans: [Int], wanted: Int, isSorted: Bool, _ explanation: inout Explanation) {
    var readsAll = false
    for index in scans {
      guard let role = role(at: index), let rows = rowCounts[role.table], rows >= IndexAdvisor.worthwhileRows else {
        continue
      }
      if lines.isRepeated(index) {
        explanation.warn(.readsAllAgain(entity: role.entity.name, rows: rows))
      } else if request.predicate != nil, wanted * 2 < rows, explanation.rowsScanned + 1 >= rows {
        readsAll = true
        explanation.warn(.readsAll(entity: role.entity.name, rows: rows, wanted: wanted))
      }
    }
    if readsAll { for warning in request.predicate?.inlined.obstacles ?? [] { explanation.warn(warning) } }
    for access in lines.indices.compactMap({ lines.access(at: $0) }) where access.path == .automaticIndex {
      let name = roles[access.subject]?.entity.name ?? access.subject
      explanation.warn(.automaticIndex(entity: name, rows: explanation.automaticIndexRows))
    }
    if isSorted, request.resultType != .dictionaries {
      let taken = request.isLimited ? explanation.rowsReturned : wanted
      let isWasteful = wanted >= IndexAdvisor.worthwhileRows && taken * 2 < wanted
      if wanted >= ReadDiagnosis.worthwhileSort || isWasteful { explanation.warn(.sorts(rows: wanted, taken: taken)) }
    }
  }

  private func words(_ scans: [Int], wanted: Int?, _ explanation: Explanation) -> [(depth: Int, text: String)] {
    var narrator = PlanNarrator(lines: lines, roles: roles, layout: store.layout)
    narrator.rowCount = { rowCounts[$0] }
    if scans.count == 1 { narrator.rowsScanned = explanation.rowsScanned + 1 }
    if request.resultType != .dictionaries { narrator.rowsSorted = wanted }
    return narrator.words
  }
}

extension Explanation {
  fileprivate mutating func warn(_ warning: ExplanationWarning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }
}
