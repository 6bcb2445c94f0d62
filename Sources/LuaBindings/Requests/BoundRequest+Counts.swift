internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

// `request:counts()`
extension BoundRequest {
  static let countsMembers: [Member<BoundRequest>] = [
    .method(
      "counts", "request:counts() -> counts",
      "How many objects the predicate and each clause match, reject or leave undecided; limits are ignored.",
      sandbox: .allowed, example: "()"
    ) { call, request in
      return try request.counts(call)
    }
  ]

  func counts(_ call: Call) throws -> Answer {
    let counts = try context.objectContext.counts(try ready(call))
    let stack = call.stack
    stack.reserve(16)
    stack.pushTable(hash: 12)
    stack.push(counts.total)
    stack.rawSet(field: "total", at: -2)
    set(counts.whole, on: stack)
    stack.push(counts.joint.rawValue)
    stack.rawSet(field: "joint", at: -2)
    pushClauses(counts, call)
    stack.rawSet(field: "clauses", at: -2)
    try pushNearMisses(counts, stack)
    stack.rawSet(field: "nearMisses", at: -2)
    stack.pushTable(hash: 3)
    for (name, sample) in [("matches", counts.matches), ("misses", counts.misses), ("neither", counts.neither)] {
      try context.push(sample.objects.map(context.objectContext.object), on: stack)
      stack.rawSet(field: name, at: -2)
    }
    stack.rawSet(field: "samples", at: -2)
    if let clause = counts.mostSelective {
      stack.push(clause + 1)
      stack.rawSet(field: "mostSelective", at: -2)
    }
    call.engine.push(.list(CountsText.hints(counts).map(Value.string)), on: stack)
    stack.rawSet(field: "hints", at: -2)
    stack.setText(CountsText(counts, context.objectContext).text, kind: "Counts")
    return .pushed(1)
  }

  private func set(_ tally: PredicateCounts.Tally, on stack: LuaStack) {
    for (name, count) in [("yes", tally.yes), ("no", tally.no), ("neither", tally.neither)] {
      stack.push(count)
      stack.rawSet(field: name, at: -2)
    }
  }

  private func pushClauses(_ counts: PredicateCounts, _ call: Call) {
    let stack = call.stack
    stack.pushTable(array: Int32(clamping: counts.clauses.count))
    for (number, clause) in counts.clauses.enumerated() {
      stack.pushTable(hash: 6)
      stack.push(clause.predicate.description)
      stack.rawSet(field: "text", at: -2)
      call.engine.classes.push(BoundPredicate(clause.predicate), on: stack)
      stack.rawSet(field: "predicate", at: -2)
      set(clause.tally, on: stack)
      stack.pushTable(array: Int32(clamping: clause.reasons.count))
      for (place, reason) in clause.reasons.enumerated() {
        stack.pushTable(hash: 2)
        stack.push(reason.path)
        stack.rawSet(field: "path", at: -2)
        stack.push(reason.count)
        stack.rawSet(field: "count", at: -2)
        stack.rawSet(element: Int64(place + 1), at: -2)
      }
      stack.rawSet(field: "reasons", at: -2)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
  }

  private func pushNearMisses(_ counts: PredicateCounts, _ stack: LuaStack) throws {
    stack.pushTable()
    var number: Int64 = 0
    for (index, clause) in counts.clauses.enumerated() where clause.nearMisses.count > 0 {
      number += 1
      stack.pushTable(hash: 4)
      stack.push(index + 1)
      stack.rawSet(field: "clause", at: -2)
      stack.push(clause.predicate.description)
      stack.rawSet(field: "text", at: -2)
      stack.push(clause.nearMisses.count)
      stack.rawSet(field: "count", at: -2)
      try context.push(clause.nearMisses.objects.map(context.objectContext.object), on: stack)
      stack.rawSet(field: "objects", at: -2)
      stack.rawSet(element: number, at: -2)
    }
  }
}
