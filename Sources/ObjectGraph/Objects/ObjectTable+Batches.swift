internal import Modeling
internal import Stores

/// A read that is repeated object by object, and is therefore batched.
struct Question: Hashable {
  enum Kind { case row, members, count, destination, lookup }

  let kind: Kind
  /// The entity of the objects, and the index of the relationship; -1 for the objects' own rows.
  let entity: Entity
  let property: Int
}

/// The extent of a batched read.
struct BatchRun {
  /// The size of the last batch.
  var size = 1
  /// The position after the last batch.
  var next = 0
  /// Whether positions are indexes of a fetch result or slots.
  var isInResult = false
  /// The fetch result of the positions, which is only compared, and the number of reads that began at scattered places of
  /// it.
  var result: UnsafeMutableRawPointer?
  var scatteredCount = 0

  /// Counts a read at a scattered place of a result. Returns whether enough of the result was read in such an order that
  /// reading many objects with each one pays: the unneeded ones then cost no more than the reads so far.
  mutating func isDense(in result: FetchResult, rowsPerRoundTrip: Int) -> Bool {
    let identity = Unmanaged.passUnretained(result).toOpaque()
    if self.result != identity { (self.result, scatteredCount) = (identity, 0) }
    scatteredCount += 1
    return scatteredCount *| rowsPerRoundTrip > result.count
  }
}

extension ObjectTable {
  /// The maximum batch size.
  private static let largestBatch = 256

  /// Returns the slot and those that will probably be read next; the batch grows while the prediction holds.
  ///
  /// They are the next objects in the fetch result that the slot was just taken from, or else the neighbouring slots,
  /// which hold objects that were read together.
  func batch(at slot: Int32, for question: Question, where isWanted: (Int32) throws -> Bool) rethrows -> [Int32] {
    let result = currentResult?._withUnsafeGuaranteedRef { $0.position(of: slot) == nil ? nil : $0 }
    let place = result?.position(of: slot) ?? Int(slot)
    var run = runs[question] ?? BatchRun(next: place + 1)
    let distance = place - run.next
    let goesOn = run.isInResult == (result != nil) && distance >= 0 && distance <= max(64, 4 * run.size)
    run.size = goesOn ? min(run.size * 4, Self.largestBatch) : question.kind == .row ? 4 : 1
    if !goesOn, question.kind == .row, let result,
      run.isDense(in: result, rowsPerRoundTrip: context.store.traits.rowsPerRoundTrip)
    {
      run.size = Self.largestBatch
    }
    run.isInResult = result != nil
    run.next = place + 1
    var found = [slot]
    var next = place + 1
    // Scattered faults are not worth the search.
    let end = place + 4 * run.size
    while found.count < run.size, next < end, let candidate = candidate(at: next, in: result) {
      next += 1
      guard isUsed(candidate), !isGone(candidate), !isTemporary(candidate), entity(candidate) === question.entity,
        try isWanted(candidate)
      else { continue }
      found.append(candidate)
      run.next = next
    }
    runs[question] = run
    // A cursor delivers the rows itself.
    if question.kind != .row { demands.insert(question) }
    return found
  }

  private func candidate(at place: Int, in result: FetchResult?) -> Int32? {
    if let result { return result.knownSlot(at: place) }
    return place < count ? Int32(place) : nil
  }

  /// Returns the slot and the next faults in the result that it was just taken from; nil for none.
  func faultsInResult(at slot: Int32) -> [Int32]? {
    guard currentResult?._withUnsafeGuaranteedRef({ $0.position(of: slot) }) != nil else { return nil }
    return batch(at: slot, for: Question(kind: .row, entity: entity(slot), property: -1)) { row($0) == nil }
  }

  /// Resets a read to single objects, because the results are too large to be read ahead.
  func restart(_ question: Question) { runs[question] = nil }

  func isTemporary(_ slot: Int32) -> Bool { key(slot) <= ObjectID.temporaryLimit }

  // MARK: To-one

  /// Returns the keys of the faults that a to-one of the slot and of the next slots refers to.
  func faultsAhead(along index: Int, from slot: Int32) -> [Int64] {
    let destination = destinationTable(slot, index)
    var seen: Set<Int64> = []
    var keys: [Int64] = []
    func note(_ owner: Int32) -> Bool {
      guard let key = knownKey(of: index, in: owner), seen.insert(key).inserted else { return false }
      let target = destination.register(key, entity(owner).destination(at: index))
      guard destination.isFault(target), !destination.isDirty(target), !destination.inaccessible.contains(target) else {
        return false
      }
      keys.append(key)
      return true
    }
    _ = note(slot)
    _ = batch(at: slot, for: Question(kind: .destination, entity: entity(slot), property: index), where: note)
    return keys
  }

