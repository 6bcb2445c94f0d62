import Reactive
import Testing

@Suite struct StateTests {
  private final class Thing { var number = 1 }

  private struct Form {
    @State var text: String
    @State var thing: Thing

    init(text: String, thing: Thing) {
      _text = State(initialValue: text)
      _thing = State(initialValue: thing)
    }

    static func write(@Binding text: String) { text += "!" }
  }

  @Test func aStateMayHoldWhatCannotBeComparedAndAnObjectIsEqualToItselfAlone() {
    let (first, second) = (Thing(), Thing())
    let object = State(first)
    let function = State<() -> Int>({ 1 })
    var told = 0
    let tokens = [object.onChange { _, _ in told += 1 }, function.onChange { _, _ in told += 10 }]
    object.value = first
    #expect(told == 0)
    object.value = second
    function.value = { 2 }
    #expect(told == 11 && object.value === second && function.value() == 2)
    for token in tokens { token.cancel() }
  }

  @Test func aPropertyIsSetInAnInitAndItsBindingIsAnArgument() {
    let form = Form(text: "a", thing: Thing())
    Form.write($text: form.$text)
    form.$thing.number.wrappedValue = 2
    #expect(form.text == "a!" && form.thing.number == 2)
  }

  @Test func aStateTellsOfAChangeAtOnceWithTheNewValueAndTheOld() {
    let state = State(5)
    var told: [[Int]] = []
    let token = state.onChange { told.append([$0, $1]) }
    state.value = 6
    #expect(told == [[6, 5]])
    state.value = 6
    #expect(told.count == 1)
    token.cancel()
    state.value = 7
    #expect(told.count == 1)
  }

  @Test func aStateTellsWhatAnObserverChangesAfterWhatItIsBeingToldToAllInTheSameOrder() {
    let state = State(0)
    var told: [String] = []
    let tokens = [
      state.onChange { new, _ in
        told.append("a\(new)")
        if new < 3 { state.value = new + 1 }
      },
      state.onChange { new, _ in told.append("b\(new)") },
    ]
    state.value = 1
    #expect(told == ["a1", "b1", "a2", "b2", "a3", "b3"])
    tokens.forEach { $0.cancel() }
  }

  @Test func aStateStopsObserversThatChangeItWithoutEndAndNamesThem() {
    let state = State(0)
    let token = state.onChange(name: "counter") { new, _ in state.value = new + 1 }
    #expect(throws: EndlessRounds(names: ["counter"])) { try state.set(1) }
    #expect(state.value == 101)
    token.cancel()
    #expect(throws: Never.self) { try state.set(1) }
    func again() {
      withObservationTracking(
        { _ = state.value },
        onChange: {
          again()
          state.value += 1
        })
    }
    again()
    #expect(throws: EndlessRounds(names: ["withObservationTracking"])) { try state.set(5) }
  }

  @Test func aStateStopsTwoThatChangeEachOtherWithoutEnd() {
    let (one, other) = (State(0), State(0))
    let tokens = [
      one.onChange(name: "ping") { new, _ in other.value = new + 1 },
      other.onChange(name: "pong") { new, _ in one.value = new + 1 },
    ]
    #expect(throws: EndlessRounds.self) { try one.set(1) }
    tokens.forEach { $0.cancel() }
  }

  @Test func aStateDoesNotTellAnObserverThatWasCancelledByOneBeforeIt() {
    let state = State(0)
    var told: [String] = []
    var second: ObservationToken?
    let first = state.onChange { _, _ in second?.cancel() }
    second = state.onChange { _, _ in told.append("second") }
    state.value = 1
    #expect(told == [])
    first.cancel()
  }

  @Test func aStateOfValuesThatAreComparedInAnOwnWayTellsByThat() {
    let state = State("a", isEqual: { $0.lowercased() == $1.lowercased() })
    var told = 0
    let token = state.onChange { _, _ in told += 1 }
    state.value = "A"
    state.value = "b"
    #expect(told == 1)
    token.cancel()
  }

  @Test func aStateMakesAPropertyOfAClassObservable() throws {
    final class Person {
      @State var name = "fat"
    }
    let person = Person()
    let turn = Turn()
    var seen: [String] = []
    Effect(turn) { [unowned person] in seen.append(person.name) }
    Bindable(person).name.wrappedValue = "thin"
    try turn.run()
    #expect(seen == ["fat", "thin"])
    #expect(person.$name.wrappedValue == "thin")
  }
}
