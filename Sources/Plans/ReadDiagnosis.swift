public import Queries
public import SQLiteStorage

/// The reasons why a request may be slow, found without running it.
public struct ReadDiagnosis: Sendable {
  /// The entity whose table is scanned completely, if one is.
  public var scanned: String?
  /// Whether rows are sorted after reading.
  public var sorts: Bool
  /// The indexes that help.
  public var advice: [IndexAdvice]
  /// Clauses that no index can serve.
  public var obstacles: [ExplanationWarning]
}

extension SQLiteStore {
  /// Examines the plan of a request for causes of slowness.
  public func diagnosis(of request: FetchRequest) throws -> ReadDiagnosis {
    let (sql, roles) = try statement(explaining: request)
    let lines = try plan(of: sql)
    let scans = lines.indices.compactMap { index -> String? in
      guard let access = lines.access(at: index), !access.isSearch else { return nil }
      return roles[access.subject]?.entity.name
    }
    let advisor = IndexAdvisor(store: self, request: request, sql: sql, roles: roles) { _ in .max }
    return ReadDiagnosis(
      scanned: scans.count == 1 ? scans[0] : nil, sorts: lines.contains { $0.step == .tree(.order) },
      advice: try advisor.advice(), obstacles: request.predicate?.inlined.obstacles ?? [])
  }
}
