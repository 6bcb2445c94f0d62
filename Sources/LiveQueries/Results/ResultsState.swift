internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

/// The rows of a live result with their positions, kept up to date.
///
/// The cycle of a round:
///
/// 1. `LiveStore` collects the commits since the last round: keys by table, ours and others'.
/// 2. The `plan` follows its key paths backwards from these keys to the rows of the request that may have changed.
/// 3. One statement reads where all these rows belong now, or that they do not belong to the results.
/// 4. Objects with unsaved changes are compared with the `overlay`, which holds the states that the last round
///    reported.
/// 5. The `arrangement` finds the old positions of these rows by their keys, moves the rows, and returns the difference
///    for the observers.
///
/// The arrangement changes only in step 5 and in `load`, which reads everything: at the beginning, when commits touched
/// more rows than a fetch costs, and after an error. Without a plan (in child contexts, and with sections that a
/// function makes) each round fetches and compares.
///
/// Invariant: the arrangement holds the rows that a fetch would return now, in its order, within the window and up to
/// the last reported change.
final class ResultsState {
  /// The request, its order beginning with the section identifier.
  let request: FetchRequest
  /// Places rows; nil if everything is fetched again.
  let plan: ResultsPlan?
  let context: ObjectContext
  /// The sections that a function makes; nil if the request has none.
  let functionSections: FunctionSections?
  private(set) var arrangement: Arrangement
  var overlay = PendingOverlay()
  /// The reported states of the parent contexts, so that their changes are reported once here.
  var parents: [PendingOverlay] = []
  /// The rows that were read within an open transaction.
  var provisional = ProvisionalRows()
  /// The number of times that all rows were read again.
  var reloads = 0
  /// The reason for the last time.
  var lastReload: LiveExplanation.Reload?

  /// Fetches `request`; `values` is the dictionary request that shows the objects.
  init(_ request: FetchRequest, showing values: FetchRequest? = nil, in context: ObjectContext) throws {
    self.request = request.inSectionOrder.inlined
    self.context = context
    functionSections = try request.sectionFunction.map { try FunctionSections($0, request.inlined, context.store) }
    let isPlanned = context.parent == nil && functionSections == nil
    plan = isPlanned ? try ResultsPlan(request, showing: values, context.store) : nil
    arrangement = Arrangement(ArrangedRows())
    context.noticeRemoteWrites()
    try load()
  }

  // MARK: What is shown

  /// The number of rows in the results.
  var count: Int { arrangement.count }

  /// Whether objects of other entities affect the results.
  var looksAlongRelationships: Bool { plan?.looksAlongRelationships ?? true }

  /// The tables that the request reads, in lower case.
  var tables: Set<String> { plan?.dependencies.tables ?? functionSections?.tables ?? [] }

  /// The keys of the rows in a range.
  func keys(_ range: Range<Int>) -> [Int64] { arrangement.keys(in: range) }

  /// The index of a row.
  func index(of key: Int64) -> Int? { arrangement.index(of: key) }

  /// Takes over the unsaved changes that a former request reported.
  func takeOver(_ former: ResultsState) { (overlay, parents) = (former.overlay, former.parents) }

  /// The current rows, for a difference to report later.
  func snapshot() -> Arrangement.ShownRows { Arrangement.ShownRows(arrangement) }

  // MARK: Reading everything

  /// The number of rows held beyond the window if the rest of the order stays in the store.
  var overscan: Int { max(64, (request.fetchLimit ?? 0) / 2) }
  /// If the window ends after this rank, all rows are read instead of only the beginning.
  private static let farthestHead = 5_000

  /// The number of rows to read from the beginning of the order; nil for all.
  private var headCount: Int? {
    guard let limit = request.fetchLimit, limit > 0, request.fetchOffset +| limit <= Self.farthestHead else {
      return nil
    }
    return request.fetchOffset +| limit +| overscan
  }

  private var window: Arrangement.Window {
    Arrangement.Window(
      offset: request.fetchOffset, limit: request.fetchLimit.flatMap { $0 > 0 ? $0 : nil })
  }

