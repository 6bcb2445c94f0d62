internal import Modeling
internal import Stores

// An object is a slot with or without a row; without one it is a fault. The cycle of a slot:
//
// 1. A fetch or a reference registers a key: `register` gives the slot that the key has, or a new one. It is a fault,
//    unless the fetch brought its row.
// 2. A value is asked for. A cursor that stands on the row gives it (`cursor`, `currentSlot`). Otherwise `fill` fires
//    the fault: it reads the row, and with it those of the faults that a loop will reach next.
// 3. A change puts an entry into `changes`. From then on the row stays, because the change is based on it, and the slot
//    is pinned.
// 4. A save, a rollback or an undo removes the entry. The slot is clean again: it holds nothing that the store does not
//    have.
// 5. `dropCleanRows` drops clean rows after another context or program wrote, and on refresh; the slot is a fault again.
//    A clean slot that neither Lua nor an undo step refers to is released and used for another object.
//
// Three things decide which rows are read together: `approach`, the to-one that led here; the fetch result of the last
// access; and `faultRun`, the end of the last batch. They are guesses: forgetting one costs a statement, and no answer
// depends on them.

extension ObjectTable {
  /// The maximum number of faults fired together.
  private static let largestBatch = 256

  /// Fires a fault, and the faults after it if faults are fired in sequence.
  ///
  /// These are the next faults in a fetch result, those that the loop's other objects refer to, or those in
  /// neighbouring slots, which hold objects that were read together. A loop then costs one statement per batch.
  func fill(_ slot: Int32) throws {
    guard !isGone(slot) else { throw GraphError(.deletedObject(objectID(slot).description)) }
    guard !objectID(slot).isTemporary else { return }
    if let approach, approach.target == slot, approach.isValid {
      self.approach = nil
      let keys = approach.table.faultsAhead(along: approach.property, from: approach.slot)
      if keys.contains(key(slot)) {
        return try fill(keys: keys, from: (approach.entity, approach.property))
      }
    }
    if let slots = faultsInResult(at: slot) { return try fill(keys: slots.map { key($0) }) }
    faultRun.size = faultRun.next == slot ? min(faultRun.size * 4, Self.largestBatch) : 4
    var wanted: [Int64] = []
    var next = slot
    // Faults that are far between are not worth the search.
    let end = min(Int32(count), slot + 4 * Int32(faultRun.size))
    while next < end, wanted.count < faultRun.size {
      if isUsed(next), !isGone(next), row(next) == nil, !objectID(next).isTemporary { wanted.append(key(next)) }
      next += 1
    }
    faultRun.next = next
    try fill(keys: wanted)
  }

  /// Reads the rows of the given keys. Keys without a row remain faults.
  ///
  /// `origin` is the relationship by which they were reached.
  func fill(keys: [Int64], from origin: (entity: Entity, property: Int)? = nil) throws {
    guard !keys.isEmpty else { return }
    let cursor = try context.store.rows(of: root, keys: keys)
    defer { cursor.close() }
    var count = 0
    while try cursor.step() {
      setRow(register(rowOf: cursor.key, cursor.entity), cursor.pack())
      count += 1
    }
    context.note(.fault, origin?.entity ?? root, origin?.property, rows: count)
  }

  /// Whether the store has the row of a slot, which stays as it is.
  func hasRow(_ slot: Int32) throws -> Bool {
    let cursor = try context.store.rows(of: root, keys: [key(slot)])
    defer { cursor.close() }
    return try cursor.step()
  }

  /// Turns every clean object into a fault, so that the next access reads the store.
  ///
  /// Transient values, which the store cannot restore, are dropped only by an explicit refresh.
  func refreshClean(keepsTransients: Bool = false) {
    context.membershipSerial += 1
    dropCleanRows()
    if !fetched.isEmpty { fetched = fetched.filter { isDirty($0.key) } }
    if !transients.isEmpty, !keepsTransients { transients = transients.filter { isDirty($0.key) } }
    forgetAnswers()
    inaccessible = []
    collections = collections.filter { $0.value.isChanged }
    for state in collections.values { state.forgetMembers() }
  }

  /// Drops the row of a clean slot, and the values read with it.
  func refreshClean(_ slot: Int32) {
    dropRow(slot)
    fetched[slot] = nil
    inaccessible.remove(slot)
    for property in entity(slot).properties.indices {
      guard let state = collections[CollectionKey(slot: slot, property: property)], !state.isChanged else { continue }
      state.forgetMembers()
    }
  }

  /// Clears the caches of query results.
  func forgetAnswers() {
    resolved = [:]
    runs = [:]
  }

  /// Drops the values of clean objects, but keeps the state of their relationships.
  func dropCleanRows() {
    for slot in 0..<Int32(count) where isUsed(slot) && !isDirty(slot) { dropRow(slot) }
  }

  /// Frees the clean slots that are neither referenced nor pinned.
  func sweep(pinned: Set<Int32>, isReferenced: (Int32) -> Bool) {
    collections = collections.filter { $0.value.isChanged }
    var kept = pinned
    for (key, state) in collections {
      kept.insert(key.slot)
      state.forgetMembers()
    }
    // In descending order, so that freed slots are reused in ascending order and objects fetched together are
    // neighbours.
    for slot in stride(from: Int32(count) - 1, through: 0, by: -1)
    where isUsed(slot) && !isDirty(slot) && slot != currentSlot {
      if isReferenced(slot) || !kept.isEmpty && kept.contains(slot) { continue }
      release(slot)
    }
  }
}
