internal import Modeling
internal import ObjectGraph
internal import Stores

/// Finds the changes of one root entity's objects, and reports each once.
struct EntityFollower {
  let root: Entity
  /// The table of the entity's rows, in lower case.
  let table: String
  /// The reported unsaved changes of the context, its parent, and so on.
  private var overlays: [PendingOverlay] = []
  /// The state of the rows that an open transaction has written, as observers know it: a hash of each, nil for one that is
  /// gone.
  private var provisional: [Int64: Int?] = [:]
  /// The reported states of each level.
  var reported: [[Int64: PendingOverlay.ReportedState]] { overlays.map(\.reported) }

  init(_ root: Entity, _ store: any ObjectStore) {
    self.root = root
    table = store.layout(of: root).table.lowercased()
  }

  /// The change of the object with a key.
  struct Event {
    var kind: ObjectChange.Kind
    var key: Int64
  }

  /// Returns the changes since the last call.
  mutating func events(_ round: RoundChanges, in context: ObjectContext) -> [Event] {
    let touched = round.touched.tables[table]
    let (inserted, deleted) = (Set(touched?.inserted ?? []), Set(touched?.deleted ?? []))
    var (events, known, gone, saved) = pendingEvents(round, context) { [root, provisional] key in
      if let reported = provisional[key] { return reported == nil }
      if deleted.contains(key) { return false }
      // An object that others inserted and deleted again may have been changed here in between.
      return inserted.contains(key) || round.touched.isForeign && !Self.isStored(key, of: root, context.store)
    }
    // Rows that were saved may be others by now.
    if round.mayBeRolledBack, !round.showsUncommittedRows, context.parent == nil {
      for (key, isThere) in saved {
        known.remove(key)
        provisional.updateValue(isThere ? .some(0) : nil, forKey: key)
      }
    }
    if round.showsUncommittedRows || !provisional.isEmpty {
      return events + provisionalEvents(round, context, known: known, saved: saved)
    }
    guard let touched else { return events }
    let found = touched.keys.compactMap { key -> Event? in
      // Objects with unsaved changes are shown by their values in memory. Others may have reused the key of a deleted
      // row.
      let isShown = known.contains(key) || overlays.contains { $0.contains(key) }
      if isShown, !(gone.contains(key) && inserted.contains(key)) { return nil }
      if gone.contains(key) { return exists(key, context) ? Event(kind: .insert, key: key) : nil }
      switch (inserted.contains(key), deleted.contains(key)) {
      // A reused key is another object. If several connections wrote, the order of their writes is unknown.
      case (true, true): return Event(kind: exists(key, context) ? .update : .delete, key: key)
      case (true, false): return Event(kind: .insert, key: key)
      case (false, true): return Event(kind: .delete, key: key)
      case (false, false): return Event(kind: .update, key: key)
      }
    }
    for kind in ObjectChange.Kind.allCases { events += found.filter { $0.kind == kind } }
    return events
  }

  /// The events of rows while a transaction is open, and when it is over. A change that observers know already is not
  /// reported again; a change that is rolled back is reported as its reverse.
  private mutating func provisionalEvents(
    _ round: RoundChanges, _ context: ObjectContext, known: Set<Int64>, saved: [Int64: Bool]
  ) -> [Event] {
    let touched = round.touched.tables[table]
    let inserted = Set(touched?.inserted ?? [])
    var deleted = Set(touched?.deleted ?? [])
    // One that came and went is in no change of the transaction.
    for settled in round.settled where settled.root === root && settled.newKey == nil {
      deleted.insert(settled.oldKey)
    }
    var keys = known.union(touched?.keys ?? []).union(deleted)
    // While it goes on, nothing is new unless it has written.
    if round.isWithinTransaction || !round.showsUncommittedRows { keys.formUnion(provisional.keys) }
    keys = keys.filter { key in key > ObjectID.temporaryLimit && !overlays.contains { $0.contains(key) } }
    guard let present = try? hashes(of: keys.sorted(), context.store) else { return [] }
    var events: [Event] = []
    for key in keys.sorted() {
      let now = present[key]
      let kind: ObjectChange.Kind?
      if known.contains(key) {
        // Reported already, unless it was inserted or deleted since it was saved.
        let isGone = now == nil
        kind = saved[key] != isGone ? nil : isGone ? .delete : .insert
      } else if let reported = provisional[key] {
        kind = reported == now ? nil : reported == nil ? .insert : now == nil ? .delete : .update
      } else if now == nil {
        kind = deleted.contains(key) ? .delete : nil
      } else {
        kind = inserted.contains(key) && !deleted.contains(key) ? .insert : .update
      }
      if let kind { events.append(Event(kind: kind, key: key)) }
      if round.showsUncommittedRows { provisional.updateValue(now, forKey: key) }
    }
    if !round.showsUncommittedRows { provisional = [:] }
    return ObjectChange.Kind.allCases.flatMap { kind in events.filter { $0.kind == kind } }
  }

