extension OrderedKeys {
  /// A position in the order: a row's, or without a tie the one before all rows with a sort key.
  struct Probe {
    var prefix: UInt64
    var tail: UnsafeRawBufferPointer
    var tie: UInt64?
  }

  /// Whether a row is before a position.
  private func isBefore(_ block: KeyBlock, _ index: Int, _ probe: Probe) -> Bool {
    let prefix = block.prefixes[index]
    if prefix != probe.prefix { return prefix < probe.prefix }
    let order = compareTails(block.tail(at: index), probe.tail)
    if order != 0 { return order < 0 }
    guard let tie = probe.tie else { return false }
    return tieOrder(block.key(at: index)) < tie
  }

  /// The position of the last block whose first row is before the probe, or of the first block. There must be one.
  func position(of probe: Probe) -> Int {
    var (low, high) = (0, slots.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      let first = firstPrefixes[middle]
      let isBefore =
        first != probe.prefix ? first < probe.prefix : isBefore(blocks[Int(slots[middle])], 0, probe)
      if isBefore { low = middle } else { high = middle }
    }
    return low
  }

  /// The number of rows of a block that are before the probe.
  func index(of probe: Probe, in block: KeyBlock) -> Int {
    var (low, high) = (0, block.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(block, middle, probe) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension SortKey {
  /// Creates the key of a prefix and a tail without trailing zeros.
  init(prefix: UInt64, tail: UnsafeRawBufferPointer) {
    self.prefix = prefix
    self.tail = Array(tail)
  }
}

extension UnsafeRawBufferPointer {
  /// An empty buffer.
  static var empty: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}
