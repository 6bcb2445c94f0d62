/// A hash table from keys to slots that stores the slots alone: the keys stand in the table's own array.
///
/// Open addressing with linear probing at a load of at most 3/4; 5 to 11 bytes an entry.
struct KeyIndex {
  private var cells: [Int32] = []
  private var shift: UInt64 = 64
  private var used = 0

  /// The slot filed under `key`. O(1).
  func find(_ key: Int64, _ keys: UnsafeMutablePointer<Int64>) -> Int32? {
    guard !cells.isEmpty else { return nil }
    return cells.withUnsafeBufferPointer { cells in
      var position = Self.home(key, shift)
      while true {
        let slot = cells[position]
        if slot < 0 { return nil }
        if keys[Int(slot)] == key { return slot }
        position = (position + 1) & (cells.count - 1)
      }
    }
  }

  /// Files a slot under its key, which must not be there yet.
  mutating func insert(_ slot: Int32, _ keys: UnsafeMutablePointer<Int64>) {
    if (used + 1) * 4 > cells.count * 3 { grow(keys) }
    place(slot, keys)
    used += 1
  }

  /// Takes a slot out, and moves those behind it up so that no gap breaks a probe.
  mutating func remove(_ slot: Int32, _ keys: UnsafeMutablePointer<Int64>) {
    let mask = cells.count - 1
    var hole = Self.home(keys[Int(slot)], shift)
    while cells[hole] != slot {
      if cells[hole] < 0 { return }
      hole = (hole + 1) & mask
    }
    var next = (hole + 1) & mask
    while cells[next] >= 0 {
      let home = Self.home(keys[Int(cells[next])], shift)
      if (next &- home) & mask >= (next &- hole) & mask {
        cells[hole] = cells[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    cells[hole] = -1
    used -= 1
  }

  private mutating func place(_ slot: Int32, _ keys: UnsafeMutablePointer<Int64>) {
    var position = Self.home(keys[Int(slot)], shift)
    while cells[position] >= 0 { position = (position + 1) & (cells.count - 1) }
    cells[position] = slot
  }

  private mutating func grow(_ keys: UnsafeMutablePointer<Int64>) {
    let old = cells
    let capacity = max(16, old.count * 2)
    cells = Array(repeating: -1, count: capacity)
    shift = UInt64(64 - capacity.trailingZeroBitCount)
    for slot in old where slot >= 0 { place(slot, keys) }
  }

  /// Fibonacci hashing: row ids that follow one another do not crowd.
  private static func home(_ key: Int64, _ shift: UInt64) -> Int {
    Int((UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }
}
