internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

/// The groups of a request, kept up to date by touched rows.
///
/// The cycle of a round:
///
/// 1. The row plan walks key paths backwards from what commits touched to the rows of the request that may have changed.
/// 2. One statement reads the keys and arguments of these rows; those of objects with unsaved changes are evaluated in memory.
/// 3. Each row leaves the group that it was in, with the values that it had, and joins the one that it belongs to now. Both are
///    remembered as they were before the first of their rows moved.
/// 4. Where a least or greatest value has gone, the next is looked up in the order of the values.
/// 5. The remembered groups are placed anew: those that `having` admits, by their order. The `arrangement` moves them and returns the difference, which observers get with old and new values.
///
/// What is kept: `rows`, the values that each row was counted with; `groups`, what was counted; `arrangement`, the order of the
/// groups that are shown; `unsaved`, which rows were counted with unsaved changes. Nothing else touches them.
///
/// A row remembers the values that it was counted with, so no old value is read from anywhere. The changes of all writers
/// are followed, in time that grows with the rows they touch.
final class MaintainedGroups {
  let plan: GroupPlan
  private let context: ObjectContext
  private var rows: GroupedRows
  private var groups: GroupTable
  private(set) var arrangement: Arrangement
  /// The rows that are counted with unsaved changes, by key: a hash of these.
  private var unsaved: [Int64: Int] = [:]
  /// The rows that were read within an open transaction.
  private var provisional = ProvisionalRows()
  /// The number of times that everything was read again, and the reason of the last.
  private(set) var reloads = 0
  private(set) var lastReload: LiveExplanation.Reload?
  /// How many rows and groups the last change made it look at.
  private(set) var lastLook = (rows: 0, groups: 0)

  /// Reads the rows of `plan`'s request, with the unsaved changes of `context`. Groups that are not live are read once,
  /// without preparation for changes.
  ///
  /// - Throws: StoreError, PredicateError, `GraphError.tooManyValues` beyond `most` groups, TooManyRows beyond `mostRows`.
  init(
    _ plan: GroupPlan, in context: ObjectContext, isLive: Bool = true, most: Int = .max, mostRows: Int = .max
  ) throws {
    self.plan = plan
    self.context = context
    rows = GroupedRows(columns: plan.arguments.count)
    groups = GroupTable(keyCount: plan.keyCount, arguments: plan.arguments)
    arrangement = Arrangement(ArrangedRows(), window: plan.window)
    context.noticeRemoteWrites()
    try load(most, mostRows)
    if isLive { groups.orderRows(rows) }
  }

  // MARK: What is shown

  /// How many groups are shown.
  var count: Int { arrangement.count }

  /// The tables that it is read from, in lower case.
  var tables: Set<String> { plan.rows.dependencies.tables }

  /// The values of the groups in a range of places.
  ///
  /// - Throws: PredicateError where a column cannot be computed.
  func values(_ range: Range<Int>) throws -> [[Value]] {
    try arrangement.keys(in: range).map { try values(of: Int32(truncatingIfNeeded: $0)) }
  }

  /// The values of the group that has these keys, shown or not; nil where there is none.
  ///
  /// - Throws: PredicateError where a column cannot be computed.
  func values(ofKeys keys: [Value]) throws -> [Value]? {
    try groups.number(of: plan.identity(of: keys)).map(values(of:))
  }

  private func values(of group: Int32) throws -> [Value] { try plan.columns.map { try value($0, of: group) } }

  private func value(_ part: GroupPart, of group: Int32) throws -> Value {
    switch part {
    case .key(let index): groups.key(index, of: group)
    case .term(let term): groups.value(term, of: group, in: rows)
    case .computed(let expression): try expression.value(of: subject(group))
    }
  }

  private func subject(_ group: Int32) -> GroupSubject {
    GroupSubject(entity: plan.groupEntity) { [plan] index in
      index < plan.keyCount
        ? self.groups.key(index, of: group)
        : self.groups.value(plan.terms[index - plan.keyCount], of: group, in: self.rows)
    }
  }

  /// Where a group is shown, which may be held already; nil for one that is not.
  private func place(of group: Int32, isHeld: Bool = false) throws -> ArrangedRow? {
    guard plan.isSingle || groups.rowCount(of: group) > 0 else { return nil }
    if let having = plan.having, try having.evaluate(subject(group)) != true { return nil }
    let key = Int64(group)
    if isHeld, plan.isOrderedByKeys {
      return ArrangedRow(key: key, sortKey: arrangement.keys.sortKey(of: key))
    }
    return ArrangedRow(key: key, sortKey: try plan.sortKey { try value($0, of: group) })
  }

  // MARK: Reading everything

  /// More rows than were to be read.
  struct TooManyRows: Error {}

