package import Queries

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
  /// The plan in the model's terms.
  public var words: [String] = []
  /// Tables with fewer rows are read as fast without an index.
  public var worthwhileRows = 0

  /// Sorting fewer rows costs almost nothing.
  package static let worthwhileSort = 1000
}

extension ReadDiagnosis {
  /// Judges a request by its predicate alone.
  package init(_ request: FetchRequest, scanned: String? = nil, sorts: Bool = false, advice: [IndexAdvice] = []) {
    self.init(
      scanned: scanned, sorts: sorts, advice: advice, obstacles: request.predicate?.inlined.obstacles ?? [])
  }
}
