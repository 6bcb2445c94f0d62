/// The keys of rows in the order of their sort keys, with fast ranks: counted blocks, and an index from key to block.
///
///     let rank = keys.insert(8, SortKey(prefix: 3))     // the rank of the new row
///     keys.rank(of: 8)                                  // the same
///
/// Finding, inserting and removing a row take some 12 comparisons and one move within a block. A row whose sort key is
/// one number takes 12 bytes, or 16 beside keys above 2³², and a fifteenth for room. The index takes 2 bytes for each key up
/// to the greatest if keys are dense.
struct OrderedKeys: ~Copyable {
  /// Blocks by their numbers, which do not change when blocks are inserted; the numbers in `freeSlots` are unused.
  var blocks: ContiguousArray<KeyBlock> = []
  var freeSlots: [Int] = []
  /// The blocks' numbers in order.
  var slots: ContiguousArray<Int32> = []
  /// The index in `slots` of each block.
  var positions: ContiguousArray<Int32> = []
  /// The prefix of each block's first row, by position.
  var firstPrefixes: ContiguousArray<UInt64> = []
  var counts = FenwickTree([])
  var index = KeyIndex()
  /// The number of rows.
  var count = 0

  /// Creates an empty list.
  init() {}

  deinit {
    for position in slots { blocks[Int(position)].deallocate() }
    index.deallocate()
  }

  /// Whether the list has a row.
  func contains(_ key: Int64) -> Bool { index[key] >= 0 }

  /// The rank of a row; nil if the list does not have it.
  func rank(of key: Int64) -> Int? {
    let slot = index[key]
    guard slot >= 0 else { return nil }
    return counts.sum(before: Int(positions[slot])) + blocks[slot].index(of: key)
  }

  /// The key of the row at a rank below the count.
  func key(at rank: Int) -> Int64 {
    let (position, rest) = counts.find(rank)
    return blocks[Int(slots[position])].key(at: rest)
  }

  /// Calls the body with the keys of a range of ranks, in order.
  func forEach(in range: Range<Int>, _ body: (Int64) throws -> Void) rethrows {
    guard !range.isEmpty else { return }
    var (position, rest) = counts.find(range.lowerBound)
    var left = range.count
    while left > 0 {
      let block = blocks[Int(slots[position])]
      let end = min(block.count, rest + left)
      for index in rest..<end { try body(block.key(at: index)) }
      left -= end - rest
      (position, rest) = (position + 1, 0)
    }
  }

  /// The number of rows with a lesser sort key.
  func lowerBound(_ sortKey: SortKey) -> Int {
    guard count > 0 else { return 0 }
    return sortKey.tail.withUnsafeBytes { tail in
      let probe = Probe(prefix: sortKey.prefix, tail: tail, tie: nil)
      let position = position(of: probe)
      return counts.sum(before: position) + index(of: probe, in: blocks[Int(slots[position])])
    }
  }

  /// The sort key of a row, which must be in the list.
  func sortKey(of key: Int64) -> SortKey {
    let block = blocks[index[key]]
    let place = block.index(of: key)
    return SortKey(prefix: block.prefixes[place], tail: block.tail(at: place))
  }

  /// The rank of a row, and whether its sort key is `sortKey`; nil if the list does not have the row.
  func find(_ key: Int64, comparing sortKey: SortKey?) -> (rank: Int, isSame: Bool)? {
    let slot = index[key]
    guard slot >= 0 else { return nil }
    let place = blocks[slot].index(of: key)
    let rank = counts.sum(before: Int(positions[slot])) + place
    guard let sortKey, blocks[slot].prefixes[place] == sortKey.prefix else { return (rank, false) }
    let tail = blocks[slot].tail(at: place)
    return (rank, sortKey.tail.withUnsafeBytes { compareTails($0, tail) == 0 })
  }

  /// Inserts a new row; returns its rank.
  @discardableResult mutating func insert(_ key: Int64, _ sortKey: SortKey) -> Int {
    if sortKey.tail.isEmpty { return insert(key, Probe(prefix: sortKey.prefix, tail: .empty, tie: tieOrder(key))) }
    return sortKey.tail.withUnsafeBytes { tail in
      insert(key, Probe(prefix: sortKey.prefix, tail: tail, tie: tieOrder(key)))
    }
  }

  private mutating func insert(_ key: Int64, _ probe: Probe) -> Int {
    if slots.isEmpty {
      insertBlock(at: 0)
      rebuildCounts()
    }
    var position = position(of: probe)
    if blocks[Int(slots[position])].count == KeyBlock.capacity {
      split(position)
      position = self.position(of: probe)
    }
    let slot = Int(slots[position])
    let place = index(of: probe, in: blocks[slot])
    blocks[slot].insert(prefix: probe.prefix, tail: probe.tail, key: key, at: place)
    if place == 0 { firstPrefixes[position] = probe.prefix }
    counts.add(1, at: position)
    index.set(key, to: slot)
    count += 1
    return counts.sum(before: position) + place
  }

  /// Removes a row; does nothing if the list does not have it.
  mutating func remove(_ key: Int64) {
    let slot = index[key]
    guard slot >= 0 else { return }
    index.remove(key)
    let position = Int(positions[slot])
    let place = blocks[slot].index(of: key)
    blocks[slot].remove(at: place)
    counts.add(-1, at: position)
    count -= 1
    if blocks[slot].count < KeyBlock.capacity / 4 { merge(position) }
    if place == 0, position < slots.count { firstPrefixes[position] = blocks[Int(slots[position])].prefixes[0] }
  }

  /// The bytes of memory used.
  var bytesUsed: Int {
    var blockBytes = blocks.capacity * MemoryLayout<KeyBlock>.stride
    for slot in slots { blockBytes += blocks[Int(slot)].bytesUsed }
    return blockBytes + slots.capacity * 4 + positions.capacity * 4 + firstPrefixes.capacity * 8 + counts.bytesUsed
      + index.bytesUsed
  }
}