  private func load() throws {
    guard let plan else {
      _ = overlay.advance(pendingObjects(), [], nil)
      _ = parentSteps([], nil)
      return try fetch()
    }
    provisional.noteEverything(in: context.store)
    overlay.clear()
    let pending = pendingObjects()
    _ = overlay.advance(pending, [], nil)
    var rows = ArrangedRows()
    let head = headCount.map { $0 +| pending.count }
    var read = 0
    var poll = InterruptionPoll()
    func add(_ row: PlacementRow) throws {
      read += 1
      let key = row.key
      if !overlay.isEmpty, overlay.contains(key) { return }
      try poll.step(over: plan.arrange(key, row, in: rows))
    }
    if let head {
      try plan.reader.readHead(limit: head, add)
    } else {
      try plan.reader.readAll(restart: { (rows, read) = (ArrangedRows(), 0) }, add)
    }
    let isComplete = head.map { read < $0 } ?? true
    let held = try Arrangement.interruptible(&poll) { goesOn in
      Arrangement(rows, isSectioned: plan.isSectioned, window: window, isComplete: isComplete, goesOn: goesOn)
    }
    _ = held.apply(try pending.compactMap { try placement(of: $0, plan) })
    arrangement = held
  }

  /// Fetches everything through the context, because the parents' changes are part of the result.
  func fetch() throws {
    provisional.noteEverything(in: context.store)
    var whole = request
    whole.resultType = .objects
    let result = try context.fetch(whole)
    let ids = result.objectIDs
    let sections = try sections(of: result)
    let rows = ArrangedRows()
    for place in sections.map(SectionOrder.wholeSections) ?? Array(ids.indices) {
      rows.append(
        ArrangedRow(
          key: ids[place].key, sortKey: SortKey(prefix: UInt64(rows.count)), section: sections?[place]))
    }
    arrangement = Arrangement(rows, isSectioned: sections != nil)
  }

  func pendingObjects() -> [PendingObject] {
    guard request.includesPendingChanges else { return [] }
    return context.pendingObjects(of: request.entity, includesSubentities: request.includesSubentities)
  }

  private func placement(of object: PendingObject, _ plan: ResultsPlan) throws -> RowPlacement? {
    guard object.kind != .deleted, let row = try plan.arranged(object.object) else { return nil }
    return .placed(row)
  }

  // MARK: What happened

  /// Whether the next round brings the rows up to date even if nothing was committed.
  var isDue: Bool { provisional.isDue(in: context.store) }

  /// Applies the changes of a round and returns the difference; nil for none.
  ///
  /// With `from`, the difference begins with that state, which observers received last.
  func advance(_ round: RoundChanges, reload: Bool, from before: Arrangement.ShownRows? = nil) throws -> ResultsChange?
  {
    switch provisional.take(round, in: context.store) {
    case .rows(let keys): return try advance(round, reload: reload, from: before, again: keys)
    case .everything where plan == nil: return try refetch(round, reload: true, from: before)
    case .everything where round.isWithinTransaction: return try self.reload(round, .transaction, from: before)
    case .everything: return .reloaded(try self.reload(round, .transaction, from: before), round)
    }
  }

  /// The same; `again` are rows that are read whether or not they were touched.
  private func advance(
    _ round: RoundChanges, reload: Bool, from before: Arrangement.ShownRows?, again: Set<Int64>
  ) throws -> ResultsChange? {
    guard let plan else { return try refetch(round, reload: reload, from: before) }
    if reload { return .reloaded(try self.reload(round, .failure, from: before), round) }
    let pending = pendingObjects()
    let touches = !round.touched.isEmpty && plan.dependencies.isTouched(by: round.touched)
    if before == nil, pending.isEmpty, overlay.isEmpty, again.isEmpty {
      if !touches { return nil }
      if let placements = try sharedPlacements(round, plan) {
        return placements.isEmpty
          ? nil : ResultsChange(round.kind, arrangement.apply(placements), entity: request.entity)
      }
    }
    var batch = PlacementBatch()
    switch touches ? try affected(by: round.touched, plan) : .keys(own: [], related: [], unmoved: []) {
    case .everything(let reason): return try self.reload(round, .changes(reason), from: before)
    case .keys(let own, let related, let unmoved):
      let shown = before ?? (arrangement.isComplete ? nil : snapshot())
      try addUnsaved(pending, round, plan, to: &batch)
      // Rows that lead to touched rows show other values.
      let (changed, moved) = plan.showsRelatedValues ? (own + related, []) : (own, related)
      provisional.note(own + related + unmoved, round)
      // A row that is read again may have moved before the change that left it in its place.
      let staying = again.isEmpty ? unmoved : unmoved.filter { !again.contains($0) }
      batch.readLater(own: changed, related: moved, unmoved: staying, besides: overlay)
      batch.readLater(own: again.sorted(), related: [], unmoved: [], besides: overlay)
      return try apply(&batch, plan, isSaved: pending.isEmpty, shown, before == nil ? round.kind : .configuration)
    }
  }

