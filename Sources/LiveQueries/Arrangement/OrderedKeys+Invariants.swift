/// A violated invariant of a data structure, for tests.
struct BrokenInvariant: Error, CustomStringConvertible {
  let description: String

  /// Throws this error if the condition is false.
  static func unless(_ condition: Bool, _ description: @autoclosure () -> String) throws {
    if !condition { throw BrokenInvariant(description: description()) }
  }
}

extension OrderedKeys {
  /// Checks blocks, counts, order and index against one another.
  func checkInvariants() throws {
    var total = 0
    var last: (sortKey: SortKey, key: Int64)?
    for (position, slot) in slots.enumerated() {
      let block = blocks[Int(slot)]
      try BrokenInvariant.unless(Int(positions[Int(slot)]) == position, "block \(slot) is not where it is said to be")
      try BrokenInvariant.unless((1...KeyBlock.capacity).contains(block.count), "block \(slot) has \(block.count) rows")
      try BrokenInvariant.unless(firstPrefixes[position] == block.prefixes[0], "first prefix of block \(slot)")
      try BrokenInvariant.unless(counts.sum(before: position) == total, "count before block \(slot)")
      for place in 0..<block.count {
        let key = block.key(at: place)
        let sortKey = SortKey(prefix: block.prefixes[place], tail: block.tail(at: place))
        try BrokenInvariant.unless(index[key] == Int(slot), "row \(key) is in block \(slot), not \(index[key])")
        if let last {
          let isOrdered =
            last.sortKey < sortKey || last.sortKey == sortKey && tieOrder(last.key) < tieOrder(key)
          try BrokenInvariant.unless(isOrdered, "row \(key) after row \(last.key)")
        }
        last = (sortKey, key)
      }
      total += block.count
    }
    try BrokenInvariant.unless(total == count, "\(total) rows in blocks, \(count) counted")
    try BrokenInvariant.unless(index.count == count, "\(index.count) rows in the index, \(count) counted")
  }
}
