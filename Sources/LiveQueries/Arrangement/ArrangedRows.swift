/// Rows collected in any order, from which an arrangement is made.
///
///     let rows = ArrangedRows()
///     rows.append(ArrangedRow(key: 7, sortKey: encoder.encode(values)))
///     let arrangement = Arrangement(rows)
///
/// Takes 16 bytes per row, plus tails of sort keys and the number of its section, and twice as much again while it
/// sorts. All memory returns to the system when the rows are deallocated.
final class ArrangedRows {
  private let keys = MappedColumn<Int64>()
  private let prefixes = MappedColumn<UInt64>()
  /// The end of each row's tail in `tails`; nil while all tails are empty.
  private var ends: MappedColumn<Int>?
  private var tails = TailBytes()
  /// Whether the rows were added in order.
  private var isSorted = true
  /// The distinct sections, in the order of their first rows.
  private(set) var sections: [SectionIdentity] = []
  /// Each row's section as an index of `sections`; empty without sections.
  private let sectionNumbers = MappedColumn<Int32>()
  private var lastSection: Int32 = -1
  private var numbers: [SortKey: Int32] = [:]

  /// Creates an empty collection.
  init() {}

  /// The number of rows.
  var count: Int { keys.count }

  /// The key of a row.
  func key(at index: Int) -> Int64 { keys[index] }

  /// Adds a row. Either all rows have a section or none.
  func append(_ row: ArrangedRow) {
    if !row.sortKey.tail.isEmpty, ends == nil { makeEnds() }
    if let ends {
      tails.append(row.sortKey.tail)
      ends.append(tails.count)
    }
    append(key: row.key, prefix: row.sortKey.prefix)
    if let section = row.section {
      lastSection = number(of: section)
      sectionNumbers.append(lastSection)
    }
  }

  /// Adds a row without a section whose sort key has no tail.
  func append(key: Int64, lonePrefix prefix: UInt64) {
    if let ends { ends.append(tails.count) }
    append(key: key, prefix: prefix)
  }

  private func append(key: Int64, prefix: UInt64) {
    let place = keys.count
    keys.append(key)
    prefixes.append(prefix)
    if isSorted, place > 0, isBefore(place, place - 1) { isSorted = false }
  }

  private func makeEnds() {
    let new = MappedColumn<Int>()
    for _ in 0..<count { new.append(0) }
    ends = new
  }

  private func number(of section: SectionIdentity) -> Int32 {
    if lastSection >= 0, sections[Int(lastSection)] == section { return lastSection }
    if let known = numbers[section.key] { return known }
    let number = Int32(clamping: sections.count)
    sections.append(section)
    numbers[section.key] = number
    return number
  }

  /// Calls the body with the tail of a row's sort key.
  func withTail<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard let ends else { return body(.empty) }
    return body(tails[index == 0 ? 0 : ends[index - 1], ends[index]])
  }

  /// The number of bytes of a row's tail.
  func tailCount(at index: Int) -> Int { ends.map { $0[index] - (index == 0 ? 0 : $0[index - 1]) } ?? 0 }

  /// The index in `sections` of a row's section; nil without sections.
  func sectionNumber(at index: Int) -> Int? {
    index < sectionNumbers.count ? Int(sectionNumbers[index]) : nil
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    let (one, other) = (prefixes[left], prefixes[right])
    return one != other ? one < other : isBeforeAmongEquals(left, right)
  }

  private func isBeforeAmongEquals(_ left: Int, _ right: Int) -> Bool {
    if ends != nil {
      let order = withTail(at: left) { left in withTail(at: right) { compareTails(left, $0) } }
      if order != 0 { return order < 0 }
    }
    return tieOrder(keys[left]) < tieOrder(keys[right])
  }

  /// Whether rows have neither tails nor sections, so that prefix and key describe them completely.
  var arePlain: Bool { ends == nil && sectionNumbers.count == 0 }

  /// The rows in order, each with its prefix and its index here, or its key if all rows are plain. The caller frees the
  /// memory.
  func sorted() -> PrefixSort {
    if arePlain {
      let entries = PrefixSort(count) { (prefixes[$0], keys[$0]) }
      if !isSorted { entries.sortKeys() }
      return entries
    }
    let entries = PrefixSort(count) { (prefixes[$0], Int64($0)) }
    if !isSorted { entries.sort { isBeforeAmongEquals(Int($0), Int($1)) } }
    return entries
  }

  /// Calls the body with each key, in insertion order.
  func forEachKey(_ body: (Int64) -> Void) { for index in 0..<count { body(keys[index]) } }
}

/// The concatenated tails of sort keys.
private struct TailBytes {
  private(set) var count = 0
  private var capacity = 0
  private var storage: Storage?

  /// The memory, freed with the last reference.
  private final class Storage {
    let bytes: UnsafeMutablePointer<UInt8>
    private let capacity: Int

    init(_ capacity: Int) {
      self.capacity = capacity
      bytes = MappedColumn<UInt8>.map(capacity)
    }

    deinit { MappedColumn<UInt8>.unmap(bytes, capacity) }
  }

  mutating func append(_ tail: [UInt8]) {
    guard !tail.isEmpty else { return }
    if count + tail.count > capacity { grow(to: count + tail.count) }
    guard let bytes = storage?.bytes else { return }
    (bytes + count).update(from: tail, count: tail.count)
    count += tail.count
  }

  subscript(start: Int, end: Int) -> UnsafeRawBufferPointer {
    guard start < end, let bytes = storage?.bytes else { return .empty }
    return UnsafeRawBufferPointer(start: bytes + start, count: end - start)
  }

  private mutating func grow(to needed: Int) {
    capacity = max(1 << 16, needed + needed / 2)
    let new = Storage(capacity)
    if let old = storage?.bytes { new.bytes.update(from: old, count: count) }
    storage = new
  }
}