  /// Where the rows of a commit belong, by the values that all results share; nil if these rows are to be looked up.
  private func sharedPlacements(_ round: RoundChanges, _ plan: ResultsPlan) throws -> [RowPlacement]? {
    guard !round.showsUncommittedRows, let rows = round.rows else { return nil }
    return try placements(of: rows, plan, limit: mostAffected)
  }

  /// The rows that touched rows may have moved; where they are too many, everything.
  private func affected(by touched: TouchedRows, _ plan: ResultsPlan) throws -> Dependencies.Affected {
    let affected = try plan.dependencies.affected(by: touched, limit: mostAffected)
    if case .keys(let own, let related, _) = affected, own.count + related.count > mostAffected {
      return .everything(.tooMany)
    }
    return affected
  }

  /// Adds the objects whose unsaved changes came, changed or went since the last round.
  private func addUnsaved(
    _ pending: [PendingObject], _ round: RoundChanges, _ plan: ResultsPlan, to batch: inout PlacementBatch
  ) throws {
    let settled = round.settled.filter { $0.root === request.entity.root }
    let table = round.touched.tables[plan.table]
    var steps = overlay.advance(pending, settled, table, always: plan.looksAlongRelationships)
    if round.mayBeRolledBack {
      for index in steps.indices where steps[index].wasSaved { steps[index].hasChanged = true }
    }
    provisional.note(steps.flatMap { [$0.oldKey, $0.newKey ?? $0.oldKey] }, round)
    for step in steps {
      if let object = step.pending, object.key == step.newKey {
        batch.add(try placement(of: object, plan), for: step)
      } else {
        batch.readLater(step)
      }
    }
  }

  /// Moves the rows of a batch; returns the difference from `shown`, or, if that is nil, from the arranged rows.
  private func apply(
    _ batch: inout PlacementBatch, _ plan: ResultsPlan, isSaved: Bool, _ shown: Arrangement.ShownRows?,
    _ kind: ResultsChange.Kind
  ) throws -> ResultsChange? {
    let placements = try batch.placements(plan, arrangement)
    let difference = try arrangement.apply(placements) { _ in
      // Unsaved objects may be anywhere beyond the boundary.
      isSaved ? try refill(plan, besides: placements.count) : Arrangement.Refill(rows: [], isComplete: false)
    }
    if arrangement.needsRefill { try load() }
    guard let shown else { return ResultsChange(kind, difference, entity: request.entity) }
    let updated = Set(difference.updated.map(\.key) + difference.moved.map(\.key)).union(batch.updatedKeys)
    return compare(with: shown, kind, updated, batch.rekeyed)
  }

  /// The number of affected rows above which reading everything is cheaper.
  private var mostAffected: Int { max(1_000, arrangement.heldCount / 3) }

  private func reload(
    _ round: RoundChanges, _ reason: LiveExplanation.Reload, from before: Arrangement.ShownRows?
  ) throws -> ResultsChange? {
    let shown = before ?? snapshot()
    let reported = overlay
    try load()
    reloads += 1
    lastReload = reason
    let table = round.touched.tables[plan?.table ?? ""]
    var updated = table?.changedKeys ?? []
    var steps = reported
    var rekeyed: [Int64: Int64] = [:]
    let settled = round.settled.filter { $0.root === request.entity.root }
    for step in steps.advance(pendingObjects(), settled, table) {
      guard let newKey = step.newKey else { continue }
      if newKey != step.oldKey { rekeyed[step.oldKey] = newKey }
      if step.hasChanged { updated.insert(newKey) } else if step.wasSaved { updated.remove(newKey) }
    }
    let change = compare(with: shown, before == nil ? round.kind : .configuration, updated, rekeyed)
    let isVague = plan.map { $0.showsRelatedValues && $0.dependencies.isTouched(by: round.touched) } ?? false
    let isReload = !round.touched.isComplete || table?.isUnknown == true || isVague
    return isReload ? .reloaded(change, round) : change
  }

  func compare(
    with shown: Arrangement.ShownRows, _ kind: ResultsChange.Kind, _ updated: Set<Int64>, _ rekeyed: [Int64: Int64]
  ) -> ResultsChange? {
    var comparison = ShownRowsComparison(former: shown, present: snapshot(), rekeyed: rekeyed)
    let difference = comparison.difference(updated: updated)
    return difference.isEmpty ? nil : ResultsChange(kind, difference, entity: request.entity)
  }
}
