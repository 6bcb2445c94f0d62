internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries

// Batch requests of an entity.
extension BoundEntity {
  static let batchMembers: [Member<BoundEntity>] = [
    .method(
      "batchInsert", "Entity:batchInsert(rows, ... [, { upsert = , map = , resultType = }]) -> number or objectIDs",
      "Writes many rows directly into the store: from a list, an iterator, a request or a result.", sandbox: .allowed,
      example: #"({ { code = "x1", magnitude = 5 }, { code = "x2" } })"#
    ) { call, entity in
      try entity.batchInsert(call)
    },
    .method(
      "batchUpdate", "Entity:batchUpdate(predicate, changes [, { resultType = }]) -> number or objectIDs",
      "Changes objects directly in the store.", sandbox: .allowed,
      example: #"({ "magnitude > %@", 3 }, { place = "far" })"#
    ) { call, entity in
      let predicate = try entity.batchPredicate(call)
      return try entity.request(predicate).update(
        call, at: call.index(2), resultType: try BatchResultType.option(3, of: call))
    },
    .method(
      "batchDelete", "Entity:batchDelete(predicate, ... [, { resultType = }]) -> number or objectIDs",
      "Deletes objects directly in the store; delete rules apply.", sandbox: .allowed, example: #"("magnitude > 9")"#
    ) { call, entity in
      let last = call.count
      let hasOptions = last > 1 && BatchResultType.hasOptions(last, of: call)
      let resultType = hasOptions ? try BatchResultType.option(last, of: call) : .count
      return try entity.request(try call.predicate(1, upTo: hasOptions ? last - 1 : last, in: entity.entity))
        .delete(call, resultType: resultType)
    },
  ]

  static let batchEntries = CatalogEntry.options(
    of: "batchInsert", example: #"Quake:batchInsert({ { code = "us1" } }, { upsert = "code" })"#,
    [
      ("upsert", "The unique attribute, or the attributes unique together, that identify the object of a row."),
      ("map", "Where each field goes: `field = \"attribute\"`, `\"toOne.attribute\"`, a list of both, or false."),
      ("resultType", "\"count\", or \"objectIDs\" for the IDs of what was written."),
    ])

  private func batchPredicate(_ call: Call) throws -> Queries.Predicate? {
    if call.isMissing(1) { return nil }
    guard
      let predicate = try call.engine.predicates.predicate(
        at: call.index(1), on: call.stack, place: call.place, in: entity)
    else {
      throw call.expected("a predicate (string, table or Predicate)", 1)
    }
    return predicate
  }

  private func batchInsert(_ call: Call) throws -> ReturnValue {
    try context.checkOpen(call.place)
    // A third argument is the control value of an iterator; its closing value and then the options may follow.
    let isTriplet = call.type(1) == .function && call.count > 2
    try call.refuseMore(than: isTriplet ? 5 : 2)
    let options = try call.options(isTriplet ? 5 : 2, ["upsert", "map", "resultType"])
    let upsert = try upsert(options)
    let resultType = try options.choice("resultType", BatchResultType.self) ?? .count
    let rows = try BatchRows(call, self, try BatchMapping(options, self), isUpsert: !upsert.isEmpty)
    let result: BatchResult
    try context.store.checkNoBatch(call.place)
    context.store.isInBatch = true
    do {
      defer { context.store.isInBatch = false }
      result = try context.objectContext.batchInsert(
        entity, upsert: upsert, expecting: rows.expected, resultType: resultType, restart: rows.restart, rows.read)
    } catch {
      try context.checkOpen(call.place)
      if rows.restart == nil { throw ReadOnce(error) ?? error }
      throw error
    }
    context.store.refreshAllObjects()
    return result.answer(resultType)
  }

  /// The properties in `upsert = "code"` or `{ "a", "b" }`, which must be unique together.
  private func upsert(_ options: Options) throws -> [Int] {
    guard options.has("upsert") else { return [] }
    let call = options.call
    let isName = options.with("upsert") { call.stack.type(at: $0) == .string } ?? false
    let names = try isName ? [options.string("upsert") ?? ""] : options.strings("upsert") ?? []
    let indices = try names.map { name -> Int in
      guard let index = entity.index(of: name) else {
        let hint = ErrorReport.hint(nearest(name, entity.properties.map(\.name)))
        throw call.fail("upsert: \(entity.name) has no property '\(name)'\(hint)")
      }
      return index
    }
    guard entity.uniquenessConstraints.contains(where: { Set($0) == Set(names) }) else {
      let known = entity.uniquenessConstraints.map { $0.joined(separator: " with ") }
      let hint = known.isEmpty ? "nothing of \(entity.name) is" : "unique are: \(known.joined(separator: "; "))"
      let what = ErrorReport.list(names.map { "\(entity.name).\($0)" })
      throw call.fail("upsert: \(what) \(names.count == 1 ? "is" : "are") not unique; \(hint)")
    }
    return indices
  }
}

extension BatchResult {
  /// What a batch request answers: the number of objects, or their IDs.
  func answer(_ type: BatchResultType) -> ReturnValue {
    switch type {
    case .count: .integer(count)
    case .objectIDs: .value(.list(objectIDs.map(Value.object)))
    }
  }
}

extension BatchResultType {
  /// The result type in the options of a batch request; the count if there are none.
  static func option(_ argument: Int32, of call: Call) throws -> BatchResultType {
    try call.options(argument, ["resultType"]).choice("resultType", BatchResultType.self) ?? .count
  }

  /// Whether an argument is a table of options rather than a predicate with arguments.
  fileprivate static func hasOptions(_ argument: Int32, of call: Call) -> Bool {
    guard call.type(argument) == .table else { return false }
    let index = call.index(argument)
    return call.stack.rawLength(at: index) == 0 && Options(call: call, index: index).has("resultType")
  }
}
