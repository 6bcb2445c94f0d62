internal import Storage

/// The arrays behind a table's slots: keys, packed rows and states, the free slots, and the index from keys to slots.
///
/// Lives behind a pointer, because millions of accesses through a class's stored properties would each be checked for
/// exclusivity at run time.
struct SlotStorage {
  /// How many slots were ever made: slots are `0..<count`, some of them free.
  private(set) var count = 0
  private var capacity = 0
  private(set) var keys = UnsafeMutablePointer<Int64>.allocate(capacity: 0)
  private(set) var rows = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 0)
  private(set) var states = UnsafeMutablePointer<SlotState>.allocate(capacity: 0)
  private(set) var freeCount = 0
  /// Whether the store was asked about relationships since a cursor last looked: asked with every row.
  var hasDemands = false
  /// The first free slot; a free slot's key is the next one, or -1.
  private var firstFree: Int32 = -1
  private var index = KeyIndex()

  /// The slot filed under `key`; -1 when there is none.
  func find(_ key: Int64) -> Int32 { index.find(key, keys) }

  /// Takes a slot and files it under `key`, which has none.
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

  /// Takes a slot out of the index: its object is gone.
  mutating func unfile(_ slot: Int32) { index.remove(slot, keys) }

  /// Puts a slot that was taken out of the index back under its key.
  mutating func file(_ slot: Int32) { index.insert(slot, keys) }

  /// Files a slot under another key.
  mutating func rekey(_ slot: Int32, to key: Int64) {
    index.remove(slot, keys)
    keys[Int(slot)] = key
    index.insert(slot, keys)
  }

  /// Gives a slot, which is no longer filed and has no row, back for other objects.
  mutating func free(_ slot: Int32) {
    states[Int(slot)] = SlotState()
    keys[Int(slot)] = Int64(firstFree)
    firstFree = slot
    freeCount += 1
  }

  /// Gives all memory back, rows included.
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

/// What is known of a slot beside its key and row.
struct SlotState {
  /// Three bits for what is so, the others for the member: there are a million slots, and each byte is a megabyte.
  private var bits: UInt32 = 0

  private static let (used, dirty, gone): (UInt32, UInt32, UInt32) = (1, 2, 4)

  init() {}

  init(member: Int, isUsed: Bool) {
    self.member = member
    self.isUsed = isUsed
  }

  /// The index of the slot's entity in the table's family.
  var member: Int {
    get { Int(bits >> 3) }
    set { bits = bits & 7 | UInt32(truncatingIfNeeded: newValue) << 3 }
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
}

/// A hash table from keys to slots that stores the slots alone: the keys stand in an array of their own.
///
/// Open addressing with linear probing at a load of at most 3/4; 5 to 11 bytes an entry.
struct KeyIndex {
  private var cells = UnsafeMutablePointer<Int32>.allocate(capacity: 0)
  private var capacity = 0
  private var shift: UInt64 = 64
  private var used = 0

  /// The slot filed under `key`; -1 when there is none. O(1).
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

  /// Files a slot under its key, which must not be there yet.
  mutating func insert(_ slot: Int32, _ keys: UnsafeMutablePointer<Int64>) {
    if (used + 1) * 4 > capacity * 3 { grow(keys) }
    place(slot, keys)
    used += 1
  }

  /// Takes a slot out, and moves those behind it up so that no gap breaks a probe.
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

  /// Fibonacci hashing: row ids that follow one another do not crowd.
  @inline(__always)
  private func home(_ key: Int64) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) &>> shift)
  }
}
