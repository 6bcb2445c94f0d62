/// Rows collected, in whatever order, for an arrangement to be made of.
///
///     var rows = ArrangedRows()
///     rows.append(ArrangedRow(key: 7, sortKey: encoder.encode(values)))
///     let arrangement = Arrangement(rows)
///
/// Takes 16 bytes a row, beside tails of sort keys, and the number of its section.
struct ArrangedRows {
  private(set) var keys: ContiguousArray<Int64> = []
  private var prefixes: ContiguousArray<UInt64> = []
  /// Where each row's tail ends in `tails`; empty while all tails are.
  private var ends: ContiguousArray<Int> = []
  private var tails: ContiguousArray<UInt8> = []
  /// The different sections, in the order they came.
  private(set) var sections: [SectionIdentity] = []
  /// Each row's section as its place in `sections`; empty where there are none.
  private var sectionNumbers: ContiguousArray<Int32> = []
  private var numbers: [SortKey: Int32] = [:]

  /// No rows.
  init() {}

  /// The rows.
  var count: Int { keys.count }

  /// Makes room.
  mutating func reserve(_ count: Int) {
    keys.reserveCapacity(count)
    prefixes.reserveCapacity(count)
  }

  /// Adds a row. Either all rows have a section or none.
  mutating func append(_ row: ArrangedRow) {
    if !row.sortKey.tail.isEmpty, ends.isEmpty { ends = ContiguousArray(repeating: 0, count: keys.count) }
    keys.append(row.key)
    prefixes.append(row.sortKey.prefix)
    if !ends.isEmpty || !row.sortKey.tail.isEmpty {
      tails.append(contentsOf: row.sortKey.tail)
      ends.append(tails.count)
    }
    if let section = row.section { sectionNumbers.append(number(of: section)) }
  }

  private mutating func number(of section: SectionIdentity) -> Int32 {
    if let last = sectionNumbers.last, sections[Int(last)] == section { return last }
    if let known = numbers[section.key] { return known }
    let number = Int32(sections.count)
    sections.append(section)
    numbers[section.key] = number
    return number
  }

  /// Calls the body with the rest of a row's sort key.
  func withTail<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard !ends.isEmpty else { return body(.empty) }
    let start = index == 0 ? 0 : ends[index - 1]
    return tails.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start..<ends[index]])) }
  }

  /// The place in `sections` of a row's section; nil where there are none.
  func sectionNumber(at index: Int) -> Int? {
    index < sectionNumbers.count ? Int(sectionNumbers[index]) : nil
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    if prefixes[left] != prefixes[right] { return prefixes[left] < prefixes[right] }
    return isBeforeAmongEquals(left, right)
  }

  private func isBeforeAmongEquals(_ left: Int, _ right: Int) -> Bool {
    if !ends.isEmpty {
      let order = withTail(at: left) { left in withTail(at: right) { compareTails(left, $0) } }
      if order != 0 { return order < 0 }
    }
    return tieOrder(keys[left]) < tieOrder(keys[right])
  }

  private func isSorted() -> Bool {
    var index = 1
    while index < keys.count {
      if isBefore(index, index - 1) { return false }
      index += 1
    }
    return true
  }

  /// A row by the first eight bytes of its sort key and its place here.
  struct Entry {
    var prefix: UInt64
    var index: Int
  }

  /// The rows in order: by prefix, and each run of equal prefixes by what else decides.
  func sorted() -> ContiguousArray<Entry> {
    var entries = ContiguousArray<Entry>()
    entries.reserveCapacity(keys.count)
    for index in prefixes.indices { entries.append(Entry(prefix: prefixes[index], index: index)) }
    if isSorted() { return entries }
    Self.sortByPrefix(&entries)
    var start = 0
    while start < entries.count {
      var end = start + 1
      var isInOrder = true
      while end < entries.count, entries[end].prefix == entries[start].prefix {
        if isInOrder, isBeforeAmongEquals(entries[end].index, entries[end - 1].index) { isInOrder = false }
        end += 1
      }
      if !isInOrder { entries[start..<end].sort { isBeforeAmongEquals($0.index, $1.index) } }
      start = end
    }
    return entries
  }

  /// Sorts by eleven bits at a time from the least on, each time keeping the order of equals; digits that are the same
  /// in all rows are passed over.
  private static func sortByPrefix(_ entries: inout ContiguousArray<Entry>) {
    if entries.count < 2048 { return entries.sort { ($0.prefix, $0.index) < ($1.prefix, $1.index) } }
    let differing = entries.reduce(0) { $0 | ($1.prefix ^ entries[0].prefix) }
    var other = entries
    for shift in stride(from: UInt64(0), to: 64, by: 11) where differing >> shift & 0x7FF != 0 {
      var starts = ContiguousArray<Int>(repeating: 0, count: 2049)
      entries.withUnsafeBufferPointer { source in
        starts.withUnsafeMutableBufferPointer { starts in
          for entry in source { starts[Int(entry.prefix >> shift & 0x7FF) + 1] += 1 }
          for digit in 1...2048 { starts[digit] += starts[digit - 1] }
          other.withUnsafeMutableBufferPointer { target in
            for entry in source {
              let digit = Int(entry.prefix >> shift & 0x7FF)
              target[starts[digit]] = entry
              starts[digit] += 1
            }
          }
        }
      }
      swap(&entries, &other)
    }
  }
}
