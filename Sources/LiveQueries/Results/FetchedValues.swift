public import Modeling
internal import ObjectGraph
public import Queries
internal import Stores

/// The dictionaries or the count that a request selects, kept up to date while the store and the context change.
///
/// A count, and dictionaries of single objects, are maintained as objects are; groups, aggregates and distinct values by the rows
/// that changes touch (`MaintainedGroups`). What cannot be maintained is fetched again when a table that it is read from was
/// written, and compared; `explanation` says why. Dictionaries of single objects are read from the store alone.
public final class FetchedValues: LiveQuery, RandomAccessCollection {
  private var content: Content
  /// The state that observers received last, if the content has been replaced since.
  private var untold: Content?
  private var batch: (start: Int, rows: [[Value]])?

  private enum Content {
    /// A count, by the objects' keys.
    case count(ResultsState)
    /// A dictionary for each object, by the objects' keys.
    case rows(ResultsState)
    /// Groups, aggregates and distinct values.
    case groups(MaintainedGroups)
    /// Groups as the server has counted them, which are maintained once they change.
    case counted(FetchedGroups, GroupPlan)
    /// Everything that was fetched.
    case fetched(FetchedGroups)
  }

  /// Fetches `request` and follows its results from now on.
  ///
  /// - Throws: PredicateError, StoreError; GraphError, such as .tooManyValues beyond `live.mostGroups`.
  public init(_ request: FetchRequest, in live: LiveContext) throws {
    content = try Self.content(request, live)
    super.init(following: request, in: live)
  }

  private static func content(_ request: FetchRequest, _ live: LiveContext) throws -> Content {
    var objects = request
    objects.resultType = .objects
    if request.resultType == .count {
      objects.sortDescriptors = []
      return .count(try ResultsState(objects, in: live.context))
    }
    let isGrouped = request.isAggregated || request.havingPredicate != nil || request.returnsDistinctResults
    if isGrouped {
      do {
        let (plan, context) = (try GroupPlan(request, live.context.store), live.context)
        let mayBeCounted =
          context.parent == nil && context.store.traits.rowsPerRoundTrip > 0 && !context.hasUnsavedObjects(of: request)
        let mostRows = mayBeCounted ? live.mostGroupedRows : .max
        do {
          return .groups(try MaintainedGroups(plan, in: context, most: live.mostGroups, mostRows: mostRows))
        } catch is MaintainedGroups.TooManyRows {
          return .counted(try FetchedGroups(request, context, because: nil, most: live.mostGroups), plan)
        }
      } catch let obstacle as GroupPlan.Obstacle {
        return .fetched(try FetchedGroups(request, live.context, because: obstacle.reason))
      }
    }
    if live.context.parent != nil { return .fetched(try FetchedGroups(request, live.context, because: nil)) }
    objects.includesPendingChanges = false
    return .rows(try ResultsState(objects, showing: request, in: live.context))
  }

  // MARK: Values

  /// The names of the values in each row.
  public var columns: [String] { request.dictionaryColumns }

  /// The first index: 0.
  public var startIndex: Int { 0 }

  /// The number of rows; 1 for a count.
  public var endIndex: Int {
    source.access()
    switch content {
    case .count: return 1
    case .rows(let state): return state.count
    case .groups(let groups): return groups.count
    case .fetched(let groups), .counted(let groups, _): return groups.rows.count
    }
  }

  /// The count; nil for dictionaries.
  public var value: Int? {
    source.access()
    if case .count(let state) = content { return state.count }
    return nil
  }

  /// The value of a request's lone aggregate over all objects; nil for anything else.
  public var aggregate: Value? {
    source.access()
    guard case .groups(let groups) = content, groups.plan.isSingle, columns.count == 1 else { return nil }
    return try? row(at: 0)[0]
  }

  /// The row at `index`, from 0.
  ///
  /// - Throws: StoreError.
  public func row(at index: Int) throws -> [Value] {
    source.access()
    switch content {
    case .count(let state): return [.int(Int64(state.count))]
    case .fetched(let groups), .counted(let groups, _): return groups.rows[index]
    case .rows, .groups:
      let start = index - index % Self.batchSize
      if batch?.start != start { batch = (start, try rows(start..<Swift.min(start + Self.batchSize, count))) }
      guard let rows = batch?.rows, rows.indices.contains(index - start) else { return columns.map { _ in .null } }
      return rows[index - start]
    }
  }

  /// The row at `index`; nulls if it cannot be read.
  public subscript(index: Int) -> [Value] { (try? row(at: index)) ?? columns.map { _ in .null } }

  private static let batchSize = 256

