extension OrderedKeys {
  /// The rows in order, in blocks with room for an eighth more; of rows with the same key the first counts.
  ///
  /// The body is called with the place in `rows` of each that counts, in order.
  init(_ rows: ArrangedRows, _ body: (_ index: Int) -> Void = { _ in }) {
    self.init()
    index.prepare(for: rows.keys)
    for entry in rows.sorted() {
      let key = rows.keys[entry.index]
      guard index[key] < 0 else { continue }
      let slot = slotWithRoom()
      if blocks[slot].count == 0 { firstPrefixes[slots.count - 1] = entry.prefix }
      rows.withTail(at: entry.index) { tail in
        blocks[slot].insert(prefix: entry.prefix, tail: tail, key: key, at: blocks[slot].count)
      }
      index.set(key, to: slot)
      count += 1
      body(entry.index)
    }
    rebuildCounts()
  }

  private mutating func slotWithRoom() -> Int {
    if let last = slots.last, blocks[Int(last)].count < KeyBlock.capacity * 7 / 8 { return Int(last) }
    return insertBlock(at: slots.count)
  }
}
