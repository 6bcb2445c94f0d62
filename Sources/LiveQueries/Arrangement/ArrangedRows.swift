/// Rows collected, in whatever order, for an arrangement to be made of.
///
///     let rows = ArrangedRows()
///     rows.append(ArrangedRow(key: 7, sortKey: encoder.encode(values)))
///     let arrangement = Arrangement(rows)
///
/// Takes 16 bytes a row, beside tails of sort keys and the number of its section, and twice as much again while it sorts;
/// all of it is the system's again when the rows are let go.
final class ArrangedRows {
  private let keys = MappedColumn<Int64>()
  private let prefixes = MappedColumn<UInt64>()
  /// Where each row's tail ends in `tails`; nil while all are empty.
  private var ends: MappedColumn<Int>?
  private var tails = TailBytes()
  /// Whether the rows came in their order.
  private var isSorted = true
  /// The different sections, in the order they came.
  private(set) var sections: [SectionIdentity] = []
  /// Each row's section as its place in `sections`; empty where there are none.
  private let sectionNumbers = MappedColumn<Int32>()
  private var lastSection: Int32 = -1
  private var numbers: [SortKey: Int32] = [:]

  /// No rows.
  init() {}

  /// The rows.
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

  /// Calls the body with the rest of a row's sort key.
  func withTail<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard let ends else { return body(.empty) }
    return body(tails[index == 0 ? 0 : ends[index - 1], ends[index]])
  }

  /// The place in `sections` of a row's section; nil where there are none.
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

  /// Whether rows have neither tails nor sections, so that they are known by prefix and key alone.
  var arePlain: Bool { ends == nil && sectionNumbers.count == 0 }

  /// The rows in order, each by its prefix and its place here; plain ones by prefix and key. The memory is the caller's to
  /// free.
  func sorted() -> PrefixSort {
    if arePlain {
      var entries = PrefixSort(count) { (prefixes[$0], keys[$0]) }
      if !isSorted { entries.sort { tieOrder($0) < tieOrder($1) } }
      return entries
    }
    var entries = PrefixSort(count) { (prefixes[$0], Int64($0)) }
    if !isSorted { entries.sort { isBeforeAmongEquals(Int($0), Int($1)) } }
    return entries
  }

  /// Calls the body with each key, in the order they came.
  func forEachKey(_ body: (Int64) -> Void) { for index in 0..<count { body(keys[index]) } }
}

/// The tails of sort keys, one behind the other.
private struct TailBytes {
  private(set) var count = 0
  private var capacity = 0
  private var storage: Storage?

  /// The memory, which is given back with the last reference.
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
