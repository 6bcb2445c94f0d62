/// The sections of an order as runs of rows: which section a row is in, and where each section begins.
///
///     sections.locate(row: 5)       // (ordinal: 1, start: 4, …): the second section, which begins with row 4
///
/// While a batch is applied sections may be empty; `sweep` takes those out. Finding is a few dozen steps with hundreds
/// of thousands of sections.
struct SectionIndex {
  /// A section with its rows counted apart.
  struct Section {
    /// Its identifier.
    var identity: SectionIdentity
    /// A number that no other section had: one that was emptied and made again elsewhere is another section.
    var number: Int
  }

  /// Where a row's section is.
  struct Location {
    /// The place among the sections.
    var ordinal: Int
    /// The rank of its first row.
    var start: Int
    /// The rows in it.
    var count: Int
    /// Its number.
    var number: Int
  }

  struct Block {
    /// A number that no other block had.
    var id: Int
    var counts: ContiguousArray<Int> = []
    var sections: ContiguousArray<Section> = []
    var mayHaveEmpty = false
  }

  static let blockCapacity = 128
  private(set) var blocks: [Block] = []
  private var nextBlock = 0
  /// Where sections are found by their keys; nil until one is looked for.
  var homes: SectionHomes?
  private var rowCounts = FenwickTree([])
  private var sectionCounts = FenwickTree([])
  /// The number of the next section.
  private(set) var nextNumber = 0
  /// The sections, empty ones too.
  private(set) var count = 0
  /// The empty ones among them.
  private var emptyCount = 0

  /// No sections.
  init() {}

  /// Adds rows of a section at the end while an order is loaded; `finishLoading` ends that.
  mutating func append(_ identity: SectionIdentity, count rows: Int) {
    if blocks.last.map({ $0.counts.count >= Self.blockCapacity * 3 / 4 }) ?? true { blocks.append(makeBlock()) }
    blocks[blocks.count - 1].counts.append(rows)
    blocks[blocks.count - 1].sections.append(makeSection(identity))
  }

  /// Counts what was appended.
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

  /// The section at a place among them.
  func locate(ordinal: Int) -> Location {
    let (block, place) = sectionCounts.find(ordinal)
    let start = rowCounts.sum(before: block) + blocks[block].counts[..<place].reduce(0, +)
    return Location(
      ordinal: ordinal, start: start, count: blocks[block].counts[place], number: blocks[block].sections[place].number)
  }

  /// The identifier of the section at a place among them.
  func identity(ordinal: Int) -> SectionIdentity {
    let (block, place) = sectionCounts.find(ordinal)
    return blocks[block].sections[place].identity
  }

  /// The place among the sections of the first place of a block.
  func firstOrdinal(ofBlock block: Int) -> Int { sectionCounts.sum(before: block) }

  /// Takes a row out of the section at a place; an emptied section stays until the sweep.
  mutating func removeRow(ordinal: Int) {
    let (block, place) = sectionCounts.find(ordinal)
    blocks[block].counts[place] -= 1
    if blocks[block].counts[place] == 0 {
      blocks[block].mayHaveEmpty = true
      emptyCount += 1
    }
    rowCounts.add(-1, at: block)
  }

  /// Counts a row that was put at a rank: in the section beside it that it belongs to, even an empty one, or in a new
  /// one.
  ///
  /// The rows of a batch come in ascending order, so that those that come later stand behind.
  mutating func insertRow(at rank: Int, _ identity: SectionIdentity) {
    var (block, place) = cursor(before: rank)
    // The cursor is at the section of the row before, or before all; what follows up to the next rows may be joined.
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

  /// The section of the row before a rank; place -1 of the first block where there is none.
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

  /// Takes out the empty sections and answers them.
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
        // It may have been made again, here or elsewhere.
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

  /// The bytes it takes, beside the identifiers' own.
  var bytesUsed: Int {
    blocks.reduce(0) { $0 + $1.counts.capacity * 8 + $1.sections.capacity * MemoryLayout<Section>.stride }
      + rowCounts.bytesUsed + sectionCounts.bytesUsed + (homes?.bytesUsed ?? 0)
  }
}
