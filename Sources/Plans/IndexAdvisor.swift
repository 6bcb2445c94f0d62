import Modeling
import Queries
import SQLite
import Storage

/// Finds the indexes that would help a request: of those that could serve it, the fewest with which SQLite plans best.
struct IndexAdvisor {
  let store: SQLiteStore
  let request: FetchRequest
  let sql: SQLFragment
  let roles: [String: AliasRole]
  /// How many rows a table has.
  let rowCount: (String) -> Int

  /// Tables with fewer rows are read as fast as they are looked up in.
  static let worthwhileRows = 100

  /// How much a plan leaves to be desired, the worst first.
  private struct Cost: Comparable {
    var work = 0
    var indexes = 0
    var columns = 0
    /// Conditions that look-ups use, negated.
    var unusedTerms = 0

    static func < (left: Cost, right: Cost) -> Bool {
      (left.work, left.indexes, left.unusedTerms, left.columns)
        < (right.work, right.indexes, right.unusedTerms, right.columns)
    }
  }

  /// The advice; empty where nothing helps.
  func advice() throws -> [IndexAdvice] {
    let copy = try SchemaCopy(of: store.connection)
    guard let present = try copy.plan(of: sql) else { return [] }
    let work = cost(of: present, []).work
    var best: Cost?
    var found: [IndexAdvice] = []
    var tried: Set<[IndexAdvice]> = []
    for set in IndexCandidates(request).sets.prefix(40) where tried.insert(set).inserted {
      guard set.allSatisfy({ rowCount(store.layout(of: $0.entity).table) >= Self.worthwhileRows }) else { continue }
      let statements = set.compactMap { try? store.statement(making: $0) }
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
