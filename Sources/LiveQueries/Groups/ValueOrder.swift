/// The rows that have a value of one argument, in the order of their groups and, within a group, of their values.
///
///     order.first(of: group, in: rows)                 // the place of the row with the group's least value
///     order.last(of: group, 0, in: rows)               // of its greatest
///
/// The first and the last row of a group are found in time logarithmic in all rows, also after changes. A row takes some five
/// bytes: its place, in one of the blocks of a list. The values and groups are read from the rows, which must have, whenever a
/// place is put in or taken out, the values that it is there with. Equal values are in the order of the rows' keys.
struct ValueOrder {
  private static let mostInBlock = 512
  private static let leastInBlock = 64
  /// So many places a block has when the order is made: as many as may come before it is split leave little room unused.
  private static let fullness = 448

  /// Places, none of the blocks empty.
  private var blocks: [ContiguousArray<Int32>] = []

  /// Where a place stands.
  private struct Position {
    var block: Int
    var index: Int
  }

  /// The target of a search: the beginning of a group, or a row of it.
  private enum Target {
    case beginning(of: Int32)
    /// A row, by its group, value and key.
    case row(Int)
    /// The first row of the group with an equal value.
    case value(Int)
  }

  /// Puts all rows in order that have a value of an argument.
  init(of column: Int, in rows: borrowing GroupedRows, groups count: Int) {
    let (groups, keys, values) = (rows.groups, rows.keys, rows.columns[column])
    func isIn(_ place: Int) -> Bool { groups[place] >= 0 && !values.isNull(at: place) }
    // By groups first, by counting, then each group's rows.
    var ends = ContiguousArray<Int>(repeating: 0, count: count + 1)
    for place in groups.indices where isIn(place) { ends[Int(groups[place]) + 1] += 1 }
    for group in 0..<count { ends[group + 1] += ends[group] }
    let starts = ends
    var entries = ContiguousArray(repeating: Entry(bits: 0, place: 0), count: ends[count])
    for place in groups.indices where isIn(place) {
      let group = Int(groups[place])
      entries[ends[group]] = Entry(bits: values.sortingBits(at: place), place: Int32(clamping: place))
      ends[group] += 1
    }
    entries.withUnsafeMutableBufferPointer { entries in
      for group in 0..<count where starts[group + 1] - starts[group] > 1 {
        var slice = UnsafeMutableBufferPointer(rebasing: entries[starts[group]..<starts[group + 1]])
        slice.sort { one, other in
          if one.isNumber, other.isNumber, one.bits != other.bits { return one.bits < other.bits }
          let order = values.order(Int(one.place), Int(other.place))
          return order == 0 ? keys[Int(one.place)] < keys[Int(other.place)] : order < 0
        }
      }
    }
    for start in stride(from: 0, to: entries.count, by: Self.fullness) {
      blocks.append(ContiguousArray(entries[start..<min(start + Self.fullness, entries.count)].lazy.map(\.place)))
    }
  }

  /// A place, with the number that it is sorted by where its value is one.
  private struct Entry {
    let bits: UInt64
    let place: Int32
    let isNumber: Bool

    init(bits: UInt64?, place: Int32) {
      (self.bits, self.place, isNumber) = (bits ?? 0, place, bits != nil)
    }
  }

  // MARK: Looking up

  /// The place of the row with the least value of a group; nil where none has a value.
  func first(of group: Int32, in rows: borrowing GroupedRows) -> Int32? {
    let position = search(.beginning(of: group), 0, rows)
    guard let place = place(at: position), rows.groups[Int(place)] == group else { return nil }
    return place
  }

  /// The place of the row with the greatest value of a group, of equal ones that with the lowest key; nil where none has a value.
  func last(of group: Int32, _ column: Int, in rows: borrowing GroupedRows) -> Int32? {
    guard let end = before(search(.beginning(of: group + 1), column, rows)), let place = place(at: end),
      rows.groups[Int(place)] == group
    else { return nil }
    guard let other = before(end), let former = self.place(at: other), rows.groups[Int(former)] == group,
      rows.order(column, Int(former), Int(place)) == 0
    else { return place }
    return self.place(at: search(.value(Int(place)), column, rows))
  }

  private func place(at position: Position) -> Int32? {
    position.block < blocks.count ? blocks[position.block][position.index] : nil
  }

  private func before(_ position: Position) -> Position? {
    if position.index > 0 { return Position(block: position.block, index: position.index - 1) }
    return position.block > 0 ? Position(block: position.block - 1, index: blocks[position.block - 1].count - 1) : nil
  }

