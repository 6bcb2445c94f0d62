internal import Stores

/// The arrays of a table's slots: keys, packed rows, states, the free list, and the index from keys to slots.
///
/// Lives behind a pointer, because millions of accesses through a class's stored properties would each be checked for
/// exclusivity at run time.
struct SlotStorage {
  /// The number of slots ever created: slots are `0..<count`, some of them free.
  private(set) var count = 0
  private var capacity = 0
  private(set) var keys = UnsafeMutablePointer<Int64>.allocate(capacity: 0)
  private(set) var rows = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 0)
  private(set) var states = UnsafeMutablePointer<SlotState>.allocate(capacity: 0)
  private(set) var freeCount = 0
  /// Whether relationships were read since a cursor last checked, which it does with every row.
  var hasDemands = false
  /// The first free slot; a free slot's key is the next one, or -1.
  private var firstFree: Int32 = -1
  private var index = SlotIndex()

  /// Returns the slot of `key`; -1 if there is none.
  func find(_ key: Int64) -> Int32 { index.find(key, keys) }

  /// Allocates a slot and registers it under `key`.
  mutating func add(_ key: Int64, member: Int) -> Int32 {
    let slot: Int32
    if firstFree >= 0 {
      slot = firstFree
      firstFree = Int32(truncatingIfNeeded: keys[Int(slot)])
      freeCount -= 1
    } else {
      if count == capacity { grow() }
      slot = Int32(count)
      count += 1
    }
    keys[Int(slot)] = key
    rows[Int(slot)] = nil
    states[Int(slot)] = SlotState(member: member, isUsed: true)
    index.insert(slot, keys)
    return slot
  }

  /// Removes a slot from the index, because its object is gone.
  mutating func unfile(_ slot: Int32) { index.remove(slot, keys) }

  /// Adds a removed slot to the index again, under its key.
  mutating func file(_ slot: Int32) { index.insert(slot, keys) }

  /// Registers a slot under another key.
  mutating func rekey(_ slot: Int32, to key: Int64) {
    index.remove(slot, keys)
    keys[Int(slot)] = key
    index.insert(slot, keys)
  }

  /// Frees a slot that is not in the index and has no row.
  mutating func free(_ slot: Int32) {
    states[Int(slot)] = SlotState()
    keys[Int(slot)] = Int64(firstFree)
    firstFree = slot
    freeCount += 1
  }

  /// Frees all memory, including the rows.
  mutating func deallocate() {
    for slot in 0..<count { rows[slot].map { PackedRow(base: $0).free() } }
    keys.deallocate()
    rows.deallocate()
    states.deallocate()
    index.deallocate()
  }

  private mutating func grow() {
    let larger = max(64, capacity * 2)
    keys = moved(keys, larger)
    rows = moved(rows, larger)
    states = moved(states, larger)
    capacity = larger
  }

  private func moved<Element>(_ old: UnsafeMutablePointer<Element>, _ capacity: Int) -> UnsafeMutablePointer<Element> {
    let new = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    new.moveInitialize(from: old, count: count)
    old.deallocate()
    return new
  }
}

/// The state of a slot beside its key and row.
struct SlotState {
  /// Four flag bits and the entity index: with a million slots, each byte is a megabyte.
  private var bits: UInt32 = 0

  // Computed, as a stored one would be asked at each access whether it is there yet.
  private static var used: UInt32 { 1 }
  private static var dirty: UInt32 { 2 }
  private static var gone: UInt32 { 4 }
  private static var settled: UInt32 { 8 }

  init() {}

  init(member: Int, isUsed: Bool) {
    self.member = member
    self.isUsed = isUsed
  }

  /// The index of the slot's entity in the table's family.
  var member: Int {
    get { Int(bits >> 4) }
    set { bits = bits & 15 | UInt32(truncatingIfNeeded: newValue) << 4 }
  }

  var isUsed: Bool {
    get { bits & Self.used != 0 }
    set { bits = newValue ? bits | Self.used : bits & ~Self.used }
  }

  var isDirty: Bool {
    get { bits & Self.dirty != 0 }
    set { bits = newValue ? bits | Self.dirty : bits & ~Self.dirty }
  }

  var isGone: Bool {
    get { bits & Self.gone != 0 }
    set { bits = newValue ? bits | Self.gone : bits & ~Self.gone }
  }

  /// Whether the entity is the object's own, and not an ancestor's by which a reference knows it.
  var isSettled: Bool {
    get { bits & Self.settled != 0 }
    set { bits = newValue ? bits | Self.settled : bits & ~Self.settled }
  }
}

/// A hash table from keys to slots that stores the slots alone: the keys stand in an array of their own.
///
/// Open addressing with linear probing at a load of at most 3/4; 5 to 11 bytes an entry.
struct SlotIndex {
  private var cells = UnsafeMutablePointer<Int32>.allocate(capacity: 0)
  private var capacity = 0
  private var shift: UInt64 = 64
  private var used = 0

  /// Returns the slot of `key`; -1 if there is none. O(1).
  @inline(__always)
  func find(_ key: Int64, _ keys: UnsafeMutablePointer<Int64>) -> Int32 {
    guard capacity > 0 else { return -1 }
    var position = home(key)
    while true {
      let slot = cells[position]
      if slot < 0 || keys[Int(slot)] == key { return slot }
      position = (position + 1) & (capacity - 1)
    }
  }

  /// Adds a slot under its key, which must not be present.
  mutating func insert(_ slot: Int32, _ keys: UnsafeMutablePointer<Int64>) {
    if (used + 1) * 4 > capacity * 3 { grow(keys) }
    place(slot, keys)
    used += 1
  }

  /// Removes a slot, and moves later entries up so that no gap breaks a probe sequence.
  mutating func remove(_ slot: Int32, _ keys: UnsafeMutablePointer<Int64>) {
    let mask = capacity - 1
    var hole = home(keys[Int(slot)])
    while cells[hole] != slot {
      if cells[hole] < 0 { return }
      hole = (hole + 1) & mask
    }
    var next = (hole + 1) & mask
    while cells[next] >= 0 {
      let wanted = home(keys[Int(cells[next])])
      if (next &- wanted) & mask >= (next &- hole) & mask {
        cells[hole] = cells[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    cells[hole] = -1
    used -= 1
  }

  func deallocate() { cells.deallocate() }

  private func place(_ slot: Int32, _ keys: UnsafeMutablePointer<Int64>) {
    var position = home(keys[Int(slot)])
    while cells[position] >= 0 { position = (position + 1) & (capacity - 1) }
    cells[position] = slot
  }

  private mutating func grow(_ keys: UnsafeMutablePointer<Int64>) {
    let old = UnsafeMutableBufferPointer(start: cells, count: capacity)
    capacity = max(16, capacity * 2)
    cells = .allocate(capacity: capacity)
    cells.initialize(repeating: -1, count: capacity)
    shift = UInt64(64 - capacity.trailingZeroBitCount)
    for slot in old where slot >= 0 { place(slot, keys) }
    old.deallocate()
  }

  /// Multiplicative hashing, which spreads consecutive row ids evenly.
  ///
  /// By the square root of 2 rather than by the golden ratio of Fibonacci hashing: many programs make codes of numbers by
  /// the latter, and objects in the order of such a code came here in the order of their homes, so that they filled one end
  /// of the table, and each one's probes passed most of those before it.
  @inline(__always)
  private func home(_ key: Int64) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x6A09_E667_F3BC_C909) &>> shift)
  }
}
