internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Reactive

/// Live objects of a request: a list of objects, or of sections.
final class BoundFetchedResults: LiveBound, BoundList {
  static let luaName = "FetchedResults"
  var place: String { "results" }

  let results: FetchedResults
  let context: BoundContext
  /// Whether the objects are a plain list even with sections, as in a `Query`.
  let isFlat: Bool
  /// Whether the elements are object IDs.
  private let givesIDs: Bool
  var isReversed: Bool
  let configurationSources = ConfigurationSources()
  /// The columns that a script has given to show and watch; nil for those of the entity.
  var shownColumns: LuaReference?
  /// The facets that follow the predicate.
  var followers: [Follower] = []
  /// The Lua class of the objects.
  private let objects: ObjectClass
  /// The number of bytes that are reported to Lua's collector.
  private var accountedBytes = 0

  init(_ configuration: ResultsConfiguration, _ context: BoundContext, isFlat: Bool = false) throws {
    var request = configuration.request
    givesIDs = request.resultType == .objectIDs
    request.resultType = .objects
    try context.engine.host.largeResultWatch?.look(at: request, in: context.objectContext.store)
    results = try FetchedResults(request, in: context.live)
    results.animation = configuration.animation.map(Animation.init)
    isReversed = configuration.isReversed
    self.context = context
    self.isFlat = isFlat
    objects = context.objects(of: request.entity)
    account()
  }

  deinit {
    if !context.engine.lua.isClosed { context.engine.lua.accountExternalBytes(-accountedBytes) }
  }

  /// Reports the memory of the keys to Lua, for its memory limit.
  private func account() {
    let bytes = results.count * 24
    context.engine.lua.accountExternalBytes(bytes - accountedBytes)
    accountedBytes = bytes
  }

  /// Whether the elements are sections.
  var isSectioned: Bool { !isFlat && results.request.isSectioned }

  func summary() -> String {
    let objects = "\(Quantity.grouped(results.count)) × \(results.request.entity.name)"
    let sections = isSectioned ? " in \(ErrorReport.count(results.sections.count, "section"))" : ""
    return "\(objects)\(sections), \(state)"
  }

  // MARK: Elements

  /// The number of elements: objects or sections.
  var count: Int { isSectioned ? results.sections.count : results.count }

  /// Pushes the element at a one-based index; nil outside.
  func push(at position: Int, on stack: LuaStack) throws {
    guard position >= 1, position <= count else { return stack.pushNil() }
    if isSectioned { return context.engine.classes.push(section(at: position - 1), on: stack) }
    try push(object: position - 1, on: stack)
  }

  /// Pushes the object at an existing zero-based index.
  func push(object index: Int, on stack: LuaStack) throws {
    if givesIDs {
      return context.engine.values.push(id: results.objectIDs(index..<index + 1)[0], on: stack)
    }
    try context.checkOpen(place)
    try objects.push(results.slot(at: index), on: stack)
  }

  /// The section at an existing zero-based index.
  func section(at index: Int) -> BoundSection { BoundSection(self, id: results.sections[index].id) }

  /// The section with an ID; nil if there is none.
  func section(_ id: Value) -> BoundSection? {
    sectionIDs(id).lazy.compactMap { self.results.sections.index(of: $0) }.first.map(section)
  }

  /// Pushes an iterator over the current objects of a range.
  func pushEach(_ range: Range<Int>, on stack: LuaStack) throws {
    try context.checkOpen(place)
    let ids = results.objectIDs(range)
    if givesIDs {
      var next = ids.makeIterator()
      let engine = context.engine
      return stack.pushFunction { stack in
        guard let id = next.next() else { return 0 }
        engine.values.push(id: id, on: stack)
        return 1
      }
    }
    // A save during the loop gives new objects other keys but keeps their slots.
    let slots = ids.map { $0.isTemporary ? context.objectContext.object($0).slot : -1 }
    let result = FetchResult(
      context: context.objectContext, entity: results.request.entity, keys: ids.map(\.key), slots: slots)
    BoundResult(result, context).pushEach(on: stack)
  }

  /// Pushes a list of the objects in a range.
  func pushList(_ range: Range<Int>, on stack: LuaStack) throws {
    stack.reserve(6)
    stack.pushTable(array: Int32(clamping: range.count))
    for index in range {
      try push(object: index, on: stack)
      stack.rawSet(element: Int64(index - range.lowerBound + 1), at: -2)
    }
  }

  // MARK: As a live result

  var query: FetchedResults { results }
  var columns: [String]? { nil }
  var rowName: String { results.request.entity.name }
  func explanation() throws -> LiveExplanation { try results.explanation() }
  func didReplace() throws {
    account()
    try updateFollowers()
  }
}

extension BoundFetchedResults {
  /// The possible section IDs for a script's value: one of the attribute's type, where scripts have a single kind of
  /// numbers.
  private func sectionIDs(_ value: Value) -> [Value] {
    var ids = [value]
    if case .path(let path)? = results.request.sectionIdentifier,
      let attribute = try? path.resolve(in: results.request.entity).finalAttribute,
      let id = try? attribute.coerce(value)
    {
      ids.append(id)
    }
    switch value {
    case .int(let number): ids.append(.double(Double(number)))
    case .double(let number): ids += Int64(exactly: number).map { [.int($0)] } ?? []
    default: break
    }
    return ids
  }
}

extension BoundFetchedResults: ObjectList {
  func objectList() -> [ManagedObject] { (0..<results.count).map { results[$0] } }
  func objectIDList() -> [ObjectID] { results.objectIDs(0..<results.count) }
}
