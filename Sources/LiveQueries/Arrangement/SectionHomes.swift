/// Maps the key of each section to its block in a `SectionIndex`.
///
/// Most results never look up a section by its key; the map is built at the first lookup and kept current from then on.
struct SectionHomes {
  /// The ID of each key's block.
  private var homes: [SortKey: Int] = [:]
  /// The index of each block; empty until the next lookup.
  private var places: [Int: Int] = [:]

  /// Maps the sections of these blocks.
  init(_ blocks: [SectionIndex.Block]) {
    for block in blocks {
      for section in block.sections { homes[section.identity.key] = block.id }
    }
  }

  /// The index of the block that contains a key's section.
  mutating func block(of key: SortKey, among blocks: [SectionIndex.Block]) -> Int? {
    guard let id = homes[key] else { return nil }
    if places.isEmpty {
      for (place, block) in blocks.enumerated() { places[block.id] = place }
    }
    return places[id]
  }

  /// Records that a block has a new section.
  mutating func note(_ key: SortKey, in block: Int) {
    homes[key] = block
    if places[block] == nil { forgetPlaces() }
  }

  /// Records that a block no longer has a section.
  mutating func forget(_ key: SortKey, in block: Int) {
    if homes[key] == block { homes[key] = nil }
  }

  /// Invalidates the indices of blocks.
  mutating func forgetPlaces() { places = [:] }

  /// The bytes of memory used.
  var bytesUsed: Int { homes.capacity * 24 + places.capacity * 16 }
}

extension SectionIndex {
  /// The ordinal of the section with a key; nil if there is none.
  ///
  /// The first call visits each section, later calls only those of one block.
  mutating func ordinal(of key: SortKey) -> Int? {
    if homes == nil { homes = SectionHomes(blocks) }
    guard let block = homes?.block(of: key, among: blocks), let place = blocks[block].place(of: key) else {
      return nil
    }
    return firstOrdinal(ofBlock: block) + place
  }
}

extension SectionIndex.Block {
  /// The index of the section with a key.
  func place(of key: SortKey) -> Int? { sections.firstIndex { $0.identity.key == key } }
}