  /// Reads everything; if that fails, all former groups stay.
  private func load(_ most: Int = .max, _ mostRows: Int = .max) throws {
    var formerRows = GroupedRows(columns: plan.arguments.count)
    var formerGroups = GroupTable(keyCount: plan.keyCount, arguments: plan.arguments)
    swap(&rows, &formerRows)
    swap(&groups, &formerGroups)
    let formerUnsaved = unsaved
    do { try readEverything(most, mostRows) } catch {
      swap(&rows, &formerRows)
      swap(&groups, &formerGroups)
      unsaved = formerUnsaved
      throw error
    }
  }

  private func readEverything(_ most: Int, _ mostRows: Int) throws {
    provisional.noteEverything(in: context.store)
    let changes = try unsavedRows()
    let look = plan.rows
    var known = StoredKeyGroups()
    func clear() {
      known = StoredKeyGroups()
      rows = GroupedRows(columns: plan.arguments.count)
      groups = GroupTable(keyCount: plan.keyCount, arguments: plan.arguments)
      // The one group of all rows is there without rows, too.
      if plan.isSingle { _ = groups.number(of: plan.identity(of: []), []) }
    }
    clear()
    var poll = InterruptionPoll()
    try look.reader.readAll(restart: clear) { row in
      let key = row.key
      if !changes.isEmpty, changes[key] != nil { return }
      if rows.count >= mostRows { throw TooManyRows() }
      let stored = plan.keyCount == 1 ? row.storedForm(0) : .other
      if let group = known.group(of: stored) {
        try poll.step()
        return insert(key, group, plan.arguments.indices.map { row.value(plan.keyCount + $0) })
      }
      let values = plan.values(of: row)
      try poll.step(over: values.reduce(0) { $0 + $1.byteCount })
      known.note(stored, insert(key, values))
      if groups.end > most { throw GraphError(tooMany: most, groupsOf: plan.request) }
    }
    for (key, change) in changes { if let values = change.values { insert(key, values) } }
    unsaved = changes.mapValues(\.fingerprint)
    let arranged = ArrangedRows()
    for group in 0..<Int32(clamping: groups.end) {
      guard let row = try place(of: group) else { continue }
      arranged.append(row)
      try poll.step(over: row.sortKey.tail.count)
    }
    arrangement = try Arrangement.interruptible(&poll) { Arrangement(arranged, window: plan.window, goesOn: $0) }
  }

  /// Counts a row with these keys and arguments; returns its group.
  @discardableResult private func insert(_ key: Int64, _ values: [Value]) -> Int32 {
    let group = groups.number(of: plan.identity(of: values), values.prefix(plan.keyCount))
    insert(key, group, Array(values.dropFirst(plan.keyCount)))
    return group
  }

  private func insert(_ key: Int64, _ group: Int32, _ arguments: [Value]) {
    groups.add(rows.insert(key, group: group, arguments), to: group, of: rows)
  }

  // MARK: Unsaved changes

  /// A row as an object with unsaved changes has it.
  private struct UnsavedRow {
    /// Its keys and arguments; nil where it does not match.
    var values: [Value]?
    var fingerprint: Int
  }

  /// The rows with unsaved changes, here and in the contexts above: those that are counted otherwise than the last time, or of
  /// which other objects decide, with their values.
  private func unsavedRows(knowing known: [Int64: Int] = [:]) throws -> [Int64: UnsavedRow] {
    // The groups of a context include the unsaved changes of its parents, also if its own do not count.
    guard let lowest = plan.request.includesPendingChanges ? context : context.parent else { return [:] }
    var found: [Int64: UnsavedRow] = [:]
    // In the order of the contexts: if several objects cannot be read, the error names the same one each time.
    var objects: [(key: Int64, object: ManagedObject)] = []
    var isDeleted: Set<Int64> = []
    var next: ObjectContext? = lowest
    while let level = next {
      for object in level.pendingObjects(
        of: plan.request.entity, includesSubentities: plan.request.includesSubentities)
      {
        if object.kind == .deleted { isDeleted.insert(object.key) }
        if found[object.key] == nil {
          objects.append((object.key, level === lowest ? object.object : lowest.object(object.object.objectID)))
        }
        let fingerprint = (found[object.key]?.fingerprint ?? 0) &* 31 &+ object.fingerprint
        found[object.key] = UnsavedRow(values: nil, fingerprint: fingerprint)
      }
      next = level.parent
    }
    for (key, object) in objects where !isDeleted.contains(key) {
      if !plan.rows.looksAlongRelationships, known[key] == found[key]?.fingerprint { continue }
      found[key]?.values = try plan.rows.values(of: object)
    }
    return found
  }

  // MARK: What happened

