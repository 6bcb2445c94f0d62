import Queries

extension SplitRequest {
  /// The sentences about what is done where.
  var words: [String] {
    var words = decidedApart.map { "decided here, once for each object to which the to-one leads: \($0)" }
    if let predicate = request.predicate {
      let parts = split(predicate)
      func listed(_ share: Share, _ sentence: String) {
        let found = parts.filter { residual == nil || $0.share == share }.map(\.part.description)
        if !found.isEmpty { words.append("\(sentence)\(found.joined(separator: " AND "))") }
      }
      listed(.all, "PostgreSQL decides ")
      if residual != nil {
        listed(.most, "PostgreSQL decides for values that it computes as Perilune does: ")
        listed(.none, "decided here, row by row: ")
      }
    }
    if order == nil {
      words.append("ordered here: \(request.sortDescriptors.map { "\($0.expression)" }.joined(separator: ", "))")
    }
    return words
  }

  /// The sentence about the rows that are sent to be decided here; nil where the database decides all. Counts them.
  func undecidedRows() throws -> String? {
    if residual == nil { return nil }
    var sql: PostgresSQL = "SELECT count(*) FROM \(place.source.sql)"
    let conditions = conditions + (domain.map { ["NOT \($0)"] } ?? [])
    if !conditions.isEmpty { sql += " WHERE \(conditions.joined(" AND "))" }
    let result = try store.pool.run(sql)
    let rows = result.rowCount > 0 ? result.int(0, 0) : 0
    let grouped = ValueCombinations(self) == nil ? "" : "; a count needs each combination of their values once"
    return "rows that PostgreSQL does not decide: \(rows)\(grouped)"
  }

  /// For how many rows the database decides a part of a predicate.
  private enum Share { case all, most, none }

  /// The parts of a conjunction that are left after those that were decided apart.
  private func split(_ predicate: Predicate) -> [(part: Predicate, share: Share)] {
    var parts = [predicate]
    if case .and(let several) = predicate { parts = several }
    let compiler = PostgresCompiler(store)
    let place = compiler.place(request.entity)
    return parts.filter { !decidedApart.contains($0) }.map { part in
      guard let condition = compiler.condition(part, at: place) else { return (part, .none) }
      return (part, condition.isExact ? .all : condition.domain == nil ? .none : .most)
    }
  }
}
