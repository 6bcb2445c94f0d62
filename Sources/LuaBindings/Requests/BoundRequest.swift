internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

/// A fetch request in Lua. It never changes: each method of a chain returns a new one.
final class BoundRequest: Bound {
  static let luaName = "Request"
  var place: String { "request" }
  var display: EngineValue? { .request(request.inSectionOrder, context.objectContext) }

  let request: Queries.FetchRequest
  let context: BoundContext
  /// How large and how deep the predicate is.
  private lazy var extent = request.predicate?.extent

  /// Takes a request after checking all its names and that its parts fit together.
  init(checking request: Queries.FetchRequest, _ context: BoundContext) throws {
    var request = request
    if let lookUp = context.store.hiddenLookUp {
      request.predicate = try request.predicate.map { try lookUp.replaced($0, in: request.entity) }
    }
    try request.validate()
    self.request = request
    self.context = context
  }

  /// Takes a request that was checked, with one more condition.
  init(_ wider: BoundRequest, narrowedBy predicate: Queries.Predicate) throws {
    let predicate = try wider.context.store.hiddenLookUp?.replaced(predicate, in: wider.entity) ?? predicate
    try predicate.check(in: wider.entity)
    var request = wider.request
    var extent = predicate.extent
    if let known = wider.extent, let present = request.predicate {
      extent = known.joined(with: extent)
      try extent.checkLimits()
      request.predicate = present & predicate
    } else {
      request.predicate = predicate
    }
    self.request = request
    context = wider.context
    self.extent = extent
  }

  var entity: Entity { request.entity }

  func summary() -> String {
    var text = entity.name
    if let predicate = request.predicate { text += " where \(predicate)" }
    if !request.sortDescriptors.isEmpty {
      let keys = request.sortDescriptors.map { ($0.isAscending ? "" : "-") + $0.expression.description }
      text += " sorted by \(keys.joined(separator: ", "))"
    }
    if let section = request.sectionName { text += " in sections by \(section)" }
    if let limit = request.fetchLimit, limit > 0 { text += " limit \(limit)" }
    if request.fetchOffset > 0 { text += " offset \(request.fetchOffset)" }
    return text
  }

  /// The request with one change.
  func with(_ change: (inout Queries.FetchRequest) throws -> Void) throws -> BoundRequest {
    var request = request
    try change(&request)
    return try BoundRequest(checking: request, context)
  }

  /// The request, ready for the store.
  func ready(_ call: Call) throws -> Queries.FetchRequest {
    try context.checkOpen(call.place)
    try request.validate(for: .fetch)
    return request.inSectionOrder
  }

  // MARK: Answers

  /// The results of the request's result type.
  func fetch(_ call: Call) throws -> ReturnValue {
    let request = try ready(call)
    switch request.resultType {
    case .objects:
      return .object(BoundResult(try context.objectContext.fetch(request), context))
    case .objectIDs:
      return .value(.list(try context.objectContext.fetch(request).objectIDs.map(Value.object)))
    case .dictionaries:
      try context.objectContext.watched(request) {
        if let rows = try context.objectContext.groupsWithUnsavedChanges(of: request) {
          return try call.push(rows: rows, request.dictionaryColumns, context)
        }
        try call.pushRows(of: try context.store.objectStore.dictionaries(request), context: context)
      }
      return .pushed(1)
    case .count: return .integer(try context.objectContext.count(request))
    }
  }

  func count(_ call: Call) throws -> Int {
    let request = try ready(call)
    if let rows = try context.objectContext.groupsWithUnsavedChanges(of: request) { return rows.count }
    return try context.objectContext.count(request)
  }

  func exists(_ call: Call) throws -> Bool {
    var request = try ready(call)
    request.fetchLimit = 1
    return try context.objectContext.count(request) > 0
  }

  func first(_ call: Call) throws -> ReturnValue {
    let request = try ready(call)
    guard request.resultType == .objects else {
      let one = try with { $0.fetchLimit = 1 }
      let count = try call.push(one.fetch(call))
      call.stack.rawGet(element: 1, at: -1)
      return .pushed(count)
    }
    guard let object = try context.objectContext.first(request) else { return .luaNil }
    return .pushing { [context] in try context.push(object, on: $0) }
  }

  /// `request:sum "magnitude"`
  func aggregate(_ function: ExpressionFunction, _ call: Call) throws -> ReturnValue {
    let text = try call.expressionText(1)
    let expression = Queries.Expression.call(function, try Queries.Expression.parse(text))
    let request = try ready(call)
    try expression.check(in: entity, for: .fetch, overGroup: true)
    var row = request
    (row.resultType, row.propertiesToFetch) = (.dictionaries, [FetchedColumn(text, expression)])
    (row.sortDescriptors, row.sectionIdentifier) = ([], nil)
    let isCut = request.fetchOffset > 0 || (request.fetchLimit ?? 0) > 0
    let values = try context.objectContext.watched(request) {
      if !isCut, let rows = try context.objectContext.groupsWithUnsavedChanges(of: row) { return rows[0] }
      return try context.store.objectStore.aggregate(request, [expression])
    }
    return .pushing { [context] in try context.push(values.first ?? .null, on: $0) }
  }

  /// The explanation of the request.
  func explain(_ call: Call) throws -> ReturnValue {
    try ExplanationTable.answer(try context.store.objectStore.plans.explain(try ready(call)), of: self)
  }

  // MARK: Batch requests

  func delete(_ call: Call, resultType: BatchResultType) throws -> ReturnValue {
    let request = try ready(call)
    try context.approve(call.place) { try BatchForecast(context.objectContext).deleted(by: request) }
    let result = try context.objectContext.batchDelete(request, resultType: resultType)
    context.store.forgetDeletedRows()
    // A batch request is a save.
    call.engine.savedCounts.add(WorkCounts(deleted: result.count))
    return result.answer(resultType)
  }

  /// Updates all objects of the request with the values of the table at `index`.
  func update(_ call: Call, at index: Int32, resultType: BatchResultType) throws -> ReturnValue {
    let request = try ready(call)
    let changes = try context.entity(entity).values(at: index, call)
    try context.approve(call.place) {
      try BatchForecast(context.objectContext).updated(by: request, changes)
    } rehearsing: {
      try BatchForecast(context.objectContext).rehearse(updating: request, changes)
    }
    let result = try context.objectContext.batchUpdate(request, changes, resultType: resultType)
    context.store.refreshAllObjects()
    call.engine.savedCounts.add(WorkCounts(updated: result.count))
    return result.answer(resultType)
  }
}
