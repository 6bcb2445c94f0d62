/// The unsaved changes of the few slots of a table that have any: a sparse set.
///
/// Look-up, insertion and removal are O(1), without hashing, allocating or counting references. A slot with changes takes 68 bytes, and
/// each slot of the table 4 once there is one.
final class ChangeMap {
  /// The slots that have changes, in no particular order.
  private(set) var keys: [Int32] = []
  /// Their changes, in the order of `keys`.
  private(set) var values: [UnsavedChanges] = []
  /// For each slot, its place in `keys`; -1 for none.
  private var places: [Int32] = []
  /// The memory of all records. A record stays where it is, so that it can be changed while others come and go.
  private var chunks: [UnsafeMutableBufferPointer<UnsavedChanges.Record>] = []
  /// How many records of the last chunk were taken.
  private var taken = 0
  /// A record that was taken and is free again; it leads to the next one.
  private var firstFree: UnsavedChanges?

  /// The memory of the present records.
  private var memory = Memory()

  private static let largestChunk = 1024

  /// Whether the memory of records was freed, which a debug build asks at each use of a record.
  final class Memory {
    fileprivate(set) var isFreed = false
  }

  deinit { freeRecords() }

  var isEmpty: Bool { keys.isEmpty }

  /// How many slots have changes.
  var count: Int { keys.count }

  /// The changes of a slot.
  subscript(slot: Int32) -> UnsavedChanges? {
    guard slot < places.count, case let place = places[Int(slot)], place >= 0 else { return nil }
    return values[Int(place)]
  }

  /// Sets the changes of a slot, in place of those that it may have.
  @discardableResult
  func set(_ slot: Int32, _ record: UnsavedChanges.Record) -> UnsavedChanges {
    if let known = self[slot] {
      known.become(record)
      return known
    }
    if slot >= places.count {
      let missing = max(Int(slot) + 1 - places.count, places.count)
      places.append(contentsOf: repeatElement(-1, count: missing))
    }
    let changes = place(record)
    places[Int(slot)] = Int32(clamping: keys.count)
    keys.append(slot)
    values.append(changes)
    return changes
  }

  /// Removes the changes of a slot, by moving the last entry into the place of its entry.
  func remove(_ slot: Int32) {
    guard let changes = self[slot] else { return }
    changes.becomeFree(before: firstFree)
    firstFree = changes
    let place = Int(places[Int(slot)])
    places[Int(slot)] = -1
    let (lastSlot, last) = (keys.removeLast(), values.removeLast())
    guard lastSlot != slot else { return }
    keys[place] = lastSlot
    values[place] = last
    places[Int(lastSlot)] = Int32(place)
  }

  /// An independent copy. O(changes).
  func copy() -> ChangeMap {
    let copy = ChangeMap()
    for (slot, changes) in zip(keys, values) { copy.set(slot, changes.copy()) }
    return copy
  }

  /// Replaces all changes by copies of others.
  func replaceAll(by others: ChangeMap) {
    for slot in keys { remove(slot) }
    for (slot, changes) in zip(others.keys, others.values) { set(slot, changes.copy()) }
  }

  /// Gives memory back if there are no changes. Nothing may hold changes of the table.
  func trim() {
    guard isEmpty else { return }
    freeRecords()
    (keys, values, places) = ([], [], [])
  }

  private func place(_ record: UnsavedChanges.Record) -> UnsavedChanges {
    if let free = firstFree {
      firstFree = free.nextFree(in: memory)
      free.become(record)
      return free
    }
    if taken == chunks.last?.count ?? 0 {
      chunks.append(.allocate(capacity: min(max(8, count), Self.largestChunk)))
      taken = 0
    }
    taken += 1
    return UnsavedChanges(record, at: chunks[chunks.count - 1].baseAddress! + (taken - 1), in: memory)
  }

  private func freeRecords() {
    if chunks.isEmpty { return }
    for changes in values { changes.becomeFree(before: nil) }
    // All other chunks are full.
    chunks.last.map { _ = $0[..<taken].deinitialize() }
    for chunk in chunks.dropLast() { chunk.deinitialize() }
    for chunk in chunks { chunk.deallocate() }
    (chunks, taken, firstFree) = ([], 0, nil)
    memory.isFreed = true
    memory = Memory()
  }
}
