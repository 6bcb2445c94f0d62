import LuaBindings
import Testing

@Suite struct StateBindingTests {
  @Test func aStateTellsAtOnceOfValuesThatAreOtherOnes() throws {
    let script = try Script()
    try script.run(
      """
      minimum = State(5)
      told = {}
      token = minimum:onChange(function(new, old) told[#told + 1] = old .. ">" .. new end)
      minimum.value = 6
      minimum.value = 6.0
      minimum.value = "6"
      minimum.value = "6"
      """)
    #expect(try script.value("table.concat(told, ' ')") == "5>6 6>6")
    try script.run("token:cancel() minimum.value = 9")
    #expect(try script.value("#told, minimum, minimum.value") == "2 State(9) 9")
    #expect(try script.value("State().value, State(nil), State({}).value ~= nil") == "nil State(nil) true")
  }

  @Test func aBindingOfFunctionsTellsOfWhatIsWrittenThroughItThoughTheFunctionsKeepAPlainVariable() throws {
    let script = try Script()
    try script.run(
      """
      local kept = 1
      told = {}
      plain = Binding { get = function() return kept end, set = function(value) kept = value end }
      plain:onChange(function(new, old) told[#told + 1] = old .. ">" .. new end)
      seen = {}
      effect(function() seen[#seen + 1] = plain.value end)
      plain.value = 2
      """)
    #expect(script.engine.turns.end().isEmpty)
    try script.run("plain.value = 2")
    #expect(script.engine.turns.end().isEmpty)
    try script.run("plain:map({ get = tostring, set = tonumber }).value = '7'")
    #expect(script.engine.turns.end().isEmpty)
    #expect(try script.value("table.concat(told, ' ')") == "1>2 2>7")
    #expect(try script.value("seen[1], seen[#seen]") == "1 7")
  }

  @Test func equalDatesAndDecimalsAreNoChangeOtherTablesAre() throws {
    let script = try Script()
    try script.run(
      """
      local count = 0
      local function watch(value, other)
        local state, told = State(value), 0
        state:onChange(function() told = told + 1 end)
        state.value = other
        return told
      end
      answers = {
        watch(Date(5), Date(5)), watch(Date(5), Date(6)), watch(Decimal "1.10", Decimal "1.1"), watch({}, {}),
        watch(null, null), watch(nil, false), watch(print, print),
      }
      """)
    #expect(try script.value("table.concat(answers, ' ')") == "0 1 0 1 0 1 0")
  }

  @Test func anObserversErrorStopsNoOtherObserverAndIsToldAtTheEndOfTheTurn() throws {
    let script = try Script()
    try script.run(
      """
      state, told = State(1), 0
      state:onChange(function() error("no!", 0) end)
      state:onChange(function() told = told + 1 end)
      state.value = 2
      """)
    #expect(try script.value("told, state.value") == "1 2")
    #expect(script.engine.turns.end().map { script.engine.report($0).message } == ["no!"])
  }

  @Test func observersThatChangeTheStateWithoutEndAreStoppedByAnErrorThatNamesThem() throws {
    let script = try Script()
    let error = script.error(
      """
      state = State(0)
      state:onChange(function(new) state.value = new + 1 end)
      state.value = 1
      """)
    #expect(error == "observers keep changing what they observe: onChange (test:2) (100 rounds)")
    #expect(try script.value("state.value") == "101")
  }

  @Test func aTokenIsClosedWithItsScopeAndDroppingOneCancelsNothing() throws {
    let script = try Script()
    try script.run(
      """
      state, told = State(1), ""
      do local token <close> = state:onChange(function() told = told .. "a" end) state.value = 2 end
      state:onChange(function() told = told .. "b" end)
      collectgarbage()
      state.value = 3
      """)
    #expect(try script.value("told") == "ab")
  }

