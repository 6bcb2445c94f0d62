internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Reactive

/// Objects that a request selects, kept true: a list of them, or of sections.
final class BoundFetchedResults: LiveBound {
  static let luaName = "FetchedResults"
  var place: String { "results" }

  let results: FetchedResults
  let context: BoundContext
  /// Whether the objects are a plain list also where there are sections, as those of a `Query`.
  let isFlat: Bool
  /// Whether the elements are IDs of objects.
  private let givesIDs: Bool
  var isReversed: Bool
  let configurationSources = ConfigurationSources()
  /// The Lua class of the objects.
  private let objects: ObjectClass
  /// The number of bytes that are reported to Lua's collector.
  private var accountedBytes = 0

  init(_ configuration: ResultsConfiguration, _ context: BoundContext, isFlat: Bool = false) throws {
    var request = configuration.request
    givesIDs = request.resultType == .objectIDs
    request.resultType = .objects
    results = try FetchedResults(request, in: context.live)
    results.animation = configuration.animation
    isReversed = configuration.isReversed
    self.context = context
    self.isFlat = isFlat
    objects = context.objects(of: request.entity)
    account()
  }

  deinit {
    if !context.engine.lua.isClosed { context.engine.lua.accountExternalBytes(-accountedBytes) }
  }

  /// Adds the memory of the keys to the memory that Lua's limit counts.
  private func account() {
    let bytes = results.count * 24
    context.engine.lua.accountExternalBytes(bytes - accountedBytes)
    accountedBytes = bytes
  }

  /// Whether the elements are sections.
  var isSectioned: Bool { !isFlat && results.request.isSectioned }

  func summary() -> String {
    let objects = "\(results.count) × \(results.request.entity.name)"
    let sections = isSectioned ? " in \(ErrorReport.count(results.sections.count, "section"))" : ""
    return "\(objects)\(sections), \(state)"
  }

  // MARK: Elements

  /// How many elements there are: objects or sections.
  var count: Int { isSectioned ? results.sections.count : results.count }

  /// Pushes the element at a place counted from 1; nil outside.
  func push(at position: Int, on stack: LuaStack) throws {
    guard position >= 1, position <= count else { return stack.pushNil() }
    if isSectioned { return pushSection(at: position - 1, on: stack) }
    try push(object: position - 1, on: stack)
  }

  /// Pushes the object at an index from 0, which there is.
  func push(object index: Int, on stack: LuaStack) throws {
    if givesIDs {
      return context.engine.push(id: results.objectIDs(index..<index + 1)[0], on: stack)
    }
    try context.checkOpen(place)
    try objects.push(results.slot(at: index), on: stack)
  }

  /// Pushes the section at an index from 0, which there is.
  func pushSection(at index: Int, on stack: LuaStack) {
    context.engine.sections.push(BoundSection(self, id: results.sections[index].id), on: stack)
  }

  /// Pushes the section with an ID; nil where there is none.
  func pushSection(_ id: Value, on stack: LuaStack) {
    if let index = sectionIDs(id).lazy.compactMap({ self.results.sections.index(of: $0) }).first {
      pushSection(at: index, on: stack)
    } else {
      stack.pushNil()
    }
  }

  /// Pushes what goes through the objects of a range, as they are now.
  func pushEach(_ range: Range<Int>, on stack: LuaStack) throws {
    try context.checkOpen(place)
    let ids = results.objectIDs(range)
    if givesIDs {
      var next = ids.makeIterator()
      let engine = context.engine
      return stack.pushFunction { stack in
        guard let id = next.next() else { return 0 }
        engine.push(id: id, on: stack)
        return 1
      }
    }
    // A save gives other keys to new objects while the loop runs, and leaves their slots.
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
  func didReplace() { account() }
}

extension BoundFetchedResults {
  /// What scripts may mean by a section's ID: a value of the attribute's type, and numbers are one kind for them.
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
