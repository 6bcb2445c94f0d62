extension SectionIndex {
  /// Checks blocks and counts against one another and against the number of rows, and that no section occurs twice.
  func checkInvariants(rows: Int) throws {
    var (total, ordinal) = (0, 0)
    var seen: Set<SectionIdentity> = []
    for block in blocks {
      try BrokenInvariant.unless(block.counts.count == block.sections.count, "a block's counts and sections")
      try BrokenInvariant.unless((1...Self.blockCapacity).contains(block.counts.count), "sections in a block")
      for (place, rows) in block.counts.enumerated() {
        let identity = block.sections[place].identity
        try BrokenInvariant.unless(rows > 0, "section \(identity.id) is empty")
        try BrokenInvariant.unless(seen.insert(identity).inserted, "section \(identity.id) stands in two places")
        let location = locate(ordinal: ordinal)
        try BrokenInvariant.unless(location.start == total && location.count == rows, "section \(identity.id)")
        try BrokenInvariant.unless(locate(row: total).ordinal == ordinal, "first row of section \(identity.id)")
        total += rows
        ordinal += 1
      }
    }
    try BrokenInvariant.unless(ordinal == count, "\(ordinal) sections in blocks, \(count) counted")
    try BrokenInvariant.unless(total == rows, "\(total) rows in sections, \(rows) rows")
  }
}
