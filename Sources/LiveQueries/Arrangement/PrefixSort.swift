internal import Modeling

/// A radix sort of rows by the first eight bytes of their sort keys, and by their keys where those are equal: stable passes
/// of eleven bits, from the least significant; digits that are equal in all rows are skipped.
///
/// The owner frees the memory.
struct PrefixSort {
  /// A row's prefix with its key or its index among the collected rows.
  struct Entry {
    var prefix: UInt64
    var number: Int64
  }

  /// The number of rows.
  let count: Int
  let entries: UnsafeMutablePointer<Entry>

  /// Creates an unsorted list of `count` rows.
  init(_ count: Int, _ row: (Int) -> (prefix: UInt64, number: Int64)) {
    self.count = count
    entries = MappedColumn<Entry>.map(count)
    for index in 0..<count {
      let row = row(index)
      entries[index] = Entry(prefix: row.prefix, number: row.number)
    }
  }

  /// Frees the memory.
  func free() { MappedColumn<Entry>.unmap(entries, count) }

  /// Sorts by prefix, and rows with the same prefix by their numbers, which are keys.
  func sortKeys() {
    Self.sort(all) { $0.prefix }
    forEachRun { run in if !Self.sortDense(run) { Self.sort(run) { tieOrder($0.number) } } }
  }

  /// Sorts by prefix, and each run of equal prefixes by `isBeforeAmongEquals`.
  func sort(_ isBeforeAmongEquals: (Int64, Int64) -> Bool) {
    Self.sort(all) { $0.prefix }
    forEachRun { run in
      let isInOrder = !run.indices.dropFirst().contains { isBeforeAmongEquals(run[$0].number, run[$0 - 1].number) }
      var run = run
      if !isInOrder { run.sort { isBeforeAmongEquals($0.number, $1.number) } }
    }
  }

  /// Sorts rows with the same prefix by a bit for each key, where the keys are of saved rows, near one another and different;
  /// otherwise returns false and changes nothing.
  private static func sortDense(_ rows: UnsafeMutableBufferPointer<Entry>) -> Bool {
    guard rows.count >= 2048 else { return false }
    var (least, greatest) = (rows[0].number, rows[0].number)
    for row in rows { (least, greatest) = (min(least, row.number), max(greatest, row.number)) }
    let span = UInt64(bitPattern: greatest &- least)
    guard least > ObjectID.temporaryLimit, span < 8 * UInt64(rows.count) else { return false }
    let words = Int(span >> 6) + 1
    let bits = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
    defer { bits.deallocate() }
    bits.initialize(repeating: 0, count: words)
    for row in rows {
      let place = Int(row.number &- least)
      let bit: UInt64 = 1 << UInt64(place & 63)
      if bits[place >> 6] & bit != 0 { return false }
      bits[place >> 6] |= bit
    }
    var next = 0
    for word in 0..<words {
      var left = bits[word]
      while left != 0 {
        rows[next].number = least + Int64(word << 6 + left.trailingZeroBitCount)
        next += 1
        left &= left - 1
      }
    }
    return true
  }

  private var all: UnsafeMutableBufferPointer<Entry> { UnsafeMutableBufferPointer(start: entries, count: count) }

  /// Calls the body with each two or more rows that have the same prefix.
  private func forEachRun(_ body: (UnsafeMutableBufferPointer<Entry>) -> Void) {
    var start = 0
    while start < count {
      var end = start + 1
      while end < count, entries[end].prefix == entries[start].prefix { end += 1 }
      if end > start + 1 { body(UnsafeMutableBufferPointer(rebasing: all[start..<end])) }
      start = end
    }
  }

  /// Sorts rows by a number of each.
  @inline(__always)
  private static func sort(_ rows: UnsafeMutableBufferPointer<Entry>, by number: (Entry) -> UInt64) {
    guard var from = rows.baseAddress else { return }
    let count = rows.count
    if count < 2048 {
      var rows = rows
      return rows.sort { number($0) < number($1) }
    }
    var differing: UInt64 = 0
    for place in 1..<count { differing |= number(from[place]) ^ number(from[0]) }
    let mapped = MappedColumn<Entry>.map(count)
    var to = mapped
    let starts = UnsafeMutablePointer<Int>.allocate(capacity: 2049)
    for shift in stride(from: UInt64(0), to: 64, by: 11) where differing >> shift & 0x7FF != 0 {
      starts.initialize(repeating: 0, count: 2049)
      for place in 0..<count { starts[Int(number(from[place]) >> shift & 0x7FF) + 1] += 1 }
      for digit in 1...2048 { starts[digit] += starts[digit - 1] }
      for place in 0..<count {
        let digit = Int(number(from[place]) >> shift & 0x7FF)
        to[starts[digit]] = from[place]
        starts[digit] += 1
      }
      swap(&from, &to)
    }
    if from == mapped { to.update(from: from, count: count) }
    starts.deallocate()
    MappedColumn<Entry>.unmap(mapped, count)
  }
}
