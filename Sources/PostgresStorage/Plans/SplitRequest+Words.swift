import Queries

extension SplitRequest {
  /// The sentences about what is done where.
  var words: [String] {
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
