internal import Queries
internal import Refusals

/// The refusals of Apple's stores, as a list that prints as text.
enum RefusalTable {
  /// The refusals of a request. A predicate that is invalid for other reasons is an error, here as anywhere.
  static func answer(_ request: Queries.FetchRequest, store: AppleStore?) throws -> ReturnValue {
    let refusals = request.refusals(of: store)
    if refusals.isEmpty { try request.predicate?.check(in: request.entity) }
    return .printed(
      .list(refusals.map(answer)), kind: "Refusals", text: RefusalText().text(refusals, store: store))
  }

  private static func answer(_ refusal: Refusal) -> ReturnValue {
    let rule = refusal.rule
    return .record([
      ("id", .text(rule.id)), ("severity", .text(rule.severity.rawValue)), ("message", .text(rule.summary)),
      ("part", .text(refusal.part)), ("apple", .text(refusal.appleText)), ("advice", .text(rule.advice)),
      ("versions", .text(rule.versions)), ("frameworks", .list(rule.stores.map { .text($0.name) })),
      ("wayRound", .object(refusal.wayRound.map(BoundPredicate.init))),
    ])
  }
}