  /// Returns the key that a to-one refers to, if it is known without a query.
  private func knownKey(of index: Int, in slot: Int32) -> Int64? {
    guard !isDirty(slot), let row = row(slot),
      case .reference(let columns, let target) = shape(slot).layout.properties[index]
    else { return nil }
    if case .key = target, case .integer(let key) = RawColumn(row, columns[0]) { return key }
    let values = columns.map { RawColumn(row, $0).decoded(as: shape(slot).layout.columns[$0].type) }
    return resolved[index]?[values]
  }

  /// Returns the key of the row that a reference's columns identify; the next slots are looked up with it.
  func keyNamed(by values: [Value], _ index: Int, from slot: Int32) throws -> Int64? {
    if let key = resolved[index]?[values] { return key }
    let entity = entity(slot)
    if values.count == 1, case .reference(let columns, _) = shape(slot).layout.properties[index] {
      var wanted: Set<Value> = [values[0]]
      let type = shape(slot).layout.columns[columns[0]].type
      _ = batch(at: slot, for: Question(kind: .lookup, entity: entity, property: index)) { other in
        guard !isDirty(other), let row = row(other) else { return false }
        let value = RawColumn(row, columns[0]).decoded(as: type)
        return !value.isNull && resolved[index]?[[value]] == nil && wanted.insert(value).inserted
      }
      try learnKeys(named: wanted, index, of: entity)
      if let key = resolved[index]?[values] { return key }
    }
    // A single lookup also finds texts that only the column's collation considers equal.
    context.note(.lookup, entity, index, rows: 1)
    let key = try context.store.resolve(values, of: index, in: entity)
    if let key { resolved[index, default: [:]][values] = key }
    return key
  }

  /// Caches the keys that the values of a single-column reference identify.
  private func learnKeys(named values: Set<Value>, _ index: Int, of entity: Entity) throws {
    guard values.count > 1 else { return }
    if resolved[index]?.count ?? 0 > 100_000 { resolved[index] = nil }
    context.note(.lookup, entity, index, rows: values.count)
    for (value, key) in try context.store.resolveAll(Array(values), of: index, in: entity) {
      resolved[index, default: [:]][[value]] = key
    }
  }

  // MARK: Ahead of a cursor

  /// Performs a batched read for objects that a cursor is about to return.
  func answer(_ question: Question, for slots: [Int32]) throws {
    let owners = slots.filter { entity($0) === question.entity && !isGone($0) }
    guard !owners.isEmpty else { return }
    switch question.kind {
    case .row: break
    case .members: try fillCollections(question.property, of: owners, in: question.entity)
    case .count: try fillCounts(question.property, of: owners, in: question.entity)
    case .destination, .lookup: try fillDestinations(question.property, of: owners, in: question.entity)
    }
  }

  /// Reads the targets of a to-one of many objects, whose rows are in memory.
  func fillDestinations(_ index: Int, of slots: [Int32], in entity: Entity) throws {
    let values = slots.compactMap { slot -> Value? in
      let layout = shape(slot).layout
      guard !isDirty(slot), let row = row(slot), case .reference(let columns, let target) = layout.properties[index],
        columns.count == 1
      else { return nil }
      if case .key = target, case .integer = RawColumn(row, columns[0]) { return nil }
      let value = RawColumn(row, columns[0]).decoded(as: layout.columns[columns[0]].type)
      return value.isNull || resolved[index]?[[value]] != nil ? nil : value
    }
    try learnKeys(named: Set(values), index, of: entity)
    let destination = context.table(for: entity.destination(at: index))
    let keys = Set(slots.compactMap { knownKey(of: index, in: $0) })
    let faults = keys.filter { key in
      let slot = destination.register(key, entity.destination(at: index))
      return destination.isFault(slot) && !destination.isDirty(slot)
    }
    try destination.fill(keys: faults.sorted(), from: (entity, index))
  }
}

/// The to-one by which a slot was reached.
struct Approach {
  /// The table of the to-one's owner, which lives as long as the context.
  unowned(unsafe) let table: ObjectTable
  let slot: Int32
  let entity: Entity
  let property: Int
  let target: Int32

  /// Whether the slot still holds the same object.
  var isValid: Bool { table.isUsed(slot) && !table.isGone(slot) && table.entity(slot) === entity }
}