  @Test func aBindingReadsAndWritesWhatItLeadsTo() throws {
    let script = try Script()
    try script.run(
      """
      state = State(5)
      b = state:binding()
      b.value = 6
      text = b:map { get = tostring, set = tonumber }
      text.value = "7"
      constant = Binding.constant(3)
      constant.value = 4
      kept = 1
      own = Binding { get = function() return kept end, set = function(value) kept = value end }
      own.value = 8
      """)
    #expect(try script.value("state.value, b.value, text.value, math.type(state.value)") == "7 7 7 integer")
    #expect(try script.value("constant.value, own.value, kept, tostring(own)") == "3 8 8 Binding(8)")
    #expect(script.error("Binding { get = print }") == "Binding: set is missing")
    #expect(script.error("Binding { get = 1, set = 2 }") == "Binding: get: expected a function, got number")
    #expect(script.error("Binding()") == "Binding: expected a table of functions, get and set, got no value")
    #expect(script.error("b.vlaue = 1") == "binding has no 'vlaue'; did you mean 'value'?")
    #expect(script.error("return Binding.constnat") == "Binding has no 'constnat'; did you mean 'constant'?")
    #expect(script.error("return own:map { get = error, set = error }.value")?.contains("8") == true)
  }

  @Test func aFieldThatIsSetToWhatItHoldsChangesNothing() throws {
    let script = try Script()
    try script.run(
      """
      place, told = State { name = "Chile" }, 0
      place:onChange(function() told = told + 1 end)
      place:binding():at("name").value = "Chile"
      place:binding():at("name").value = "Peru"
      """)
    #expect(try script.value("told, place.value.name") == "1 Peru")
  }

  @Test func aBindingLeadsToFieldsPastNilAndToDefaults() throws {
    let script = try Script()
    try script.run(
      """
      place = State { name = "Chile" }
      before = place.value
      name = place:binding():at "name"
      depth = place:binding():at "depth"
      name.value = "Peru"
      depth:default(10).value = depth:default(10).value + 5
      unwrapped = depth:unwrapped()
      unwrapped.value = 20
      """)
    #expect(try script.value("place.value.name, place.value.depth, before.name, before.depth") == "Peru 20 Chile nil")
    try script.run("depth.value = nil")
    #expect(try script.value("unwrapped.value, depth:unwrapped(), depth:default(1).value") == "20 nil 1")
    try script.run("o = Observable { name = 'a' } local b = State(o):binding():at 'name' b.value = 'b'")
    #expect(try script.value("o.name") == "b")
    #expect(script.error("State(5):binding():at('x').value = 1") != nil)
  }

  @Test func aBindingsObserversAreToldAtTheEndOfTheTurnOnce() throws {
    let script = try Script()
    try script.run(
      """
      state, told = State(5), {}
      local b = state:binding():map { get = function(n) return n // 10 end, set = function(n) return n * 10 end }
      token = b:onChange(function(new, old) told[#told + 1] = old .. ">" .. new end)
      state.value = 25
      state.value = 31
      """)
    #expect(script.engine.turns.end().isEmpty)
    try script.run("state.value = 39")
    #expect(script.engine.turns.end().isEmpty)
    #expect(try script.value("table.concat(told, ' ')") == "0>3")
    try script.run("token:cancel() state.value = 99")
    #expect(script.engine.turns.end().isEmpty)
    #expect(try script.value("#told") == "1")
  }

  @Test func anObservablesPropertiesAreDeclaredAndAWrongNameFindsTheNearest() throws {
    let script = try Script()
    try script.run("person = Observable { name = 'fat', age = 18, friend = null }")
    #expect(
      try script.value("person.name, person.age, person.friend, person")
        == "fat 18 nil Observable { age, friend, name }")
    try script.run(
      "person.name = 'thin' person.age = nil names = '' for k, v in pairs(person) do names = names .. k .. v end")
    #expect(try script.value("names, person.age") == "namethin nil")
    #expect(script.error("return person.nmae") == "Observable has no 'nmae'; did you mean 'name'?")
    #expect(script.error("person.nmae = 1") == "Observable has no 'nmae'; did you mean 'name'?")
    #expect(script.error("Observable { 1 }") == "Observable: expected named values, got one under a key of type number")
    #expect(script.error("Observable(5)") == "Observable: expected a table of named properties, got number")
  }
}
