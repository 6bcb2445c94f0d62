import Modeling
import Queries
import SQLite

/// Finds the indexes that help a request: the fewest candidates with which SQLite makes the best plan.
struct IndexAdvisor {
  let store: SQLiteStore
  let request: FetchRequest
  let sql: SQLFragment
  let roles: [String: AliasRole]
  /// Returns the number of rows in a table.
  let rowCount: (String) -> Int

  /// Tables with fewer rows can be scanned as fast as they can be searched.
  static let worthwhileRows = 100

  /// The deficiencies of a plan, the worst first.
  private struct Cost: Comparable {
    var work = 0
    var indexes = 0
    var columns = 0
    /// The negated number of conditions that index searches use.
    var unusedTerms = 0

    static func < (left: Cost, right: Cost) -> Bool {
      (left.work, left.indexes, left.unusedTerms, left.columns)
        < (right.work, right.indexes, right.unusedTerms, right.columns)
    }
  }

  /// Returns the advice; empty if no index helps.
  func advice() throws -> [IndexAdvice] {
    let copy = try SchemaCopy(of: store.connection)
    guard let present = try copy.plan(of: sql) else { return [] }
    let work = cost(of: present, []).work
    var best: Cost?
    var found: [IndexAdvice] = []
    var tried: Set<[IndexAdvice]> = []
    for set in IndexCandidates(request).sets.prefix(40) where tried.insert(set).inserted {
      guard set.allSatisfy({ rowCount(store.layout(of: $0.entity).table) >= Self.worthwhileRows }) else { continue }
      let statements = set.compactMap { try? SQLitePlans(store: store).statement(making: $0) }
      guard statements.count == set.count, let plan = try copy.plan(of: sql, with: statements) else { continue }
      let cost = cost(of: plan, set)
      guard cost.work < work else { continue }
      if let best, best <= cost { continue }
      best = cost
      found = set
    }
    return found
  }

  private func cost(of plan: [PlanLine], _ set: [IndexAdvice]) -> Cost {
    var cost = Cost(indexes: set.count, columns: set.reduce(0) { $0 + $1.keys.count })
    for index in plan.indices {
      switch plan[index].step {
      case .access(let access): cost.work += work(of: access, isRepeated: plan.isRepeated(index))
      case .tree(.order): cost.work += 3
      case .tree(.restOfOrder): cost.work += 1
      default: break
      }
      if let access = plan.access(at: index) { cost.unusedTerms -= access.terms.count }
    }
    return cost
  }

  private func work(of access: PlanAccess, isRepeated: Bool) -> Int {
    guard let role = roles[access.subject], rowCount(role.table) >= Self.worthwhileRows else { return 0 }
    let work =
      switch access.path {
      case .automaticIndex: 8
      case .virtualTable: 0
      default: access.isSearch ? 0 : 10
      }
    return isRepeated ? work * 10 : work
  }
}
