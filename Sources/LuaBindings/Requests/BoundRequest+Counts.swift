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

  func counts(_ call: Call) throws -> ReturnValue {
    let counts = try context.objectContext.counts(try ready(call))
    let samples = [("matches", counts.matches), ("misses", counts.misses), ("neither", counts.neither)]
    let fields: [(name: String, value: ReturnValue)] =
      [("total", .integer(counts.total))] + Self.fields(of: counts.whole) + [
        ("joint", .text(counts.joint.rawValue)), ("clauses", .list(counts.clauses.map(Self.answer))),
        ("nearMisses", nearMisses(counts)), ("samples", .record(samples.map { ($0, objects(of: $1)) })),
        ("mostSelective", .integer(counts.mostSelective.map { $0 + 1 })),
        ("hints", .list(CountsText.hints(counts).map { .text($0) })),
      ]
    return .printed(.record(fields), kind: "Counts", text: CountsText(counts, context.objectContext).text)
  }

  private static func fields(of tally: PredicateCounts.Tally) -> [(name: String, value: ReturnValue)] {
    [("yes", .integer(tally.yes)), ("no", .integer(tally.no)), ("neither", .integer(tally.neither))]
  }

  private static func answer(_ clause: PredicateCounts.Clause) -> ReturnValue {
    let reasons = clause.reasons.map { ReturnValue.record([("path", .text($0.path)), ("count", .integer($0.count))]) }
    return .record(
      [("text", .text(clause.predicate.description)), ("predicate", .object(BoundPredicate(clause.predicate)))]
        + fields(of: clause.tally) + [("reasons", .list(reasons))])
  }

  private func nearMisses(_ counts: PredicateCounts) -> ReturnValue {
    .list(
      counts.clauses.enumerated().filter { $0.element.nearMisses.count > 0 }.map { index, clause in
        .record([
          ("clause", .integer(index + 1)), ("text", .text(clause.predicate.description)),
          ("count", .integer(clause.nearMisses.count)), ("objects", objects(of: clause.nearMisses)),
        ])
      })
  }

  private func objects(of sample: PredicateCounts.Sample) -> ReturnValue {
    .pushing { [context] in try context.push(sample.objects.map(context.objectContext.object), on: $0) }
  }
}
