import Reactive
import Testing

@Suite struct BindingTests {
  struct Place: Equatable {
    var name: String
    var depths: [String: Int] = [:]
  }

  @Test func aBindingReadsAndWritesWhatSomebodyElseKeeps() {
    let state = State(5)
    let binding = state.binding()
    binding.wrappedValue = 6
    #expect(state.value == 6)
    state.value = 7
    #expect(binding.wrappedValue == 7)
    let constant = Binding.constant(3)
    constant.wrappedValue = 4
    #expect(constant.wrappedValue == 3)
  }

  @Test func aBindingSeesTheValueInAnotherForm() {
    let text = State("5")
    let number = text.binding().map(get: { Int($0) ?? 0 }, set: { String($0) })
    number.wrappedValue += 1
    #expect(text.value == "6")
  }

  @Test func aBindingLeadsToPartsOfTheValueToElementsOfDictionariesAndPastNil() {
    let place = State(Place(name: "Chile"))
    let depth = place.binding().depths[key: "mean"]
    #expect(depth.wrappedValue == nil)
    depth.default(10).wrappedValue += 5
    #expect(place.value == Place(name: "Chile", depths: ["mean": 15]))
    place.binding().name.wrappedValue = "Peru"
    #expect(place.value.name == "Peru")
    let unwrapped = Binding(depth)
    unwrapped?.wrappedValue += 1
    #expect(depth.wrappedValue == 16)
    depth.wrappedValue = nil
    #expect(unwrapped?.wrappedValue == 16)
    #expect(Binding(depth).map(\.wrappedValue) == nil)
  }

  @Test func aBindingIsTrackedLikeWhatItLeadsTo() throws {
    let turn = Turn()
    let place = State(Place(name: "Chile"))
    let name = place.binding().name
    var seen: [String] = []
    Effect(turn) { seen.append(name.wrappedValue) }
    place.value.name = "Peru"
    try turn.run()
    #expect(seen == ["Chile", "Peru"])
  }

  @Test func aBindingTellsEachPropertysObserversOfItsOwnChangesAlone() throws {
    let turn = Turn()
    let person = ObservableValues(["name": "fat", "nick": "f"])
    var runs = 0
    Effect(turn) {
      _ = person["name"]?.value
      runs += 1
    }
    person["nick"]?.value = "t"
    try turn.run()
    #expect(runs == 1)
    person["name"]?.value = "thin"
    try turn.run()
    #expect(runs == 2)
    #expect(person.names == ["name", "nick"])
    #expect(person["age"] == nil)
  }
}
