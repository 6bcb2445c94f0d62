internal import Modeling
internal import Stores

extension ResultsState {
  /// Reads the rows beyond the boundary of an incomplete arrangement. If the order begins with a number, the read
  /// starts at the boundary's number.
  ///
  /// Since the arrangement was made, `count` rows may have got the boundary's own value, or lost it.
  func refill(_ plan: ResultsPlan, besides count: Int) throws -> Arrangement.Refill {
    guard let boundary = arrangement.boundary else { return Arrangement.Refill(rows: [], isComplete: true) }
    provisional.noteEverything(in: context.store)
    let start = plan.start(at: boundary.sortKey)
    let shown = request.fetchOffset +| (request.fetchLimit ?? 0)
    let limit = heldCount(from: start, boundary) +| count +| shown +| overscan
    var rows: [ArrangedRow] = []
    var read = 0
    var poll = InterruptionPoll()
    try plan.reader.readHead(from: start, limit: limit) { row in
      read += 1
      let arranged = plan.arranged(row.key, row)
      try poll.step(over: arranged.sortKey.tail.count)
      if boundary < Arrangement.Place(arranged) { rows.append(arranged) }
    }
    // The rows must end at a position of the store's order, so that none between is missing.
    return Arrangement.Refill(rows: rows, isComplete: read < limit)
  }

  /// The number of held rows that are read again.
  private func heldCount(from start: PlacementStart, _ boundary: Arrangement.Place) -> Int {
    let keys = arrangement.keys.count
    switch start {
    case .beginning: return keys
    case .number: return keys - arrangement.keys.lowerBound(SortKey(prefix: boundary.sortKey.prefix))
    case .null:
      // The first two bytes are those of nil; the others encode the remaining components.
      return keys - arrangement.keys.lowerBound(SortKey(prefix: boundary.sortKey.prefix & ~0xFFFF_FFFF_FFFF))
    }
  }
}
