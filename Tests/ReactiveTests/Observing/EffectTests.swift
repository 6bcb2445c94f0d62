import Foundation
import Observation
import Reactive
import TestSupport
import Testing

@Suite(.seeded)
struct EffectTests {
  @Test func anEffectRunsWhenItIsMadeThenOnceATurnHoweverOftenWhatItReadsHasChanged() throws {
    let turn = Turn()
    let (first, last) = (State("a"), State("b"))
    var seen: [String] = []
    Effect(turn) { seen.append(first.value + last.value) }
    first.value = "c"
    last.value = "d"
    first.value = "e"
    #expect(seen == ["ab"])
    try turn.run()
    try turn.run()
    #expect(seen == ["ab", "ed"])
  }

  @Observable final class Person: @unchecked Sendable {
    var name = "fat"
    var age = 18
  }

  @Test func anEffectFollowsObservableClassesOfSwiftAlsoFromOtherThreads() throws {
    let turn = Turn()
    let (person, other) = (Person(), State("-"))
    var seen: [String] = []
    let effect = Effect(turn) { seen.append(other.value + person.name) }
    person.age = 19
    try turn.run()
    person.name = "thin"
    person.name = "lean"
    try turn.run()
    other.value = "+"
    try turn.run()
    let thread = Thread { person.name = "tall" }
    thread.start()
    while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
    try turn.run()
    #expect(seen == ["-fat", "-lean", "+lean", "+tall"])
    effect.cancel()
    person.name = "gone"
    try turn.run()
    #expect(seen.count == 4)
  }

  @Test func anEffectEndsWithTheObservableObjectsThatItReads() throws {
    let turn = Turn()
    weak var effect: Effect?
    do {
      let person = Person()
      let made = Effect(turn) { [weak person] in _ = person?.name }
      effect = made
      #expect(effect != nil)
      person.name = "thin"
      try turn.run()
      #expect(effect != nil)
    }
    try turn.run()
    #expect(effect == nil)
  }

  @Test func anEffectNeverSeesHalfOfAChangeThatComesToItByTwoWays() throws {
    let turn = Turn()
    let (source, left, right) = (State(1), State(0), State(0))
    var seen: [[Int]] = []
    Effect(turn) { left.value = source.value * 2 }
    Effect(turn) { right.value = source.value * 3 }
    Effect(turn) { seen.append([source.value, left.value, right.value]) }
    source.value = 5
    try turn.run()
    #expect(seen == [[1, 2, 3], [5, 10, 15]])
  }

  @Test func anEffectFollowsWhatItReadTheLastTimeAndNothingElse() throws {
    let turn = Turn()
    let (usesFirst, first, second) = (State(true), State(1), State(2))
    var seen: [Int] = []
    Effect(turn) { seen.append(usesFirst.value ? first.value : second.value) }
    second.value = 20
    try turn.run()
    #expect(seen == [1])
    usesFirst.value = false
    try turn.run()
    first.value = 10
    try turn.run()
    second.value = 30
    try turn.run()
    #expect(seen == [1, 20, 30])
  }

  @Test func anEffectStopsWhenItIsCancelledAlsoByItselfAndWhileItWaitsToRun() throws {
    let turn = Turn()
    let state = State(0)
    var runs = 0
    var own: Effect?
    let effect = Effect(turn) {
      runs += 1
      if state.value == 1 { own?.cancel() }
    }
    own = effect
    state.value = 1
    try turn.run()
    #expect(!effect.isActive)
    state.value = 2
    try turn.run()
    #expect(runs == 2)

    let waiting = Effect(turn) { runs += state.value }
    state.value = 100
    waiting.cancel()
    try turn.run()
    #expect(runs == 4)
  }

  @Test func anEffectThatGoesOnChangingWhatItReadsIsNamedAfterAHundredRoundsAndRunsAgainAtTheNextChange() throws {
    let turn = Turn()
    let state = State(0)
    var isCounting = true
    Effect(turn, name: "counter") {
      let value = state.value
      if isCounting { state.value = value + 1 }
    }
    #expect(throws: EndlessRounds(names: ["counter"])) { try turn.run() }
    let reached = state.value
    #expect(reached > 99 && reached < 110)
    isCounting = false
    var last = 0
    Effect(turn) { last = state.value }
    state.value = -1
    try turn.run()
    #expect(last == -1)
    isCounting = true
    state.value = -2
    #expect(throws: EndlessRounds.self) { try turn.run() }
  }

  @Test func anEffectSettlesWhenWhatItChangesComesToRest() throws {
    let turn = Turn()
    let state = State(0)
    Effect(turn) { if state.value < 50 { state.value += 1 } }
    try turn.run()
    #expect(state.value == 50)
  }

  @Test func anEffectEndsThoseThatWereMadeByItsLastRun() throws {
    let turn = Turn()
    let (outer, inner) = (State(0), State(0))
    var log: [String] = []
    let effect = Effect(turn) {
      let number = outer.value
      Effect(turn) { log.append("\(number):\(inner.value)") }
    }
    outer.value = 1
    try turn.run()
    log = []
    inner.value = 7
    try turn.run()
    #expect(log == ["1:7"])
    effect.cancel()
    inner.value = 8
    try turn.run()
    #expect(log == ["1:7"])
  }

  @Test func anEffectDoesNotTakeWhatOthersReadWhileItTellsThemForItsOwn() throws {
    let turn = Turn()
    let (asked, other) = (State(0), State(0))
    var runs = 0
    let token = asked.onChange { _, _ in _ = other.value }
    turn.enqueue(order: turn.nextOrder(), name: "reader") { _ = other.value }
    Effect(turn) {
      runs += 1
      asked.value = 1
      try? turn.run()
    }
    other.value = 5
    try turn.run()
    #expect(runs == 1)
    token.cancel()
  }

  @Test func anEffectGoesWithWhatItHasRead() {
    final class Witness {}
    weak var witness: Witness?
    let turn = Turn()
    do {
      let state = State(0)
      let kept = Witness()
      witness = kept
      Effect(turn) { [unowned state] in
        _ = kept
        _ = state.value
      }
      #expect(witness != nil)
    }
    #expect(witness == nil)
  }

  @Test(arguments: 0..<40)
  func anEffectAgreesWithAPlainRecomputationOverRandomGraphsAndChanges(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let turn = Turn()
    let inputs = (0..<6).map { _ in State(Int.random(in: 0..<5, using: &random)) }
    // Each node sums some inputs, and one that decides which of two others counts.
    let picks = (0..<8).map { _ in (0..<3).map { _ in Int.random(in: 0..<6, using: &random) } }
    func sum(_ pick: [Int]) -> Int {
      inputs[pick[0]].value % 2 == 0 ? inputs[pick[1]].value : inputs[pick[2]].value
    }
    var seen = [Int](repeating: 0, count: picks.count)
    var runs = [Int](repeating: 0, count: picks.count)
    for (node, pick) in picks.enumerated() {
      Effect(turn) {
        seen[node] = sum(pick)
        runs[node] += 1
      }
    }
    for _ in 0..<50 {
      let before = runs
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        inputs[Int.random(in: 0..<6, using: &random)].value = Int.random(in: 0..<5, using: &random)
      }
      try turn.run()
      #expect(seen == picks.map(sum))
      #expect(zip(before, runs).allSatisfy { $1 - $0 <= 1 })
    }
  }
}
