internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

// `request:diff`
extension BoundRequest {
  static let diffMembers: [Member<BoundRequest>] = [
    .method(
      "diff", "request:diff(other) -> difference",
      "The objects only this request selects, only the other one, and both; the other one may be a predicate.",
      sandbox: .allowed, example: #"(Quake:where("magnitude > 4"))"#
    ) { call, request in
      try request.diff(call)
    }
  ]

  private func diff(_ call: Call) throws -> ReturnValue {
    let other = try comparedRequest(call)
    try check(other, call)
    let parts = try canCombine(other) ? combined(other) : byKeys(other)
    return try answer(
      [("onlyHere", "only here", parts.here), ("onlyThere", "only there", parts.there), ("both", "both", parts.both)],
      call)
  }

  /// Another request, or this one with another predicate.
  private func comparedRequest(_ call: Call) throws -> BoundRequest {
    if let other = call.engine.classes.object(BoundRequest.self, at: call.index(1), on: call.stack) {
      return other
    }
    guard !call.isMissing(1) else { throw call.expected("a request or a predicate", 1) }
    let predicate = try call.predicate(1)
    return try with { $0.predicate = predicate }
  }

  private func check(_ other: BoundRequest, _ call: Call) throws {
    _ = try ready(call)
    _ = try other.ready(call)
    guard other.context === context else { throw call.fail("the other request is of another context") }
    guard other.entity.root === entity.root else {
      throw call.fail("\(entity.name) and \(other.entity.name) have no objects in common")
    }
  }

  // MARK: The parts

  /// Whether predicates can express the parts, so that they stay correct when objects change.
  private func canCombine(_ other: BoundRequest) -> Bool {
    let (mine, theirs) = (request, other.request)
    return entity === other.entity && mine.includesSubentities == theirs.includesSubentities
      && mine.includesPendingChanges == theirs.includesPendingChanges && !mine.isCut && !theirs.isCut
  }

  private typealias Parts = (here: BoundRequest, there: BoundRequest, both: BoundRequest)

  private func combined(_ other: BoundRequest) throws -> Parts {
    let mine = request.predicate ?? .constant(true)
    let theirs = other.request.predicate ?? .constant(true)
    return (
      try selecting(mine & theirs.isNotTrue), try other.selecting(theirs & mine.isNotTrue),
      try selecting(mine & theirs)
    )
  }

  /// The parts by the currently selected keys: a position in an order is not a property of an object.
  private func byKeys(_ other: BoundRequest) throws -> Parts {
    let (mine, theirs) = (try objectIDs(), try other.objectIDs())
    let (mineKeys, theirKeys) = (Set(mine.map(\.key)), Set(theirs.map(\.key)))
    func among(_ ids: [ObjectID]) -> Queries.Predicate {
      .comparison(Comparison(.object, .in, .constant(.list(ids.map(Value.object)))))
    }
    return (
      try selecting(among(mine.filter { !theirKeys.contains($0.key) })),
      try other.selecting(among(theirs.filter { !mineKeys.contains($0.key) })),
      try selecting(among(mine.filter { theirKeys.contains($0.key) }))
    )
  }

  private func objectIDs() throws -> [ObjectID] {
    var request = request
    request.resultType = .objects
    return try context.objectContext.fetch(request).objectIDs
  }

  /// The request for all objects for which a predicate is true, in the same order.
  private func selecting(_ predicate: Queries.Predicate) throws -> BoundRequest {
    try with { request in
      request.predicate = predicate
      request.fetchLimit = nil
      request.fetchOffset = 0
      request.resultType = .objects
      request.propertiesToFetch = []
      request.propertiesToGroupBy = []
      request.havingPredicate = nil
      request.returnsDistinctResults = false
    }
  }

  // MARK: The answer

  private func answer(_ parts: [(name: String, label: String, request: BoundRequest)], _ call: Call) throws
    -> ReturnValue
  {
    var counts: [(name: String, value: ReturnValue)] = []
    var words: [String] = []
    var lines: [String] = []
    for part in parts {
      let count = try part.request.count(call)
      counts.append((part.name, .integer(count)))
      words.append("\(Quantity.grouped(count)) \(part.label == "both" ? "in both" : part.label)")
      if count > 0 { lines.append(try part.request.sampleLine(part.label)) }
    }
    let title = "\(entity.name)  \(words.joined(separator: ", "))"
    return .printed(
      .record([("counts", .record(counts))] + parts.map { ($0.name, .object($0.request)) }), kind: "RequestDiff",
      text: ([title] + lines).joined(separator: "\n"))
  }

  /// `only here   us1, us2, us3, …`
  private func sampleLine(_ label: String) throws -> String {
    let size = 3
    var first = request
    first.fetchLimit = size + 1
    let objects = try context.objectContext.fetch(first).objectList()
    let names = objects.prefix(size).map { ObjectText.title(of: $0) } + (objects.count > size ? ["…"] : [])
    return "  \(label)\(String(repeating: " ", count: 10 - label.count))  \(names.joined(separator: ", "))"
  }
}

extension Queries.FetchRequest {
  /// Whether a limit or an offset leaves out objects.
  fileprivate var isCut: Bool { (fetchLimit ?? 0) > 0 || fetchOffset > 0 }
}

extension Queries.Predicate {
  /// The condition that is true if this one is false or neither.
  fileprivate var isNotTrue: Queries.Predicate {
    if case .constant(let value) = self { return .constant(!value) }
    let answer = Expression.ternary(self, .constant(.bool(true)), .constant(.bool(false)))
    return .comparison(Comparison(answer, .equal, .constant(.bool(false))))
  }
}
