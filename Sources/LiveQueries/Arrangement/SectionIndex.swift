/// The sections of an order as runs of rows: the section of a row, and the first row of a section.
///
///     sections.locate(row: 5)       // (ordinal: 1, start: 4, …): the second section, which begins with row 4
///
/// While a batch is applied, sections may be empty; `sweep` removes those. Finding takes a few dozen steps with
/// hundreds of thousands of sections.
struct SectionIndex {
  /// A section, without its number of rows.
  struct Section {
    /// Its identifier.
    var identity: SectionIdentity
    /// A unique number. A section that was emptied and created again elsewhere has another number.
    var number: Int
  }

  /// The location of a row's section.
  struct Location {
    /// The index among the sections.
    var ordinal: Int
    /// The rank of the section's first row.
    var start: Int
    /// The number of rows.
    var count: Int
    /// The section's unique number.
    var number: Int
  }

  struct Block {
    /// A unique number.
    var id: Int
    var counts: ContiguousArray<Int> = []
    var sections: ContiguousArray<Section> = []
    var mayHaveEmpty = false
  }

  static let blockCapacity = 128
  private(set) var blocks: [Block] = []
  private var nextBlock = 0
  /// The map from keys to sections; nil until the first lookup by key.
  var homes: SectionHomes?
  private var rowCounts = FenwickTree([])
  private var sectionCounts = FenwickTree([])
  /// The number of the next section.
  private(set) var nextNumber = 0
  /// The number of sections, including empty ones.
  private(set) var count = 0
  /// The number of empty sections.
  private var emptyCount = 0

  /// Creates an index without sections.
  init() {}

  /// Appends rows of a section while an order is loaded; call `finishLoading` at the end.
  mutating func append(_ identity: SectionIdentity, count rows: Int) {
    if blocks.last.map({ $0.counts.count >= Self.blockCapacity * 3 / 4 }) ?? true { blocks.append(makeBlock()) }
    blocks[blocks.count - 1].counts.append(rows)
    blocks[blocks.count - 1].sections.append(makeSection(identity))
  }

  /// Computes the counts after `append`.
  mutating func finishLoading() { rebuildCounts() }

  private mutating func makeBlock() -> Block {
    defer { nextBlock += 1 }
    return Block(id: nextBlock)
  }

  private mutating func makeSection(_ identity: SectionIdentity) -> Section {
    defer { nextNumber += 1 }
    count += 1
    return Section(identity: identity, number: nextNumber)
  }

  private mutating func rebuildCounts() {
    rowCounts = FenwickTree(ContiguousArray(blocks.map { $0.counts.reduce(0, +) }))
    sectionCounts = FenwickTree(ContiguousArray(blocks.map(\.counts.count)))
  }

  /// The section of the row at a rank below the count of rows.
  func locate(row rank: Int) -> Location {
    let (block, rest) = rowCounts.find(rank)
    var (place, before) = (0, 0)
    while before + blocks[block].counts[place] <= rest {
      before += blocks[block].counts[place]
      place += 1
    }
    return Location(
      ordinal: sectionCounts.sum(before: block) + place, start: rank - rest + before,
      count: blocks[block].counts[place], number: blocks[block].sections[place].number)
  }

  /// The section with an ordinal.
  func locate(ordinal: Int) -> Location {
    let (block, place) = sectionCounts.find(ordinal)
    let start = rowCounts.sum(before: block) + blocks[block].counts[..<place].reduce(0, +)
    return Location(
      ordinal: ordinal, start: start, count: blocks[block].counts[place], number: blocks[block].sections[place].number)
  }

  /// The identifier of the section with an ordinal.
  func identity(ordinal: Int) -> SectionIdentity {
    let (block, place) = sectionCounts.find(ordinal)
    return blocks[block].sections[place].identity
  }

  /// The ordinal of the first section of a block.
  func firstOrdinal(ofBlock block: Int) -> Int { sectionCounts.sum(before: block) }

  /// Removes a row from the section with an ordinal; an emptied section stays until `sweep`.
  mutating func removeRow(ordinal: Int) {
    let (block, place) = sectionCounts.find(ordinal)
    blocks[block].counts[place] -= 1
    if blocks[block].counts[place] == 0 {
      blocks[block].mayHaveEmpty = true
      emptyCount += 1
    }
    rowCounts.add(-1, at: block)
  }