  /// The first position that does not come before the target; behind the last block where all do.
  private func search(_ target: Target, _ column: Int, _ rows: borrowing GroupedRows) -> Position {
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(Int(blocks[middle][0]), target, column, rows) { low = middle + 1 } else { high = middle }
    }
    // The block before is the last that begins before the target.
    guard low > 0 else { return Position(block: 0, index: 0) }
    let block = blocks[low - 1]
    var (first, end) = (1, block.count)
    while first < end {
      let middle = (first + end) / 2
      if Self.precedes(Int(block[middle]), target, column, rows) { first = middle + 1 } else { end = middle }
    }
    return first < block.count ? Position(block: low - 1, index: first) : Position(block: low, index: 0)
  }

  private static func precedes(_ place: Int, _ target: Target, _ column: Int, _ rows: borrowing GroupedRows) -> Bool {
    switch target {
    case .beginning(let group): return rows.groups[place] < group
    case .row(let row), .value(let row):
      let (group, wanted) = (rows.groups[place], rows.groups[row])
      if group != wanted { return group < wanted }
      let order = rows.order(column, place, row)
      if order != 0 { return order < 0 }
      if case .value = target { return false }
      return rows.keys[place] < rows.keys[row]
    }
  }

  // MARK: Changes

  /// Puts a row in its place.
  mutating func insert(_ place: Int, of column: Int, in rows: borrowing GroupedRows) {
    var position = search(.row(place), column, rows)
    if position.index == 0, position.block > 0 {
      // At the end of the block before rather than at the beginning of the next.
      position = Position(block: position.block - 1, index: blocks[position.block - 1].count)
    }
    if blocks.isEmpty { blocks.append([]) }
    blocks[position.block].insert(Int32(clamping: place), at: position.index)
    if blocks[position.block].count > Self.mostInBlock { split(position.block) }
  }

  /// Takes a row out that still has the values with which it was put in.
  mutating func remove(_ place: Int, of column: Int, in rows: borrowing GroupedRows) {
    let position = search(.row(place), column, rows)
    // Numbers of several types may compare in a circle; then a row is not where it is looked for.
    guard self.place(at: position) == Int32(clamping: place) else { return removeAnywhere(place) }
    blocks[position.block].remove(at: position.index)
    if blocks[position.block].count < Self.leastInBlock { join(position.block) }
  }

  private mutating func removeAnywhere(_ place: Int) {
    for block in blocks.indices {
      guard let index = blocks[block].firstIndex(of: Int32(clamping: place)) else { continue }
      blocks[block].remove(at: index)
      if blocks[block].isEmpty { blocks.remove(at: block) }
      return
    }
  }

  private mutating func split(_ block: Int) {
    let half = blocks[block].count / 2
    let rest = ContiguousArray(blocks[block][half...])
    blocks[block].removeSubrange(half...)
    blocks.insert(rest, at: block + 1)
  }

  /// Gives the rows of a small block to a neighbour that has room.
  private mutating func join(_ block: Int) {
    for other in [block - 1, block + 1] where blocks.indices.contains(other) {
      guard blocks[other].count + blocks[block].count <= Self.fullness else { continue }
      if other < block {
        blocks[other].append(contentsOf: blocks[block])
      } else {
        blocks[other].insert(contentsOf: blocks[block], at: 0)
      }
      blocks.remove(at: block)
      return
    }
    if blocks[block].isEmpty { blocks.remove(at: block) }
  }

  /// The bytes that it takes.
  var bytesUsed: Int { blocks.reduce(blocks.capacity * 8) { $0 + 32 + $1.capacity * 4 } }

  // MARK: For tests

  /// Checks that all rows with a value are there, each once and in order.
  func checkInvariants(of column: Int, in rows: borrowing GroupedRows) throws {
    let all = blocks.flatMap { $0 }
    var count = 0
    for place in rows.groups.indices where rows.groups[place] >= 0 && !rows.columns[column].isNull(at: place) {
      count += 1
    }
    try BrokenInvariant.unless(all.count == count, "\(all.count) of \(count) rows are in order")
    try BrokenInvariant.unless(!blocks.contains(where: \.isEmpty), "a block is empty")
    for (one, other) in zip(all, all.dropFirst()) {
      let isBefore = Self.precedes(Int(one), .row(Int(other)), column, rows)
      try BrokenInvariant.unless(isBefore, "the rows at \(one) and \(other) are out of order")
    }
  }
}
