/// A radix sort of rows by the first eight bytes of their sort keys: stable passes of eleven bits, from the least
/// significant; digits that are equal in all rows are skipped.
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
  private(set) var entries: UnsafeMutablePointer<Entry>

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

  /// Sorts by prefix, and each run of equal prefixes by `isBeforeAmongEquals`.
  mutating func sort(_ isBeforeAmongEquals: (Int64, Int64) -> Bool) {
    sortByPrefix()
    var start = 0
    while start < count {
      var end = start + 1
      var isInOrder = true
      while end < count, entries[end].prefix == entries[start].prefix {
        if isInOrder, isBeforeAmongEquals(entries[end].number, entries[end - 1].number) { isInOrder = false }
        end += 1
      }
      if !isInOrder {
        var run = UnsafeMutableBufferPointer(start: entries + start, count: end - start)
        run.sort { isBeforeAmongEquals($0.number, $1.number) }
      }
      start = end
    }
  }

  private mutating func sortByPrefix() {
    if count < 2048 {
      var all = UnsafeMutableBufferPointer(start: entries, count: count)
      return all.sort { $0.prefix < $1.prefix }
    }
    var differing: UInt64 = 0
    for place in 1..<count { differing |= entries[place].prefix ^ entries[0].prefix }
    var other = MappedColumn<Entry>.map(count)
    let starts = UnsafeMutablePointer<Int>.allocate(capacity: 2049)
    for shift in stride(from: UInt64(0), to: 64, by: 11) where differing >> shift & 0x7FF != 0 {
      starts.initialize(repeating: 0, count: 2049)
      for place in 0..<count { starts[Int(entries[place].prefix >> shift & 0x7FF) + 1] += 1 }
      for digit in 1...2048 { starts[digit] += starts[digit - 1] }
      for place in 0..<count {
        let digit = Int(entries[place].prefix >> shift & 0x7FF)
        other[starts[digit]] = entries[place]
        starts[digit] += 1
      }
      swap(&entries, &other)
    }
    starts.deallocate()
    MappedColumn<Entry>.unmap(other, count)
  }
}