  /// Adds a row that was inserted at a rank: to an adjacent section with its identity, even an empty one, or to a new
  /// section.
  ///
  /// The rows of a batch come in ascending order, so that later rows follow.
  mutating func insertRow(at rank: Int, _ identity: SectionIdentity) {
    var (block, place) = cursor(before: rank)
    // The cursor is at the section of the previous row, or before the first. The row may join any section up to the one
    // of the next row.
    let (insertionBlock, insertionPlace) = (block, place + 1)
    if place < 0 { (block, place) = next(block, place) }
    while block < blocks.count {
      if blocks[block].sections[place].identity == identity {
        if blocks[block].counts[place] == 0 { emptyCount -= 1 }
        blocks[block].counts[place] += 1
        rowCounts.add(1, at: block)
        return
      }
      let isBehind = blocks[block].counts[place] > 0 && !(block == insertionBlock && place == insertionPlace - 1)
      if isBehind { break }
      (block, place) = next(block, place)
    }
    insertSection(identity, insertionBlock, insertionPlace)
  }

  /// The section of the row before a rank; place -1 of the first block if there is none.
  private func cursor(before rank: Int) -> (block: Int, place: Int) {
    guard rank > 0 else { return (0, -1) }
    let (block, rest) = rowCounts.find(rank - 1)
    var (place, before) = (0, 0)
    while before + blocks[block].counts[place] <= rest {
      before += blocks[block].counts[place]
      place += 1
    }
    return (block, place)
  }

  private func next(_ block: Int, _ place: Int) -> (Int, Int) {
    var (block, place) = (block, place + 1)
    while block < blocks.count, place >= blocks[block].counts.count { (block, place) = (block + 1, 0) }
    return (block, place)
  }

  private mutating func insertSection(_ identity: SectionIdentity, _ block: Int, _ place: Int) {
    if blocks.isEmpty { blocks.append(makeBlock()) }
    let section = makeSection(identity)
    blocks[block].counts.insert(1, at: place)
    blocks[block].sections.insert(section, at: place)
    homes?.note(identity.key, in: blocks[block].id)
    if blocks[block].counts.count > Self.blockCapacity { split(block) }
    rebuildCounts(afterInsertionIn: block)
  }

  private mutating func rebuildCounts(afterInsertionIn block: Int) {
    if rowCountsFit {
      rowCounts.add(1, at: block)
      sectionCounts.add(1, at: block)
    } else {
      rebuildCounts()
    }
  }

  private var rowCountsFit: Bool { rowCounts.count == blocks.count }

  private mutating func split(_ block: Int) {
    let middle = Self.blockCapacity / 2
    var upper = makeBlock()
    upper.counts = ContiguousArray(blocks[block].counts[middle...])
    upper.sections = ContiguousArray(blocks[block].sections[middle...])
    upper.mayHaveEmpty = blocks[block].mayHaveEmpty
    blocks[block].counts.removeSubrange(middle...)
    blocks[block].sections.removeSubrange(middle...)
    blocks.insert(upper, at: block + 1)
    for section in upper.sections { homes?.note(section.identity.key, in: upper.id) }
    homes?.forgetPlaces()
  }

  /// Removes the empty sections and returns them.
  mutating func sweep() -> [Section] {
    guard emptyCount > 0 else { return [] }
    emptyCount = 0
    var swept: [Section] = []
    for block in blocks.indices where blocks[block].mayHaveEmpty {
      blocks[block].mayHaveEmpty = false
      for place in blocks[block].counts.indices.reversed() where blocks[block].counts[place] == 0 {
        let section = blocks[block].sections.remove(at: place)
        blocks[block].counts.remove(at: place)
        swept.append(section)
        // The section may exist again, here or elsewhere.
        if blocks[block].place(of: section.identity.key) == nil {
          homes?.forget(section.identity.key, in: blocks[block].id)
        }
      }
    }
    count -= swept.count
    blocks.removeAll { $0.counts.isEmpty }
    homes?.forgetPlaces()
    rebuildCounts()
    return swept
  }

  /// The bytes of memory used, without those of the identifiers.
  var bytesUsed: Int {
    blocks.reduce(0) { $0 + $1.counts.capacity * 8 + $1.sections.capacity * MemoryLayout<Section>.stride }
      + rowCounts.bytesUsed + sectionCounts.bytesUsed + (homes?.bytesUsed ?? 0)
  }
}
