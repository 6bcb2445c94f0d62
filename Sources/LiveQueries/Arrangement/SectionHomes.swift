/// In which block of a `SectionIndex` the section with a key is.
///
/// Most results are never asked for a section by its key; those that are keep this up from then on.
struct SectionHomes {
  /// The block of each key, by its ID.
  private var homes: [SortKey: Int] = [:]
  /// The place of each block; empty until it is asked for again.
  private var places: [Int: Int] = [:]

  /// Where the sections of these blocks are.
  init(_ blocks: [SectionIndex.Block]) {
    for block in blocks {
      for section in block.sections { homes[section.identity.key] = block.id }
    }
  }

  /// The place of the block that a key's section is in.
  mutating func block(of key: SortKey, among blocks: [SectionIndex.Block]) -> Int? {
    guard let id = homes[key] else { return nil }
    if places.isEmpty {
      for (place, block) in blocks.enumerated() { places[block.id] = place }
    }
    return places[id]
  }

  /// A section came to a block.
  mutating func note(_ key: SortKey, in block: Int) {
    homes[key] = block
    if places[block] == nil { forgetPlaces() }
  }

  /// A section is in a block no longer.
  mutating func forget(_ key: SortKey, in block: Int) {
    if homes[key] == block { homes[key] = nil }
  }

  /// Blocks have other places.
  mutating func forgetPlaces() { places = [:] }

  /// The bytes it takes.
  var bytesUsed: Int { homes.capacity * 24 + places.capacity * 16 }
}

extension SectionIndex {
  /// The place among the sections of the one known by a key, if there is one.
  ///
  /// Takes a look at each section the first time, and then one at those of a block.
  mutating func ordinal(of key: SortKey) -> Int? {
    if homes == nil { homes = SectionHomes(blocks) }
    guard let block = homes?.block(of: key, among: blocks), let place = blocks[block].place(of: key) else {
      return nil
    }
    return firstOrdinal(ofBlock: block) + place
  }
}

extension SectionIndex.Block {
  /// The place of the section with a key.
  func place(of key: SortKey) -> Int? { sections.firstIndex { $0.identity.key == key } }
}
