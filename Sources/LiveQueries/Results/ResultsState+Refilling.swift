internal import Modeling
internal import Storage

extension ResultsState {
  /// Reads rows behind the boundary of an arrangement that is not complete: those that follow in the order, without what
  /// stands before them where the order begins with a number.
  ///
  /// `count` rows may have come to the boundary's own value, or left it, since the arrangement was made.
  func refill(_ plan: ResultsPlan, besides count: Int) throws -> Arrangement.Refill {
    guard let boundary = arrangement.boundary else { return Arrangement.Refill(rows: [], isComplete: true) }
    let start = plan.start(at: boundary.sortKey)
    let shown = request.fetchOffset +| (request.fetchLimit ?? 0)
    let limit = heldCount(from: start, boundary) +| count +| shown +| overscan
    var rows: [ArrangedRow] = []
    var read = 0
    try plan.reader.readHead(from: start, limit: limit) { row in
      read += 1
      let arranged = plan.arranged(row.key, row)
      if boundary < Arrangement.Place(arranged) { rows.append(arranged) }
    }
    // Rows are to end where the store's order does, so that none between is missed.
    return Arrangement.Refill(rows: rows, isComplete: read < limit)
  }

  /// How many of the rows that are held are read once more.
  private func heldCount(from start: PlacementStart, _ boundary: Arrangement.Place) -> Int {
    let keys = arrangement.keys.count
    switch start {
    case .beginning: return keys
    case .number: return keys - arrangement.keys.lowerBound(SortKey(prefix: boundary.sortKey.prefix))
    case .null:
      // Two bytes are of nothing, the others of what else decides.
      return keys - arrangement.keys.lowerBound(SortKey(prefix: boundary.sortKey.prefix & ~0xFFFF_FFFF_FFFF))
    }
  }
}