  private func rows(_ range: Range<Int>) throws -> [[Value]] {
    switch content {
    case .rows(let state): try read(state.keys(range))
    case .groups(let groups): try groups.values(range)
    case .count, .fetched, .counted: []
    }
  }

  private func read(_ keys: [Int64]) throws -> [[Value]] {
    var request = request
    request.fetchLimit = nil
    request.fetchOffset = 0
    let objects = keys.map { Queries.Expression.constant(.object(ObjectID(entity: request.entity, key: $0))) }
    request.predicate = .comparison(Comparison(.object, .in, .aggregate(objects)))
    return try live.context.store.allRows(of: request, tiesByKey: true)
  }

  /// Describes how the values are kept up to date.
  ///
  /// - Throws: StoreError.
  public func explanation() throws -> LiveExplanation {
    switch content {
    case .count(let state), .rows(let state): return try state.explanation()
    case .groups(let groups): return try groups.explanation()
    case .fetched(let groups), .counted(let groups, _):
      var explanation = LiveExplanation(
        method: .refetched, count: groups.rows.count, heldCount: groups.rows.count, byteCount: 0,
        tables: groups.tables.sorted())
      explanation.groupObstacle = groups.obstacle
      explanation.changeSource = live.context.store.changeSource(of: groups.tables)
      return explanation
    }
  }

  // MARK: As a live query

  /// Compares the kept groups with their rows.
  override func checkInvariants() throws {
    switch content {
    case .count(let state), .rows(let state): try state.checkInvariants()
    case .groups(let groups): try groups.checkInvariants()
    case .fetched, .counted: break
    }
  }

  override var tables: Set<String> {
    switch content {
    case .count(let state), .rows(let state): state.tables
    case .groups(let groups): groups.tables
    case .fetched(let groups), .counted(let groups, _): groups.tables
    }
  }

  override func load(_ wanted: FetchRequest) throws {
    let next = try Self.content(wanted, live)
    if untold == nil { untold = content }
    content = next
  }

  override var isDue: Bool {
    switch content {
    case _ where untold != nil || super.isDue: true
    case .count(let state), .rows(let state): state.isDue
    case .groups(let groups): groups.isDue
    case .fetched(let groups), .counted(let groups, _): groups.isDue
    }
  }

  override func advance(_ round: RoundChanges) throws -> ResultsChange? {
    let before = untold
    var change: ResultsChange?
    switch content {
    case .count(let state):
      let count = state.count
      _ = try state.advance(round, reload: needsReload)
      if before == nil, state.count != count { change = .replaced(round.kind, 1, 1) }
    case .rows(let state):
      change = try state.advance(round, reload: needsReload)
      batch = nil
      if !observers.isEmpty { try change?.addValues(row(at:)) }
    case .groups(let groups):
      change = try groups.advance(round, reload: needsReload)
      if change != nil { live.liveStore.groupStatistics.add(groups.lastLook) }
    case .fetched(var groups):
      change = try groups.advance(round, in: live.context, reload: needsReload)
      content = .fetched(groups)
    case .counted(var groups, let plan):
      guard groups.mayChange(round, reload: needsReload) || live.context.hasUnsavedObjects(of: request) else { break }
      let maintained = try MaintainedGroups(plan, in: live.context)
      change = groups.replace(try maintained.values(0..<maintained.count), round.kind)
      (content, batch) = (.groups(maintained), nil)
    }
    guard let before else { return change }
    untold = nil
    change = .replaced(.configuration, Self.count(before), Self.count(content))
    if value == nil, !observers.isEmpty { try change?.addValues(row(at:)) }
    return change
  }

  override func forgetBatch() { batch = nil }

  private static func count(_ content: Content) -> Int {
    switch content {
    case .count: 1
    case .rows(let state): state.count
    case .groups(let groups): groups.count
    case .fetched(let groups), .counted(let groups, _): groups.rows.count
    }
  }
}

extension ResultsChange {
  /// Adds the current values of the rows.
  fileprivate mutating func addValues(_ row: (Int) throws -> [Value]) throws {
    for list in [\ResultsChange.inserted, \.updated, \.moved] {
      for index in self[keyPath: list].indices {
        guard let place = self[keyPath: list][index].index else { continue }
        self[keyPath: list][index].values = try row(place)
      }
    }
  }

  /// A change of all rows; a single row on both sides is an update.
  fileprivate static func replaced(_ kind: Kind, _ old: Int, _ new: Int) -> ResultsChange {
    var change = ResultsChange(kind)
    if old == 1, new == 1 {
      change.updated = [Entry(index: 0, oldIndex: 0)]
      return change
    }
    change.deleted = (0..<old).map { Entry(oldIndex: $0) }
    change.inserted = (0..<new).map { Entry(index: $0) }
    return change
  }
}
