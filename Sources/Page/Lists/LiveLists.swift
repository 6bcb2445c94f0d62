internal import LiveQueries
internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Reactive

/// The live results that pages show windows of, the most recently used ones.
///
/// Each is read once and follows every commit from then on, so that a window costs the same at any place. What no page has asked
/// for in a while makes room; a page that asks again reads it again.
final class LiveLists {
  /// A live result that pages show: objects, or the values of a facet.
  final class List {
    /// What pages call it by.
    let number: Int
    let rows: WatchedQuery.Rows
    fileprivate let request: FetchRequest
    fileprivate let watched: WatchedQuery
    fileprivate var token: ObservationToken?
    fileprivate var lastUse = 0

    fileprivate init(_ number: Int, _ request: FetchRequest, _ watched: WatchedQuery) {
      (self.number, self.request, self.watched, rows) = (number, request, watched, watched.rows)
    }

    /// How many objects or values there are.
    var count: Int {
      switch rows {
      case .objects(let results): results.count
      case .values(let values): values.count
      }
    }

    fileprivate func close() {
      token?.cancel()
      watched.close()
    }
  }

  private let engine: Engine
  private var lists: [List] = []
  private var uses = 0
  private var lastNumber = 0
  /// Called when the rows of a list have changed.
  var onChange: (List) -> Void = { _ in }

  /// How many results are kept: each holds some 20 bytes a row.
  static let most = 24
  /// How many values are counted: more would take longer than a page may.
  var mostValues = 50_000
  /// How many rows of a server are read to count values; it counts more of them sooner itself.
  var mostRowsRead = 100_000
  /// A request with more values, and when it is tried again.
  private var refusal: (request: FetchRequest, error: GraphError, end: Double)?
  private static let refusalTime = 10.0

  init(_ engine: Engine) { self.engine = engine }

  /// The live objects of a request.
  ///
  /// - Throws: PredicateError, StoreError.
  func objects(of request: FetchRequest) throws -> (list: List, results: FetchedResults) {
    let list = try list(of: request)
    guard case .objects(let results) = list.rows else { throw PageProblem.noPage }
    return (list, results)
  }

  /// The live values of a request for dictionaries.
  ///
  /// - Throws: PredicateError, StoreError, `GraphError.tooManyValues`.
  func values(of request: FetchRequest) throws -> (list: List, values: FetchedValues) {
    if let refusal, refusal.request == request, monotonicSeconds() < refusal.end { throw refusal.error }
    guard let live = engine.mainLiveContext else { throw PageProblem.noPage }
    (live.mostGroups, live.mostGroupedRows) = (mostValues, mostRowsRead)
    defer { (live.mostGroups, live.mostGroupedRows) = (.max, .max) }
    let list: List
    do { list = try self.list(of: request) } catch let error as GraphError {
      refusal = (request, error, monotonicSeconds() + Self.refusalTime)
      throw error
    }
    guard case .values(let values) = list.rows else { throw PageProblem.noPage }
    return (list, values)
  }

  private func list(of request: FetchRequest) throws -> List {
    uses += 1
    if let known = lists.first(where: { $0.request == request && !$0.watched.isClosed }) {
      known.lastUse = uses
      return known
    }
    guard let reference = try engine.reference(to: request) else { throw PageProblem.noPage }
    let stack = engine.lua.stack
    stack.reserve(4)
    stack.push(reference)
    defer { stack.pop() }
    guard let watched = try WatchedQuery(at: -1, on: stack, in: engine) else { throw PageProblem.noPage }
    lastNumber += 1
    let list = List(lastNumber, request, watched)
    list.lastUse = uses
    list.token = watched.query.onChange(name: "page") { [weak self, weak list] _ in
      if let self, let list { onChange(list) }
    }
    lists.append(list)
    makeRoom()
    return list
  }

  private func makeRoom() {
    while lists.count > Self.most, let index = lists.indices.min(by: { lists[$0].lastUse < lists[$1].lastUse }) {
      lists.remove(at: index).close()
    }
  }

  func close() {
    for list in lists { list.close() }
    lists = []
  }
}
