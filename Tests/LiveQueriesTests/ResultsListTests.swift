import Modeling
import TestSupport
import Testing

@testable import LiveQueries

@Suite(.seeded) struct ResultsListTests {
  private let world: LiveWorld
  init() throws { world = try LiveWorld() }

  private func results(_ count: Int) throws -> [FetchedResults] {
    try (0..<count).map { _ in try world.results(world.request()) }
  }

  private func ids(_ list: ResultsList) -> [ObjectIdentifier] { list.map { ObjectIdentifier($0) } }

  @Test func whatStaysKeepsItsOrderHoweverManyAreTakenOut() throws {
    var random = SplitMix(seed: 5)
    var kept = try results(200)
    var list = ResultsList()
    for results in kept { list.append(results) }
    while !kept.isEmpty {
      for _ in 0..<1 + random.below(9) where !kept.isEmpty {
        list.remove(ObjectIdentifier(kept.remove(at: random.below(kept.count))))
      }
      if random.chance(oneIn: 3) {
        let new = try #require(try results(1).first)
        list.append(new)
        kept.append(new)
      }
      #expect(ids(list) == kept.map { ObjectIdentifier($0) })
      #expect(list.count == kept.count && list.isEmpty == kept.isEmpty)
      if random.chance(oneIn: 20) { break }
    }
  }

  @Test func oneThatIsTakenOutTwiceIsGoneOnce() throws {
    let all = try results(3)
    var list = ResultsList()
    for results in all { list.append(results) }
    list.remove(ObjectIdentifier(all[1]))
    list.remove(ObjectIdentifier(all[1]))
    #expect(ids(list) == [all[0], all[2]].map { ObjectIdentifier($0) })
    list.append(all[1])
    #expect(ids(list) == [all[0], all[2], all[1]].map { ObjectIdentifier($0) })
  }

  @Test func theListKeepsNothingAlive() throws {
    var list = ResultsList()
    weak var kept: FetchedResults?
    do {
      let results = try world.results(world.request())
      list.append(results)
      kept = results
    }
    #expect(kept == nil)
  }

  @Test func aQueryThatGoesWhileTheListIsGoneThroughIsLeftOut() throws {
    var list = ResultsList()
    var all = try results(4)
    for results in all { list.append(results) }
    var seen: [ObjectIdentifier] = []
    var iterator = list.makeIterator()
    while let next = iterator.next() {
      seen.append(ObjectIdentifier(next))
      guard seen.count == 1 else { continue }
      list.remove(ObjectIdentifier(all[2]))
      all.remove(at: 2)
    }
    #expect(seen == all.map { ObjectIdentifier($0) })
  }
}
