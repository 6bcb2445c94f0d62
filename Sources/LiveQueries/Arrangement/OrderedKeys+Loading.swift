extension OrderedKeys {
  /// Loads the rows in order, into blocks with room for a sixteenth more; of rows with the same key the first counts.
  ///
  /// Unless the rows are plain, the body is called with the index in `rows` of each row that counts, in order.
  /// `goesOn` is asked before each row is copied, with the bytes of its tail; if it returns false, the rest is left out.
  init(
    _ rows: ArrangedRows, goesOn: (_ bytes: Int) -> Bool = { _ in true }, _ body: (_ index: Int) -> Void = { _ in }
  ) {
    self.init()
    index.prepare { body in rows.forEachKey(body) }
    let sorted = rows.sorted()
    defer { sorted.free() }
    let arePlain = rows.arePlain
    var slot = -1
    for rank in 0..<sorted.count {
      let entry = sorted.entries[rank]
      let place = arePlain ? 0 : Int(entry.number)
      let key = arePlain ? entry.number : rows.key(at: place)
      if slot < 0 || blocks[slot].count == Self.loadedCount { slot = insertBlock(at: slots.count) }
      guard index.insert(key, in: slot) else { continue }
      if blocks[slot].count == 0 { firstPrefixes[slots.count - 1] = entry.prefix }
      if arePlain {
        blocks[slot].append(prefix: entry.prefix, key: key)
      } else {
        if !goesOn(rows.tailCount(at: place)) { break }
        rows.withTail(at: place) { tail in
          blocks[slot].insert(prefix: entry.prefix, tail: tail, key: key, at: blocks[slot].count)
        }
        body(place)
      }
      count += 1
    }
    dropEmptyLastBlock()
    rebuildCounts()
  }

  /// The number of rows with which blocks are filled.
  private static var loadedCount: Int { KeyBlock.capacity * 15 / 16 }

  /// A full block gets a successor for rows that follow; if all of those were duplicates, it stays empty.
  private mutating func dropEmptyLastBlock() {
    guard let last = slots.last, blocks[Int(last)].count == 0 else { return }
    merge(slots.count - 1)
  }
}