  /// Whether the next round brings the groups up to date even if nothing was committed.
  var isDue: Bool { provisional.isDue(in: context.store) }

  /// Brings the groups up to date; returns the difference with old and new values, nil if there is none.
  ///
  /// - Throws: StoreError, PredicateError.
  func advance(_ round: RoundChanges, reload: Bool) throws -> ResultsChange? {
    if reload { return try self.reload(round, .failure) }
    var toRead: [Int64] = []
    switch provisional.take(round, in: context.store) {
    case .rows(let keys): toRead += keys
    case .everything: return try self.reload(round, .transaction)
    }
    let changes = try unsavedRows(knowing: unsaved)
    let dependencies = plan.rows.dependencies
    let touches = !round.touched.isEmpty && dependencies.isTouched(by: round.touched)
    if !touches, changes.isEmpty, unsaved.isEmpty, toRead.isEmpty { return nil }
    var batch: [Int64: [Value]?] = [:]
    toRead.removeAll { changes[$0] != nil }
    // An object without unsaved changes is in the store, or gone.
    for key in unsaved.keys where changes[key] == nil { toRead.append(key) }
    for (key, change) in changes where plan.rows.looksAlongRelationships || unsaved[key] != change.fingerprint {
      batch[key] = .some(change.values)
    }
    if touches {
      if changes.isEmpty, unsaved.isEmpty, !round.showsUncommittedRows, let shared = try sharedRows(round) {
        if toRead.isEmpty { return try apply(shared, round) }
        for (key, values) in shared { batch[key] = .some(values) }
      } else {
        switch try dependencies.affected(by: round.touched, limit: mostAffected) {
        case .everything(let reason): return try self.reload(round, .changes(reason))
        case .keys(let own, let related, _):
          if own.count + related.count > mostAffected { return try self.reload(round, .changes(.tooMany)) }
          toRead += (own + related).filter { changes[$0] == nil }
        }
      }
    }
    if !toRead.isEmpty {
      for key in toRead { batch[key] = .some(nil) }
      let stored = Set(toRead).filter { $0 > ObjectID.temporaryLimit }.sorted()
      if !stored.isEmpty {
        try plan.rows.reader.read(keys: stored) { batch[$0.key] = .some(plan.values(of: $0)) }
      }
    }
    unsaved = changes.mapValues(\.fingerprint)
    provisional.note(Array(batch.keys), round)
    // In the order of their keys, so that new groups have the same numbers however the batch was gathered.
    return try apply(batch.sorted { $0.key < $1.key }.map { (key: $0.key, values: $0.value) }, round)
  }

  /// So many rows are looked at one by one before it is cheaper to read everything.
  private var mostAffected: Int { max(1_000, rows.count / 3) }

  /// The touched rows by ascending keys with their values, where they are known without the store; nil where it has to be asked.
  private func sharedRows(_ round: RoundChanges) throws -> [(key: Int64, values: [Value]?)]? {
    guard plan.rows.isDecidedByRow,
      let shared = try round.rows?.rows(of: plan.request.entity, table: plan.rows.table),
      shared.keys.count <= mostAffected
    else { return nil }
    // An expression that cannot be evaluated here may be NULL in SQL.
    return try? zip(shared.keys, shared.rows).map { key, row in (key, try row.flatMap { try plan.rows.values(of: $0) })
    }
  }

  /// Moves rows between groups, and groups between places; each row is in the batch once, by ascending keys.
  private func apply(_ batch: [(key: Int64, values: [Value]?)], _ round: RoundChanges) throws -> ResultsChange? {
    var before: [Int32: [Value]] = [:]
    lastLook.rows = batch.count
    if batch.count > max(256, rows.count / 16) { groups.dropOrder() }
    for (key, values) in batch { try move(key, to: values, &before) }
    groups.orderRows(rows)
    lastLook.groups = before.count
    return try arrange(before, round.kind)
  }

  /// Has a row leave its group and join another; `before` remembers what both were.
  private func move(_ key: Int64, to values: [Value]?, _ before: inout [Int32: [Value]]) throws {
    let place = rows.place(of: key)
    if place == nil, values == nil { return }
    if let place {
      let group = rows.group(at: place)
      if before[group] == nil { before[group] = try self.values(of: group) }
      groups.remove(place, from: group, of: rows)
      if values == nil { rows.remove(at: place) }
    }
    guard let values else { return }
    let group = groups.number(of: plan.identity(of: values), values.prefix(plan.keyCount))
    if before[group] == nil { before[group] = try self.values(of: group) }
    if let place {
      rows.setGroup(group, at: place)
      for index in plan.arguments.indices { rows.set(values[plan.keyCount + index], index, at: place) }
      groups.add(place, to: group, of: rows)
    } else {
      insert(key, group, Array(values.dropFirst(plan.keyCount)))
    }
  }

