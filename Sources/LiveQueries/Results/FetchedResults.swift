public import Modeling
public import ObjectGraph
public import Queries

/// The objects that a request selects, kept up to date while the store and the context change.
///
///     let quakes = try FetchedResults(request, in: live.context(context))
///     let token = quakes.onChange { change in print(change.inserted.count, "new") }
///     quakes.predicate = try Predicate.parse("magnitude >= 6")
///
/// The results hold only keys, about 20 bytes a row; objects are read in batches around the accessed index. A commit is
/// followed to the rows that it can have affected, so that k changes in n rows cost O(k log n); `explanation` describes
/// exceptions. Results with observers live until they are closed or the tokens are cancelled.
public final class FetchedResults: LiveQuery, RandomAccessCollection {
  /// The objects' table.
  let table: ObjectTable
  private(set) var state: ResultsState
  private var sectionValues: SectionValues?
  /// The state that observers received last, if the results were replaced since.
  var untoldFrom: Arrangement.ShownRows?
  private var batch: (start: Int, result: FetchResult)?

  /// Fetches `request` and follows its results from now on.
  ///
  /// - Throws: PredicateError, GraphError for a request of dictionaries or counts, StoreError.
  public init(_ request: FetchRequest, in live: LiveContext) throws {
    table = live.context.table(for: request.entity)
    state = try ResultsState(request, in: live.context)
    sectionValues = try SectionValues(request, in: live.context)
    super.init(following: request, in: live)
  }

  // MARK: Objects

  /// The first index: 0.
  public var startIndex: Int { 0 }
  /// The index after the last object.
  public var endIndex: Int { count }

  /// The number of objects.
  public var count: Int {
    source.access()
    return state.count
  }

  /// The object at `index`, from 0; the access also reads the objects around it.
  public subscript(index: Int) -> ManagedObject {
    precondition(index >= 0 && index < state.count, "there is no object at \(index)")
    source.access()
    return ManagedObject(table: table, slot: slot(at: index))
  }

  /// The slot of the object at `index`.
  public func slot(at index: Int) -> Int32 {
    let result: FetchResult
    let start = index - index % Self.batchSize
    if let batch, batch.start == start {
      result = batch.result
    } else {
      let keys = state.keys(start..<Swift.min(start + Self.batchSize, state.count))
      result = FetchResult(context: live.context, entity: request.entity, keys: keys)
      // Rows that cannot be read now are read on access, which reports the error.
      try? live.context.prepare(result, as: request)
      batch = (start, result)
      live.wake(self)
    }
    return result.slot(at: index - start)
  }

  /// The number of objects to register at once.
  private static let batchSize = 256

  /// The index of an object; nil if the results do not contain it. O(log n).
  public func index(of object: ManagedObject) -> Int? {
    source.access()
    guard object.table === table else { return nil }
    return state.index(of: object.objectID.key)
  }

  /// The IDs of the objects in a range, without creating the objects.
  public func objectIDs(_ range: Range<Int>) -> [ObjectID] {
    source.access()
    return state.keys(range).map { ObjectID(entity: request.entity, key: $0) }
  }

  // MARK: As a live query

  override func checkInvariants() throws { try state.checkInvariants() }

  override var tables: Set<String> { state.tables.union(sectionValues?.tables ?? []) }

  override func load(_ wanted: FetchRequest) throws {
    let before = untoldFrom ?? state.snapshot()
    // Only the next round reports pending changes.
    let next = try ResultsState(wanted, in: live.context)
    let values = try SectionValues(wanted, in: live.context)
    next.takeOver(state)
    (state, sectionValues) = (next, values)
    untoldFrom = before
  }

  override var isDue: Bool { untoldFrom != nil || state.isDue || sectionValues?.isDue == true || super.isDue }

  override var isSettled: Bool {
    untoldFrom == nil && sectionValues == nil && !table.hasUnsavedChanges && state.isSettled
  }

  override func isUnconcerned(by rows: SharedRows) -> Bool { isSettled && state.isUnconcerned(by: rows) }

  override func makeEntry(in index: ConditionIndex) -> ConditionIndex.Entry? {
    guard let plan = state.plan, plan.isDecidedByRow else { return nil }
    return index.add(ObjectIdentifier(self), plan.ranges, of: request.entity, table: plan.table, in: live.context.store)
  }

  override func advance(_ round: RoundChanges) throws -> ResultsChange? {
    var change = try state.advance(round, reload: needsReload, from: untoldFrom)
    untoldFrom = nil
    let changed = try sectionValues?.advance(round, in: live.context, reload: needsReload) ?? []
    let places = changed.compactMap { id in state.sectionIndex(of: id).map { (index: $0, id: id) } }
    if !places.isEmpty {
      var reported = change ?? ResultsChange(round.kind)
      let new = Set(reported.insertedSections.map(\.index))
      reported.updatedSections = places.filter { !new.contains($0.index) }.sorted { $0.index < $1.index }
        .map { ResultsChange.SectionEntry(index: $0.index, id: $0.id) }
      change = reported
    }
    return change
  }

  override func forgetBatch() { batch = nil }

  override var reportedChanges: [[Int64: PendingOverlay.ReportedState]] {
    [state.overlay.reported] + state.parents.map(\.reported)
  }
}

extension FetchedResults {
  /// The aggregates of the section with an ID, in the order of the request's `sectionValues`; nil where there is no such section,
  /// or no values are asked for.
  ///
  /// - Throws: PredicateError.
  public func values(ofSection id: Value) throws -> [Value]? {
    source.access()
    return try sectionValues?.values(of: id)
  }

  /// Which objects; nil for all.
  public var predicate: Queries.Predicate? { request.predicate }
  /// The order.
  public var sortDescriptors: [Queries.SortDescriptor] { request.sortDescriptors }
  /// The value that the objects of a section share; nil without sections.
  public var sectionIdentifier: Queries.Expression? { request.sectionIdentifier }
}
