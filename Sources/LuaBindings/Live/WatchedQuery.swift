public import LiveQueries
public import LuaRuntime
public import Queries

/// Live objects or live rows of values on a program's own screen, whose keys change the configuration.
///
///     let watched = try WatchedQuery(at: 1, on: stack, in: engine)
///     try watched?.configure { $0.sortDescriptors = [SortDescriptor("-magnitude")] }
public struct WatchedQuery {
  /// What is live.
  public enum Rows {
    case objects(FetchedResults)
    case values(FetchedValues)
  }

  /// What is live.
  public let rows: Rows
  private let bound: any LiveBound
  private let isOwn: Bool

  private init(_ bound: BoundFetchedResults, isOwn: Bool) {
    (rows, self.bound, self.isOwn) = (.objects(bound.results), bound, isOwn)
  }

  private init(_ bound: BoundFetchedValues, isOwn: Bool) {
    (rows, self.bound, self.isOwn) = (.values(bound.values), bound, isOwn)
  }

  /// What both kinds have in common.
  public var query: LiveQuery {
    switch rows {
    case .objects(let results): results
    case .values(let values): values
    }
  }
  /// Whether they are shown by sections.
  public var isSectioned: Bool { bound.isSectioned }
  /// Whether they no longer follow the store, which may be closed.
  public var isClosed: Bool { bound.isClosed || bound.context.isClosed }

  /// Changes predicate and order, as a script does by `results:configure`: one fetch, one change for observers.
  ///
  /// - Throws: PredicateError, StoreError; then the configuration is unchanged. EndlessRounds.
  public func configure(_ change: (inout FetchRequest) throws -> Void) throws {
    try bound.configure("watch", ["predicate", "sortDescriptors"]) { configuration in
      let order = configuration.request.sortDescriptors
      try change(&configuration.request)
      if configuration.request.sortDescriptors != order { configuration.isReversed = false }
    }
  }

  /// Closes what was made live for the screen; what a script made live stays open.
  public func close() {
    if isOwn { bound.close() }
  }
}

extension WatchedQuery {
  /// The live objects or values in the value at `index`, or those of the request or entity in it; nil for other values,
  /// including requests of object IDs.
  ///
  /// - Throws: ScriptError if the store is closed; PredicateError, StoreError.
  public init?(at index: Int32, on stack: LuaStack, in engine: Engine) throws {
    let classes = engine.classes
    if let live = classes.object(BoundFetchedResults.self, at: index, on: stack) {
      self.init(live, isOwn: false)
    } else if let live = classes.object(BoundFetchedValues.self, at: index, on: stack) {
      self.init(live, isOwn: false)
    } else if let request = classes.object(BoundRequest.self, at: index, on: stack) {
      let configuration = ResultsConfiguration(request: request.request, animation: request.request.animation)
      try self.init(configuration, request.context)
    } else if let entity = classes.object(BoundEntity.self, at: index, on: stack) {
      try self.init(ResultsConfiguration(request: Queries.FetchRequest(entity.entity)), entity.context)
    } else {
      return nil
    }
  }

  private init?(_ configuration: ResultsConfiguration, _ context: BoundContext) throws {
    if configuration.request.resultType == .objectIDs { return nil }
    try context.checkOpen("watch")
    try configuration.request.validate(for: .fetch)
    if configuration.request.resultType == .objects {
      self.init(try BoundFetchedResults(configuration, context), isOwn: true)
    } else {
      self.init(try BoundFetchedValues(configuration, context), isOwn: true)
    }
  }
}
