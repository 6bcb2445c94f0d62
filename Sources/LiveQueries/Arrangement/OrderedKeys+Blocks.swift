extension OrderedKeys {
  /// Inserts an empty block at a position; the caller must rebuild the counts.
  @discardableResult mutating func insertBlock(at position: Int) -> Int {
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = free
      blocks[slot] = KeyBlock()
    } else {
      slot = blocks.count
      blocks.append(KeyBlock())
      positions.append(0)
    }
    slots.insert(Int32(slot), at: position)
    firstPrefixes.insert(0, at: position)
    return slot
  }

  private mutating func removeBlock(at position: Int) {
    let slot = Int(slots[position])
    blocks[slot].deallocate()
    freeSlots.append(slot)
    slots.remove(at: position)
    firstPrefixes.remove(at: position)
  }

  /// Recomputes counts and positions after blocks were inserted or removed.
  mutating func rebuildCounts() {
    for (position, slot) in slots.enumerated() { positions[Int(slot)] = Int32(position) }
    var rows = ContiguousArray<Int>()
    rows.reserveCapacity(slots.count)
    for slot in slots { rows.append(blocks[Int(slot)].count) }
    counts = FenwickTree(rows)
  }

  /// Moves the upper half of a full block to a new one. If rows are appended at the end, the full block stays nearly
  /// full.
  mutating func split(_ position: Int) {
    let slot = Int(slots[position])
    let isLast = position == slots.count - 1
    let middle = isLast ? KeyBlock.capacity * 7 / 8 : KeyBlock.capacity / 2
    let upper = insertBlock(at: position + 1)
    let lower = blocks[slot]
    blocks[upper].append(from: lower, at: middle)
    blocks[slot].removeRows(from: middle)
    firstPrefixes[position + 1] = blocks[upper].prefixes[0]
    noteRows(of: upper, from: 0)
    rebuildCounts()
  }

  /// Merges a block that has become small with a neighbour, if both together fill at most half a block.
  mutating func merge(_ position: Int) {
    if blocks[Int(slots[position])].count == 0 {
      removeBlock(at: position)
      return rebuildCounts()
    }
    for left in [position - 1, position] where left >= 0 && left + 1 < slots.count {
      let (slot, other) = (Int(slots[left]), Int(slots[left + 1]))
      let kept = blocks[slot].count
      guard kept + blocks[other].count <= KeyBlock.capacity / 2 else { continue }
      let upper = blocks[other]
      blocks[slot].append(from: upper, at: 0)
      firstPrefixes[left] = blocks[slot].prefixes[0]
      removeBlock(at: left + 1)
      noteRows(of: slot, from: kept)
      return rebuildCounts()
    }
  }

  private mutating func noteRows(of slot: Int, from start: Int) {
    let block = blocks[slot]
    for place in start..<block.count { index.set(block.key(at: place), to: slot) }
  }
}
