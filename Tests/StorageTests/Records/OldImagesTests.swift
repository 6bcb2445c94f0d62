import TestSupport
import Testing

@testable import Records

/// The places of old images are those that a dictionary holds, for any order of rows.
@Suite(.seeded) struct OldImagesTests {
  @Test(arguments: [0, 3, 100])
  func theyAreFoundInAnyOrder(disorder: Int) {
    var random = SplitMix(seed: UInt64(disorder))
    for _ in 0..<Effort.rounds(60) {
      var images = OldImages()
      var known: [Int64: Range<Int>] = [:]
      var (row, end) = (Int64(-20), 0)
      for _ in 0..<random.below(80) {
        row = random.below(100) < disorder ? Int64(random.below(200)) - 100 : row + 1 + Int64(random.below(3))
        #expect(images.contains(row) == (known[row] != nil))
        if known[row] != nil { continue }
        let start = end
        end += random.below(4)
        images.append(row, end: end)
        known[row] = start..<end
      }
      #expect(images.count == known.count && images.isEmpty == known.isEmpty)
      #expect((-110..<160).allSatisfy { images.contains($0) == (known[$0] != nil) })
      #expect(Array(images.ascending).map(\.row) == known.keys.sorted())
      #expect(images.ascending.allSatisfy { known[$0.row] == $0.place })
      images.removeAll(keepingCapacity: true)
      #expect(images.isEmpty && !images.contains(row))
    }
  }
}
