public import LiveQueries
public import LuaRuntime
public import Queries

/// Live objects on a program's own screen, whose keys change the configuration.
///
///     let watched = try engine.watchedResults(at: 1, on: stack)
///     try watched?.configure { $0.sortDescriptors = [SortDescriptor("-magnitude")] }
public struct WatchedResults {
  private let bound: BoundFetchedResults
  private let isOwn: Bool

  init(_ bound: BoundFetchedResults, isOwn: Bool) {
    self.bound = bound
    self.isOwn = isOwn
  }

  /// The objects.
  public var results: FetchedResults { bound.results }
  /// Whether they are shown by sections.
  public var isSectioned: Bool { bound.isSectioned }
  /// Whether they no longer follow the store, which may be closed.
  public var isClosed: Bool { bound.isClosed || bound.context.isClosed }

  /// Changes predicate and order, as `results:configure` does: one fetch, one change for observers.
  ///
  /// - Throws: PredicateError, StoreError; then the configuration is unchanged. EndlessRounds.
  public func configure(_ change: (inout FetchRequest) throws -> Void) throws {
    try bound.configure("watch", ["predicate", "sortDescriptors"]) { configuration in
      let order = configuration.request.sortDescriptors
      try change(&configuration.request)
      if configuration.request.sortDescriptors != order { configuration.isReversed = false }
    }
  }

  /// Closes results that were created for the screen; results of a script stay open.
  public func close() {
    if isOwn { bound.close() }
  }
}

extension Engine {
  /// The live objects in the value at `index`, or live objects of the request or entity in it; nil for other values,
  /// including requests of dictionaries and counts.
  public func watchedResults(at index: Int32, on stack: LuaStack) throws -> WatchedResults? {
    if let live = classes.object(BoundFetchedResults.self, at: index, on: stack) {
      return WatchedResults(live, isOwn: false)
    }
    var found: (configuration: ResultsConfiguration, context: BoundContext)?
    if let request = classes.object(BoundRequest.self, at: index, on: stack) {
      found = (ResultsConfiguration(request: request.request, animation: request.request.animation), request.context)
    } else if let entity = classes.object(BoundEntity.self, at: index, on: stack) {
      found = (ResultsConfiguration(request: Queries.FetchRequest(entity.entity)), entity.context)
    }
    guard let found, found.configuration.request.resultType == .objects else { return nil }
    try found.context.checkOpen("watch")
    try found.configuration.request.validate(for: .fetch)
    return WatchedResults(try BoundFetchedResults(found.configuration, found.context), isOwn: true)
  }
}