  private func arrange(_ before: [Int32: [Value]], _ kind: ResultsChange.Kind) throws -> ResultsChange? {
    var placements: [RowPlacement] = []
    var present: [Int32: [Value]] = [:]
    for (group, former) in before.sorted(by: { $0.key < $1.key }) {
      let isHeld = arrangement.holds(Int64(group))
      if let row = try place(of: group, isHeld: isHeld) {
        let values = try values(of: group)
        present[group] = values
        let isUpdated = !isHeld || values != former
        let stays = isHeld && !isUpdated && arrangement.keys.sortKey(of: row.key) == row.sortKey
        if !stays { placements.append(.placed(row, isUpdated: isUpdated)) }
      } else if isHeld {
        placements.append(.leaving(Int64(group)))
      }
    }
    defer {
      for group in before.keys where !plan.isSingle && groups.rowCount(of: group) == 0 { groups.remove(group) }
    }
    if placements.isEmpty { return nil }
    let difference = arrangement.apply(placements)
    if difference.isEmpty { return nil }
    return try change(kind, difference, from: { try before[$0] ?? values(of: $0) }) {
      try present[$0] ?? values(of: $0)
    }
  }

  /// The change that a difference is, with old and new values.
  private func change(
    _ kind: ResultsChange.Kind, _ difference: ArrangementDifference, from former: (Int32) throws -> [Value],
    to values: (Int32) throws -> [Value]
  ) throws -> ResultsChange {
    var change = ResultsChange(kind, difference, entity: nil)
    func groups(_ entries: [ArrangementDifference.Entry]) -> [Int32] {
      entries.map { Int32(truncatingIfNeeded: $0.key) }
    }
    for (index, group) in groups(difference.inserted).enumerated() {
      change.inserted[index].values = try values(group)
    }
    for (index, group) in groups(difference.deleted).enumerated() { change.deleted[index].values = try former(group) }
    for (index, group) in groups(difference.updated).enumerated() {
      change.updated[index].values = try values(group)
      change.updated[index].oldValues = try former(group)
    }
    for (index, group) in groups(difference.moved).enumerated() {
      change.moved[index].values = try values(group)
      change.moved[index].oldValues = try former(group)
    }
    return change
  }

  // MARK: Starting over

  /// Reads everything again, and returns the difference.
  private func reload(_ round: RoundChanges, _ reason: LiveExplanation.Reload) throws -> ResultsChange? {
    // Groups are told apart by their keys, as their numbers are new.
    let formerKeys = arrangement.keys(in: 0..<arrangement.count).map { Int32(truncatingIfNeeded: $0) }
    let former = try formerKeys.map { (identity: groups.identities[Int($0)], values: try values(of: $0)) }
    try load()
    groups.orderRows(rows)
    reloads += 1
    lastReload = reason
    lastLook = (rows.count, groups.count)
    let shownKeys = arrangement.keys(in: 0..<arrangement.count)
    let present = shownKeys.map { groups.identities[Int($0)] }
    let shown = try values(0..<arrangement.count)
    return .compared(round.kind, former.map(\.identity), former.map(\.values), present, shown)
  }

  // MARK: For people and tests

  /// How they are kept true.
  ///
  /// - Throws: StoreError.
  func explanation() throws -> LiveExplanation {
    var explanation = LiveExplanation(
      method: .maintained, count: count, heldCount: groups.count, byteCount: bytesUsed, tables: tables.sorted(),
      paths: try plan.rows.dependencies.explanation(), reloads: reloads, lastReload: lastReload)
    explanation.groupedRowCount = rows.count
    explanation.orderedExpressions = plan.orderedExpressions
    explanation.lastLook = lastLook
    explanation.changeSource = context.store.changeSource(of: Set(tables))
    return explanation
  }

  private var bytesUsed: Int { rows.bytesUsed + groups.bytesUsed + arrangement.bytesUsed }

  /// Compares the kept groups with their rows.
  ///
  /// - Throws: BrokenInvariant.
  func checkInvariants() throws {
    try arrangement.checkInvariants()
    try groups.checkInvariants(rows)
  }
}

extension GroupPlan {
  /// Which groups of the order are shown.
  var window: Arrangement.Window {
    Arrangement.Window(
      offset: request.fetchOffset, limit: request.fetchLimit.flatMap { $0 > 0 ? $0 : nil })
  }
}

extension Value {
  /// The bytes of a text or of data; 0 for a value without memory of its own.
  fileprivate var byteCount: Int {
    switch self {
    case .string(let text), .url(let text): text.utf8.count
    case .data(let data): data.count
    default: 0
    }
  }
}
