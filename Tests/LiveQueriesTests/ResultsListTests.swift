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

  @Test func whatIsAwakeOrNamedIsVisitedInTheOrderOfCreation() throws {
    var random = SplitMix(seed: 6)
    var kept = try results(60)
    var list = ResultsList()
    for results in kept { list.append(results) }
    var asleep: Set<ObjectIdentifier> = []
    for _ in 0..<300 {
      let all = kept.map { ObjectIdentifier($0) }
      switch random.below(4) {
      case 0:
        let tired = Set(all.filter { _ in random.chance(oneIn: 3) })
        list.putToSleep { tired.contains(ObjectIdentifier($0)) }
        asleep.formUnion(tired)
      case 1:
        let id = all[random.below(all.count)]
        list.wake(id)
        asleep.remove(id)
      case 2 where kept.count > 20:
        let id = ObjectIdentifier(kept.remove(at: random.below(kept.count)))
        list.remove(id)
        asleep.remove(id)
      default:
        let new = try #require(try results(1).first)
        list.append(new)
        kept.append(new)
      }
      let named = Set(kept.map { ObjectIdentifier($0) }.filter { _ in random.chance(oneIn: 9) })
      let visited = list.awake(and: Array(named)).map { ObjectIdentifier($0) }
      #expect(visited == kept.map { ObjectIdentifier($0) }.filter { !asleep.contains($0) || named.contains($0) })
    }
  }
}
