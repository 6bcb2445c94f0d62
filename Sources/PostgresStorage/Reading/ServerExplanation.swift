import Modeling
public import Queries

/// The explanation of a request to a store in PostgreSQL: what the database does, and what is done here.
public struct ServerExplanation: Sendable {
  /// The statement, its arguments as `$1`, `$2`, ...
  public let sql: String
  /// The server's plan: a line for each step, with its depth.
  public let plan: [(depth: Int, text: String)]
  /// What the database decides and what is evaluated here, in sentences.
  public let words: [String]
  /// The number of rows of the request.
  public let rowsReturned: Int
  /// How long it took to read their keys.
  public let seconds: Double
}

extension PostgresStore {
  /// Explains a request, which it runs once.
  ///
  /// - Throws: PredicateError, StoreError.
  public func explain(_ request: FetchRequest) throws -> ServerExplanation {
    let selection = try SplitRequest(request, self)
    let columns = RowColumns(
      request.entity, selection.place, self, properties: request.resultType == .count ? [] : nil)
    let sql = selection.select(columns.columns, ordered: true)
    let result = try pool.run("EXPLAIN \(sql)")
    let plan = (0..<result.rowCount).map { row -> (depth: Int, text: String) in
      let line = result.text(row, 0)
      let indent = line.prefix { $0 == " " }.count
      return (indent / 2, String(line.dropFirst(indent)))
    }
    let start = monotonicSeconds()
    let count = try count(request)
    return ServerExplanation(
      sql: sql.text, plan: plan, words: selection.words, rowsReturned: count, seconds: monotonicSeconds() - start)
  }
}

extension SplitRequest {
  /// The sentences about what is done where.
  fileprivate var words: [String] {
    var words: [String] = []
    if let predicate = request.predicate {
      if residual == nil {
        words.append("PostgreSQL decides \(predicate)")
      } else {
        let (there, here) = split(predicate)
        if !there.isEmpty { words.append("PostgreSQL decides \(there.map(\.description).joined(separator: " AND "))") }
        words.append("decided here, row by row: \(here.map(\.description).joined(separator: " AND "))")
      }
    }
    if order == nil {
      words.append("ordered here: \(request.sortDescriptors.map { "\($0.expression)" }.joined(separator: ", "))")
    }
    return words
  }

  /// The parts of a conjunction that the database decides, and those that it does not.
  private func split(_ predicate: Predicate) -> (there: [Predicate], here: [Predicate]) {
    guard case .and(let parts) = predicate else { return ([], [predicate]) }
    let compiler = PostgresCompiler(compiler.store)
    let place = compiler.place(request.entity)
    let decided = parts.map { compiler.condition($0, at: place)?.isExact == true }
    return (zip(parts, decided).filter(\.1).map(\.0), zip(parts, decided).filter { !$0.1 }.map(\.0))
  }
}
