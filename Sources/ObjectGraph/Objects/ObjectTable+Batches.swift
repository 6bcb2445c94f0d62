internal import Modeling
internal import Storage

/// What the store is asked about one object after the other, so that it is better asked about several at once.
struct Question: Hashable {
  enum Kind { case row, members, count, destination, lookup }

  let kind: Kind
  /// The entity of the objects that were asked, and the index of the relationship; -1 for their own rows.
  let entity: Entity
  let property: Int
}

/// How far a question was answered ahead.
struct BatchRun {
  /// How many objects the last batch had.
  var size = 1
  /// The place behind them.
  var next = 0
  /// Whether places are those of a fetch result, or slots.
  var isInResult = false
}

extension ObjectTable {
  /// The most objects that a question is answered for at once.
  private static let largestBatch = 256

  /// The slot and those that are likely to be asked the same after it; more each time that proves right.
  ///
  /// They are the objects behind it in the fetch result that it was just taken from, or else in the neighbouring slots,
  /// where objects that were read together stand.
  func batch(at slot: Int32, for question: Question, where isWanted: (Int32) throws -> Bool) rethrows -> [Int32] {
    let result = currentResult?._withUnsafeGuaranteedRef { $0.position(of: slot) == nil ? nil : $0 }
    let place = result?.position(of: slot) ?? Int(slot)
    var run = runs[question] ?? BatchRun(next: place + 1)
    let distance = place - run.next
    let goesOn = run.isInResult == (result != nil) && distance >= 0 && distance <= max(64, 4 * run.size)
    run.size = goesOn ? min(run.size * 4, Self.largestBatch) : question.kind == .row ? 4 : 1
    run.isInResult = result != nil
    run.next = place + 1
    var found = [slot]
    var next = place + 1
    // Those that are far between are not worth the search.
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
    // Rows come with the cursor by themselves.
    if question.kind != .row { demands.insert(question) }
    return found
  }

  private func candidate(at place: Int, in result: FetchResult?) -> Int32? {
    if let result { return result.knownSlot(at: place) }
    return place < count ? Int32(place) : nil
  }

  /// The slot and those behind it in the result that it was just taken from, as far as they are faults; nil for none.
  func faultsInResult(at slot: Int32) -> [Int32]? {
    guard currentResult?._withUnsafeGuaranteedRef({ $0.position(of: slot) }) != nil else { return nil }
    return batch(at: slot, for: Question(kind: .row, entity: entity(slot), property: -1)) { row($0) == nil }
  }

  /// Lets a question begin with single objects again: the answers are too large to be read ahead.
  func restart(_ question: Question) { runs[question] = nil }

  func isTemporary(_ slot: Int32) -> Bool { key(slot) <= ObjectID.temporaryLimit }

  // MARK: To-one

  /// The keys of the faults that a to-one of the slot, and of those behind it, leads to.
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

  /// The key that a to-one refers to, where that is known without asking the store.
  private func knownKey(of index: Int, in slot: Int32) -> Int64? {
    guard !isDirty(slot), let row = row(slot),
      case .reference(let columns, let target) = shape(slot).layout.properties[index]
    else { return nil }
    if case .key = target, case .integer(let key) = RawColumn(row, columns[0]) { return key }
    let values = columns.map { RawColumn(row, $0).decoded(as: shape(slot).layout.columns[$0].type) }
    return resolved[index]?[values]
  }

  /// The key of the row that the values of a reference's columns name; asked for those of the slots behind it too.
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
    // One by one it is found, too, where the column's collation takes another text for the same.
    context.note(.lookup, entity, index, rows: 1)
    let key = try context.store.resolve(values, of: index, in: entity)
    if let key { resolved[index, default: [:]][values] = key }
    return key
  }

  /// Keeps the keys that values of a single-column reference name.
  private func learnKeys(named values: Set<Value>, _ index: Int, of entity: Entity) throws {
    guard values.count > 1 else { return }
    if resolved[index]?.count ?? 0 > 100_000 { resolved[index] = nil }
    context.note(.lookup, entity, index, rows: values.count)
    for (value, key) in try context.store.resolve(values, of: index, in: entity) {
      resolved[index, default: [:]][[value]] = key
    }
  }

  // MARK: Ahead of a cursor

  /// Answers a question for objects that a cursor is about to give.
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

  /// Reads what a to-one of many objects leads to; their rows are in memory.
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

/// How a slot was come to: by a to-one of another.
struct Approach {
  /// The table of the object whose to-one it is; the context keeps it as long as this one.
  unowned(unsafe) let table: ObjectTable
  let slot: Int32
  let entity: Entity
  let property: Int
  let target: Int32

  /// Whether the object is still there, rather than another in its slot.
  var isValid: Bool { table.isUsed(slot) && !table.isGone(slot) && table.entity(slot) === entity }
}
