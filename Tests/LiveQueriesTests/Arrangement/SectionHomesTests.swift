import Modeling
import TestSupport
import Testing

@testable import LiveQueries

/// Sections found by their identifiers, while sections come, go, and come again elsewhere.
@Suite(.seeded) struct SectionHomesTests {
  @Test(arguments: 0..<UInt64(8)) func aSectionIsFoundWhereItIs(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let encoder = SortKeyEncoder([.init(isAscending: seed % 2 == 0), .init(isAscending: true)])
    func row(_ key: Int64, _ section: Int, _ number: Int) -> ArrangedRow {
      ArrangedRow(
        key: key, sortKey: encoder.encode([.int(Int64(section)), .int(Int64(number))]),
        section: SectionIdentity.of(.int(Int64(section))))
    }
    let rows = ArrangedRows()
    for key in 0..<700 { rows.append(row(Int64(key), random.below(500), random.below(9))) }
    let arrangement = Arrangement(rows, isSectioned: true)
    for round in 0..<30 {
      if round > 2 {
        arrangement.apply(
          (0..<1 + random.below(60)).map { _ in
            let key = Int64(random.below(900))
            return random.chance(oneIn: 3) ? .leaving(key) : .placed(row(key, random.below(500), random.below(9)))
          })
      }
      try arrangement.checkInvariants()
      var places: [Int64: Int] = [:]
      for place in 0..<arrangement.sectionCount {
        if case .int(let id)? = arrangement.section(at: place)?.id { places[id] = place }
      }
      for id in 0..<Int64(500) {
        #expect(arrangement.sectionPlace(of: SectionIdentity.of(.int(id)).key) == places[id])
      }
    }
  }
}
