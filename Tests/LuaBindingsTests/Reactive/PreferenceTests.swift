import LuaBindings
import TestSupport
import Testing

/// Values that children pass to their parents, and properties that are brought up to date before each use.
@Suite(.seeded) struct PreferenceTests {
  private static func script() throws -> Script {
    let script = try Script.sample()
    try script.run(
      """
      Preference.define("list", "", function(value, next) return value .. next end)
      Preference.define("last", "none")
      Preference.define("most", 0, math.max)
      set, collect = Preference.set, Preference.collect
      """)
    return script
  }

  @Test func childrensValuesAreReducedToOneForEachScopeAround() throws {
    let script = try Self.script()
    try script.run(
      """
      outer, a, b = collect("list", function()
        set("list", "1")
        inner = collect("list", function() set("list", "2") set("list", "3") set("most", 5) end)
        set("list", "4") set("most", 3) set("last", "x") set("last", "y")
        most = collect("most", function() end)
        return "a", "b"
      end)
      last = collect("last", function() collect("list", function() set("last", "z") end) end)
      passed = collect("most", function() collect("list", function() set("most", 9) end) set("most", 2) end)
      """)
    #expect(try script.value("outer, inner, a, b, most, last, passed") == "1234 23 a b 0 z 9")
  }

  @Test func anErrorLeavesNothingBehind() throws {
    let script = try Self.script()
    try script.run(
      """
      result = collect("list", function()
        set("list", "a")
        ok, problem = pcall(collect, "list", function() set("list", "b") error "no" end)
        set("list", "c")
      end)
      """)
    #expect(try script.value("result, ok") == "ac false")
    #expect(
      script.error("Preference.set('list', 'x')")
        == "Preference.set: nothing collects preferences here; call it in the function of Preference.collect")
    #expect(script.error("Preference.set('lists', 1)") == "Preference has no 'lists'; did you mean 'list'?")
    #expect(script.error("return Preference.colect") == "Preference has no 'colect'; did you mean 'collect'?")
    #expect(script.error("Preference.define('set', 1)") != nil)
    #expect(script.error("Preference.define('x', 1, 5)")?.hasSuffix("expected a function, got number") == true)
    #expect(script.error("collect('list')") == "Preference.collect: expected a function, got no value")
    try script.run("Preference.define('bad', 1, function() error 'reduced' end)")
    #expect(script.error("collect('bad', function() set('bad', 1) set('bad', 2) end)")?.contains("reduced") == true)
    #expect(try script.value("(collect('most', function() set('most', 1) end))") == "1")
  }

  @Test func aParentIsToldOfItsChildrensChanges() throws {
    let script = try Self.script()
    try script.run(
      """
      states, told = { State(1), State(2) }, {}
      onChange(function()
        return (collect("most", function() for _, s in ipairs(states) do set("most", s.value) end end))
      end, function(new, old) told[#told + 1] = old .. ">" .. new end)
      """)
    try script.turn("states[1].value = 5")
    try script.turn("states[2].value = 4")
    try script.turn("states[1].value = 3")
    #expect(try script.value("table.concat(told, ' ')") == "2>5 5>4")
  }

  /// Trees of scopes: what is collected is what a plain walk gives.
  @Test func treesOfScopesCollectWhatAWalkGives() throws {
    var random = SplitMix(seed: 1)
    func tree(_ depth: Int) -> (lua: String, list: [Int]) {
      var (lua, list): (String, [Int]) = ("", [])
      for _ in 0..<random.below(4) {
        if depth < 4, random.chance(oneIn: 2) {
          let inner = tree(depth + 1)
          lua += "check(\"\(inner.list.map(String.init).joined())\", function() \(inner.lua) end) "
          list += inner.list
        } else {
          let number = random.below(10)
          lua += "set('list', '\(number)') "
          list.append(number)
        }
      }
      return (lua, list)
    }
    let script = try Self.script()
    try script.run(
      "function check(wanted, fn) local got = collect('list', fn) assert(got == wanted, got .. ' for ' .. wanted) end")
    for _ in 0..<60 {
      let root = tree(0)
      try script.run("check(\"\(root.list.map(String.init).joined())\", function() \(root.lua) end)")
    }
  }

  // MARK: Dynamic properties

  @Test func aPropertyIsUpdatedBeforeEachUse() throws {
    let script = try Self.script()
    try script.run(
      """
      source, log = State(1), {}
      p = DynamicProperty { value = 0, uses = 0, update = function(self)
        self.uses = self.uses + 1
        self.value = source.value * 10
      end }
      first, second = p.value, p.uses
      effect(function() log[#log + 1] = p.value .. ":" .. p.uses .. ":" .. p.uses end)
      """)
    #expect(try script.value("first, second, table.concat(log, ' ')") == "10 2 10:3:3")
    try script.turn("source.value = 2")
    #expect(try script.value("table.concat(log, ' ')") == "10:3:3 20:4:4")
    try script.turn("p.uses = 10")
    #expect(try script.value("log[3], #log") == "20:11:11 3")
    try script.turn("local _ = p.value")
    #expect(try script.value("#log") == "3", "what update sets makes nothing run again")
  }

  @Test func mistakesOfDynamicPropertiesAreNamed() throws {
    let script = try Self.script()
    #expect(script.error("DynamicProperty { value = 1 }") == "DynamicProperty: update is missing")
    #expect(
      script.error("DynamicProperty { update = 5 }") == "DynamicProperty: update: expected a function, got number")
    #expect(script.error("DynamicProperty(5)") != nil)
    try script.run(
      "p = DynamicProperty { value = 1, nothing = null, fails = false, update = function(self) if self.fails then error 'late' end end }"
    )
    #expect(script.error("return p.valu") == "DynamicProperty has no 'valu'; did you mean 'value'?")
    #expect(script.error("p.valu = 1") == "DynamicProperty has no 'valu'; did you mean 'value'?")
    #expect(try script.value("p.nothing, p.value") == "nil 1")
    try script.run("p.fails = true")
    #expect(script.error("return p.value")?.hasSuffix("late") == true)
    #expect(try script.value("tostring(p)") == "DynamicProperty { fails, nothing, value }")
    try script.run("ok, message = pcall(function() return p.value end) p.fails = false")
    #expect(try script.value("ok, p.value") == "false 1")
  }
}
