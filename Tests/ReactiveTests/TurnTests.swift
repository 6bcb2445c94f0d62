import Reactive
import Testing

@Suite struct TurnTests {
  @Test func aTurnDeliversInTheOrderOfTheObserversWhateverTheOrderOfTheChanges() throws {
    let turn = Turn()
    let (first, second) = (turn.nextOrder(), turn.nextOrder())
    var told: [String] = []
    turn.enqueue(order: second, name: "b") { told.append("b") }
    turn.enqueue(order: first, name: "a") { told.append("a") }
    try turn.run()
    #expect(told == ["a", "b"])
  }

  @Test func aTurnGoesOnWithWhatDeliveriesChangeInAnotherRound() throws {
    let turn = Turn()
    var told: [Int] = []
    turn.enqueue(order: 1, name: "a") {
      told.append(1)
      turn.enqueue(order: 1, name: "a") { told.append(2) }
      try? turn.run()
      #expect(told == [1])
    }
    try turn.run()
    #expect(told == [1, 2])
  }

  @Test func aTurnEndsAfterAHundredRoundsAndNamesWhoWouldGoOn() throws {
    let turn = Turn()
    var count = 0
    func again() {
      count += 1
      turn.enqueue(order: 1, name: "again") { again() }
    }
    again()
    #expect(throws: EndlessRounds(names: ["again"])) { try turn.run() }
    #expect(count == 101)
    try turn.run()
    #expect(count == 101)
  }

  @Test func aTurnAsksPreparationsBeforeEachRoundUntilTheyAreCancelled() throws {
    let turn = Turn()
    var asked = 0
    let token = turn.addPreparation { asked += 1 }
    turn.enqueue(order: 1, name: "a") {}
    try turn.run()
    #expect(asked == 2)
    token.cancel()
    try turn.run()
    #expect(asked == 2)
  }

  @Test func anInterruptedTurnKeepsTheRestForTheNextOneInTheSameOrder() throws {
    let turn = Turn()
    var isInterrupted = false
    turn.isInterrupted = { isInterrupted }
    var told: [String] = []
    turn.enqueue(order: 1, name: "a") {
      told.append("a")
      isInterrupted = true
      turn.enqueue(order: 2, name: "b") { told.append("b, later") }
    }
    turn.enqueue(order: 2, name: "b") { told.append("b") }
    try turn.run()
    #expect(told == ["a"])
    try turn.run()
    #expect(told == ["a"])
    isInterrupted = false
    turn.enqueue(order: 2, name: "b") { told.append("b, last") }
    try turn.run()
    #expect(told == ["a", "b", "b, later", "b, last"])
  }
}