  /// A hash of each row that is there.
  private func hashes(of keys: [Int64], _ store: any ObjectStore) throws -> [Int64: Int] {
    var hashes: [Int64: Int] = [:]
    if keys.isEmpty { return hashes }
    let cursor = try store.rows(of: root, keys: keys)
    defer { cursor.close() }
    while try cursor.step() {
      let row = cursor.pack()
      defer { row.free() }
      var hasher = Hasher()
      for column in 0..<row.count {
        switch row.storageClass(column) {
        case .null: hasher.combine(0)
        case .integer: hasher.combine(row.integer(column))
        case .real: hasher.combine(row.real(column))
        case .text, .blob: hasher.combine(bytes: row.bytes(column))
        }
      }
      hashes[cursor.key] = hasher.finalize()
    }
    return hashes
  }

  private static func isStored(_ key: Int64, of root: Entity, _ store: any ObjectStore) -> Bool {
    guard let cursor = try? store.rows(of: root, keys: [key]) else { return false }
    defer { cursor.close() }
    return (try? cursor.step()) == true
  }

  private func exists(_ key: Int64, _ context: ObjectContext) -> Bool {
    guard let object = try? context.existingObject(ObjectID(entity: root, key: key)) else { return false }
    return !object.isDeleted && (try? object.exists()) == true
  }
}

// MARK: Unsaved changes

extension EntityFollower {
  /// Returns the changes of unsaved objects, here and in parent contexts, with the keys examined, those of them that
  /// no longer exist, and those that were saved, with whether they exist. `isNew` returns whether others have inserted a row meanwhile.
  private mutating func pendingEvents(
    _ round: RoundChanges, _ context: ObjectContext, isNew: (Int64) -> Bool
  ) -> (events: [Event], known: Set<Int64>, gone: Set<Int64>, saved: [Int64: Bool]) {
    let before = overlays
    let steps = advance(round, context)
    // The keys of objects before they were saved.
    var origins: [Int64: Int64] = [:]
    for case (let old, let new?) in steps.map({ ($0.oldKey, $0.newKey) }) where new != old { origins[new] = old }
    var events: [Event] = []
    var (known, gone): (Set<Int64>, Set<Int64>) = ([], [])
    var saved: [Int64: Bool] = [:]
    for step in steps {
      let key = step.newKey ?? step.oldKey
      // An object that several contexts changed is reported once.
      guard known.insert(key).inserted else { continue }
      let old = origins[step.oldKey] ?? step.oldKey
      known.insert(old)
      let reported = before.lazy.compactMap { $0.reported[old] ?? $0.reported[key] }.first
      let wasThere = reported.map { $0.kind != .deleted } ?? (old > ObjectID.temporaryLimit && !isNew(old))
      let isThere = isThere(step, context)
      if step.newKey == nil, !isThere { gone.insert(key) }
      if step.wasSaved { saved[key] = isThere }
      switch (wasThere, isThere) {
      case (false, false): break
      case (false, true): events.append(Event(kind: .insert, key: key))
      case (true, false): events.append(Event(kind: .delete, key: key))
      case (true, true): if step.hasChanged { events.append(Event(kind: .update, key: key)) }
      }
    }
    return (events, known, gone, saved)
  }

  /// The steps of all levels, those of the context itself first.
  private mutating func advance(_ round: RoundChanges, _ context: ObjectContext) -> [PendingOverlay.Step] {
    let settled = round.settled.filter { $0.root === root }
    var steps: [PendingOverlay.Step] = []
    var (level, next): (Int, ObjectContext?) = (0, context)
    while let current = next {
      if overlays.count == level { overlays.append(PendingOverlay()) }
      steps += overlays[level].advance(
        current.pendingObjects(of: root), settled, round.touched.tables[table], level: level)
      (level, next) = (level + 1, current.parent)
    }
    return steps
  }

  /// Whether an object exists now: the first context with unsaved changes of it decides, as in a fetch.
  private func isThere(_ step: PendingOverlay.Step, _ context: ObjectContext) -> Bool {
    // An object that a child deleted may exist again in its parent.
    guard let key = step.newKey ?? (context.parent == nil ? nil : step.oldKey) else { return false }
    if let shown = overlays.lazy.compactMap({ $0.reported[key] }).first { return shown.kind != .deleted }
    if context.parent == nil, step.wasSaved, !step.hasChanged { return step.reported?.kind != .deleted }
    return exists(key, context)
  }
}
