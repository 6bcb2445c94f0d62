public import LiveQueries
public import LuaRuntime
public import Queries

/// Live groups, aggregates or other rows of values that a program shows on a screen of its own.
public struct WatchedValues {
  private let bound: BoundFetchedValues
  private let isOwn: Bool

  init(_ bound: BoundFetchedValues, isOwn: Bool) {
    self.bound = bound
    self.isOwn = isOwn
  }

  /// The rows.
  public var values: FetchedValues { bound.values }
  /// Whether they no longer follow the store, which may have been closed.
  public var isClosed: Bool { bound.isClosed || bound.context.isClosed }

  /// Changes the order, as a script does by `values:configure`: one fetch, one change for observers.
  ///
  /// - Throws: PredicateError, StoreError; the configuration stays unchanged then. EndlessRounds.
  public func sort(by order: [SortDescriptor]) throws {
    try bound.configure("watch", ["sortDescriptors"]) {
      $0.request.sortDescriptors = order
      $0.isReversed = false
    }
  }

  /// Closes values that were made live to be watched; those that a script made live stay open.
  public func close() {
    if isOwn { bound.close() }
  }
}

extension Engine {
  /// The live values that the value at `index` is, or that are made of the request of dictionaries or a count that it is; nil
  /// for anything else.
  public func watchedValues(at index: Int32, on stack: LuaStack) throws -> WatchedValues? {
    if let live = classes.object(BoundFetchedValues.self, at: index, on: stack) {
      return WatchedValues(live, isOwn: false)
    }
    guard let request = classes.object(BoundRequest.self, at: index, on: stack),
      request.request.resultType == .dictionaries || request.request.resultType == .count
    else { return nil }
    try request.context.checkOpen("watch")
    try request.request.validate(for: .fetch)
    let configuration = ResultsConfiguration(request: request.request, animation: request.request.animation)
    return WatchedValues(try BoundFetchedValues(configuration, request.context), isOwn: true)
  }
}
