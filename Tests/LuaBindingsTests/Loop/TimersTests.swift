import TestSupport
import Testing

@testable import LuaBindings

/// The list of timers, at times that the tests choose.
@Suite(.seeded) struct TimersTests {
  /// Timers that write down what they call.
  private final class Clock {
    let timers = Timers()
    var calls: [String] = []

    func add(_ name: String, at due: Double, every interval: Double? = nil) -> Int {
      timers.add(at: due, every: interval) { [unowned self] in calls.append(name) }
    }

    /// Makes the calls that are due; each takes so long.
    func run(at now: Double, taking seconds: Double = 0) throws {
      for number in timers.numbers(dueAt: now) {
        try timers.begin(number)?()
        timers.end(number, at: now + seconds)
      }
    }
  }

  @Test func callsAreMadeInTheOrderOfTheirTimesAndThenOfTheirAdding() throws {
    let clock = Clock()
    for (name, due) in [("c", 3.0), ("a", 1), ("d", 3), ("b", 2), ("e", 4)] { _ = clock.add(name, at: due) }
    #expect(clock.timers.nextDue == 1)
    try clock.run(at: 3)
    #expect(clock.calls == ["a", "b", "c", "d"])
    #expect(clock.timers.nextDue == 4)
    try clock.run(at: 100)
    #expect(clock.timers.count == 0)
    #expect(clock.timers.nextDue == nil)
  }

  @Test func repeatedCallsDoNotDrift() throws {
    let clock = Clock()
    _ = clock.add("tick", at: 10.1, every: 0.1)
    // Each turn comes a little late.
    for step in 1...1000 { try clock.run(at: 10 + Double(step) * 0.1 + 0.03) }
    #expect(clock.calls.count == 1000)
    #expect(abs(try #require(clock.timers.nextDue) - 110.1) < 0.0001)
  }

  @Test func whatWasMissedDoesNotPileUp() throws {
    let clock = Clock()
    _ = clock.add("tick", at: 1, every: 1)
    try clock.run(at: 1, taking: 7.5)
    #expect(clock.timers.nextDue == 9)
    try clock.run(at: 8.6)
    #expect(clock.calls.count == 1)
    try clock.run(at: 100.25)
    #expect(clock.calls.count == 2)
    #expect(clock.timers.nextDue == 101)
  }

  @Test func theNextCallIsAlwaysLater() throws {
    // Among these the division gives what is just over, because it was rounded.
    for interval in [0.1, 0.3, 1e-9, 7, 1e-300, 1e9] {
      for step in 0..<200 {
        let timers = Timers()
        let number = timers.add(at: interval, every: interval) {}
        let now = interval + Double(step) * interval
        timers.end(number, at: now)
        let next = try #require(timers.nextDue)
        #expect(next > now && next <= max(now + interval * 1.001, now.nextUp))
      }
    }
  }

  @Test func aCallThatWasTakenBackIsNotMade() throws {
    let clock = Clock()
    let first = clock.add("first", at: 1)
    let second = clock.add("second", at: 2, every: 1)
    _ = clock.add("third", at: 3)
    clock.timers.remove(first)
    try clock.run(at: 2)
    clock.timers.remove(second)
    clock.timers.remove(second)
    try clock.run(at: 3)
    #expect(clock.calls == ["second", "third"])
  }

  @Test func thoseThatAreAddedByACallWaitForTheNextRound() throws {
    let timers = Timers()
    var calls: [Int] = []
    func again(_ number: Int) {
      calls.append(number)
      _ = timers.add(at: 0) { again(number + 1) }
    }
    _ = timers.add(at: 0) { again(1) }
    for round in 1...3 {
      for number in timers.numbers(dueAt: 5) { try timers.begin(number)?() }
      #expect(calls.count == round)
    }
  }

  @Test func randomTimersAgreeWithAPlainList() throws {
    var random = SplitMix(seed: 1)
    for _ in 0..<200 {
      let clock = Clock()
      var plain: [(number: Int, due: Double, name: String)] = []
      var expected: [String] = []
      var now = 0.0
      for step in 0..<60 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
          let due = now + Double(Int.random(in: 0..<10, using: &random))
          plain.append((clock.add("\(step)", at: due), due, "\(step)"))
        case 2:
          guard let gone = plain.randomElement(using: &random) else { continue }
          clock.timers.remove(gone.number)
          plain.removeAll { $0.number == gone.number }
        default:
          now += Double(Int.random(in: 0..<5, using: &random))
          expected += plain.filter { $0.due <= now }.sorted { ($0.due, $0.number) < ($1.due, $1.number) }.map(\.name)
          plain.removeAll { $0.due <= now }
          try clock.run(at: now)
        }
        #expect(clock.timers.nextDue == plain.map(\.due).min())
      }
      #expect(clock.calls == expected)
    }
  }
}
