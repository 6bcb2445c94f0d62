import LuaBindings
import Testing

@Suite struct ScopeBindingTests {
  @Test func anyValueIsANameInANamespaceAndEffectsFollowIt() throws {
    let script = try Script.sample()
    try script.run(
      """
      ns, list, quake = Namespace(), {}, Quake { code = "a" }
      names = { "hero", 1, 2.5, true, Date(5), Decimal "1.10", list, print, quake, State(1) }
      for i, name in ipairs(names) do ns:tag(name, "thing " .. i) end
      save()
      local found = {}
      for i, name in ipairs(names) do found[i] = ns:resolve(name):match "%d+" end
      all = table.concat(found, " ")
      same = { ns:resolve(1.0), ns:resolve(Date(5)), ns:resolve(Quake:find "a"), ns:resolve {}, ns:resolve(Date(6)) }
      """)
    #expect(try script.value("all") == "1 2 3 4 5 6 7 8 9 10")
    #expect(try script.value("same[1], same[2], same[3], same[4], same[5]") == "thing 2 thing 5 thing 9 nil nil")
    #expect(script.error("ns:tag(nil, 1)") == "namespace:tag: expected a name: any value but nil, got nil")
    try script.run(
      "log = {} effect(function() log[#log + 1] = tostring(ns:resolve(quake)) .. #ns:readers(quake) end)")
    for turn in [
      "token = ns:tag(quake, 'reader', { source = false })", "ns:tag(quake, 'reader', { source = false })",
      "ns:tag('other', 1)", "ns:untag(quake, 'thing 9')",
      "ns:tag(quake, 'new')",
    ] {
      try script.run(turn)
      #expect(script.engine.turns.end().isEmpty)
    }
    #expect(try script.value("table.concat(log, ', ')") == "thing 90, thing 91, nil1, new1")
  }

  @Test func globalsRequestsAndSaveActOnTheContextOfTheEnvironment() throws {
    let script = try Script.sample()
    try script.run(
      """
      Quake { code = "a", magnitude = 5 }
      save()
      main, child = context, context:newChild()
      Environment.with({ managedObjectContext = child }, function()
        Quake { code = "b", magnitude = 6 }
        seen = {
          context == child, Quake.context == child, Quake:count(), FetchRequest { entity = Quake }:count(),
          FetchRequest { entity = "Quake" }:count(), #Query { entity = "Quake" }, main.entities.Quake:count(),
          FetchRequest [[@FetchRequest(sortDescriptors: []) var quakes: FetchedResults<Quake>]]:count(),
        }
        save()
      end)
      """)
    #expect(
      try script.value("table.unpack(seen)") == "true true 2 2 2 2 1 2",
      "the child's object is unsaved in it, and the parent has none of it")
    #expect(try script.value("context == main, Quake.context == main, #main.insertedObjects") == "true true 1")
    #expect(
      script.error("FetchRequest { entity = 'Quak' }")
        == "the model has no 'Quak'; did you mean 'Quake'?")
  }

  @Test func theScopeEndsWithAnErrorAndStoresChangeWithUse() throws {
    let script = try Script.sample()
    try script.run("main, child = context, context:newChild()")
    #expect(
      script.error("Environment.with({ managedObjectContext = child }, function() error 'no' end)")?.contains("no")
        == true)
    #expect(try script.value("context == main, Quake.context == main") == "true true")
    try script.run(
      """
      other = open(":memory:", { model = Model { Other = Entity { a = Int } } })
      Environment.with({ managedObjectContext = other.context }, function()
        inside = tostring(Quake) .. tostring(Other.context == other.context) .. tostring(store == other)
      end)
      outside = tostring(Other) .. tostring(Quake.context == main)
      Environment.with({ managedObjectContext = child }, function() use(other) end)
      """)
    #expect(try script.value("inside, outside") == "niltruetrue niltrue")
    #expect(try script.value("Quake, store == other, context == other.context") == "nil true true")
  }

  @Test func anEditIsSavedIntoTheContextAroundItOrDropped() throws {
    let script = try Script.sample()
    try script.run("quake = Quake { code = 'a', magnitude = 5 } save() main = context")
    #expect(
      try script.value(
        """
        edit(function(child)
          local mine = Quake:find "a"
          mine.magnitude = 6
          edit(function(inner) Quake { code = "b" } assert(inner.parent == child) end)
          return Quake:count(), quake.magnitude, child.parent == main, context == child
        end)
        """) == "2 5.0 true true")
    #expect(try script.value("quake.magnitude, #main.updatedObjects, #main.insertedObjects") == "6.0 1 1")
    #expect(script.error("edit(function() Quake:find('a').magnitude = 7 error 'no' end)")?.contains("no") == true)
    #expect(script.error("edit(function() Quake:find('a').magnitude = 70 end)")?.contains("magnitude") == true)
    #expect(try script.value("quake.magnitude, context == main, main:newChild().hasChanges") == "6.0 true false")
    #expect(script.error("edit()") == "edit: expected a function, got no value")
    #expect(try Script().error("edit(print)") == "edit: no store is open; open one, or name it on the command line")
  }

  @Test func theEnvironmentHasTheContextOfTheGlobalsAndSaysWhenThereIsNoStore() throws {
    #expect(
      try Script().error("return Environment.managedObjectContext")
        == "Environment.managedObjectContext: there is no store; open one and `use` it, or name it on the command line")
    let script = try Script.sample()
    #expect(try script.value("Environment.managedObjectContext == context") == "true")
    try script.run("other = store:newContext()")
    let chunk =
      "Environment.with({ managedObjectContext = other }, function() return Environment.managedObjectContext == other end)"
    #expect(try script.value(chunk) == "true")
    #expect(
      script.error("Environment.with({ managedObjectContext = 5 }, print)")
        == "Environment.with: managedObjectContext: expected a context, got number")
  }

  @Test func ownKeysHaveDefaultsOtherValuesInScopesAndTheFormerOnesAfterAnError() throws {
    let script = try Script()
    try script.run(
      """
      Environment.define("theme", "light")
      Environment.define("scale", 1)
      log = {}
      local function note() log[#log + 1] = Environment.theme .. Environment.scale end
      note()
      Environment.with({ theme = "dark" }, function()
        Environment.with({ scale = 2 }, note)
        pcall(Environment.with, { theme = "red" }, error)
        note()
      end)
      note()
      """)
    #expect(try script.value("table.concat(log, ' ')") == "light1 dark2 dark1 light1")
    #expect(
      try script.value("Environment.with({ theme = 'x' }, function() return 1, nil, Environment.theme end)")
        == "1 nil x")
    #expect(script.error("return Environment.tehme") == "Environment has no 'tehme'; did you mean 'theme'?")
    #expect(
      script.error("Environment.with({ tehme = 1 }, print)") == "Environment has no 'tehme'; did you mean 'theme'?")
    #expect(
      script.error("Environment.define('with', 1)") == "Environment.define: 'with' is built in and cannot be redefined")
    #expect(
      script.error("Environment.theme = 1")
        == "Environment.theme: it cannot be set; Environment.with({ theme = value }, fn) sets it while fn runs")
  }

  @Test func anEffectRunsAgainInTheScopeInWhichItWasMade() throws {
    let script = try Script()
    try script.run(
      """
      Environment.define("theme", "light")
      state, log = State(1), {}
      Environment.with({ theme = "dark" }, function()
        effect(function() log[#log + 1] = state.value .. Environment.theme end)
      end)
      state.value = 2
      """)
    #expect(script.engine.turns.end().isEmpty)
    #expect(try script.value("table.concat(log, ' ')") == "1dark 2dark")
  }

  @Test func aNamespaceTellsTheSourceOfANameFromItsReadersAndWarnsOfASecondSourceOnce() throws {
    let script = try Script.sample()
    var warnings: [String] = []
    script.engine.host.onWarning = { warnings.append($0) }
    try script.run(
      """
      left, right = Namespace(), Namespace()
      q = Quake { code = "us1" }
      left:tag("hero", "detail", { source = false })
      left:tag("hero", q)
      """)
    #expect(try script.value("left:resolve 'hero' == q, right:resolve 'hero', #left:readers 'hero'") == "true nil 1")
    #expect(
      try script.value("left.id == left.id, left.id == right.id, left:resolve 'hero' == left:resolve 'hero'")
        == "true false true")
    try script.run("left:tag('hero', 'card') left:tag('hero', 'icon', { source = true })")
    #expect(warnings.count == 1)
    #expect(warnings.first?.hasPrefix("namespace ") == true)
    #expect(warnings.first?.contains("'hero' has two sources, Quake") == true)
    #expect(warnings.first?.hasSuffix(" and card; the first one is used") == true)
    try script.run("left:untag('hero', q)")
    #expect(try script.value("left:resolve 'hero', left:untag 'hero', left:resolve 'hero'") == "card nil nil")
    #expect(try script.value("select('#', left:resolve 'nobody')") == "1")
    #expect(script.error("left:tag('hero')") == "namespace:tag: expected a thing, got no value")
    #expect(script.error("left:tag('hero', 1, { sauce = true })")?.contains("did you mean 'source'?") == true)
  }

  @Test func aHerosTagMovesBetweenTwoLists() throws {
    let script = try Script.sample()
    var warnings: [String] = []
    script.engine.host.onWarning = { warnings.append($0) }
    try script.run(
      """
      q = Quake { code = "us1" }
      ns = Namespace()
      local function list(name)
        local list = { name = name }
        function list:show(object) self.tag = ns:tag(object.code, self.name) end
        function list:hide() self.tag:cancel() end
        return list
      end
      felt, archive = list "felt", list "archive"
      felt:show(q)
      first = ns:resolve(q.code)
      felt:hide()
      archive:show(q)
      """)
    #expect(try script.value("first, ns:resolve 'us1'") == "felt archive")
    #expect(warnings == [])
  }

  @Test func whatIsChangedInAnAnimationIsToldAtItsEndAndWhatWasBeforeWithoutIt() throws {
    let script = try Script()
    try script.run(
      """
      state, log = State(1), {}
      effect(function() log[#log + 1] = state.value end)
      state.value = 2
      results = table.pack(withAnimation("easeIn", function() state.value = 3 return "a", nil end))
      during = #log
      withTransaction({ animation = "slow", disablesAnimations = true }, function() state.value = 4 end)
      withAnimation(function() state.value = 5 end)
      withAnimation("none", function() state.value = 6 end)
      pcall(withAnimation, "fast", function() state.value = 7 error("x") end)
      """)
    #expect(try script.value("table.concat(log, ' '), during, results.n") == "1 2 3 4 5 6 7 3 2")
    #expect(script.engine.turn.transaction.animation == nil)
    #expect(script.error("withAnimation('x')") == "withAnimation: expected a function, got no value")
    #expect(script.error("withTransaction('x', print)") == "withTransaction: expected a table of options, got string")
  }

  @Test func aTransactionsWordsReachTheTurn() throws {
    let script = try Script()
    let engine = script.engine
    engine.define("seen", "seen()", "The transaction.") { [unowned engine] stack in
      stack.push(
        "\(engine.turn.transaction.animation?.description ?? "-") \(engine.turn.transaction.disablesAnimations)")
      return 1
    }
    #expect(try script.value("withAnimation('easeIn', seen)") == "easeIn false")
    #expect(try script.value("withAnimation('none', seen)") == "- true")
    #expect(try script.value("withAnimation(nil, seen)") == "- true")
    #expect(try script.value("withAnimation(seen)") == "default false")
    #expect(try script.value("withTransaction({ disablesAnimations = true }, seen)") == "- true")
    #expect(try script.value("withTransaction({ animation = 'none', disablesAnimations = false }, seen)") == "- false")
    try script.run(
      "local b = State(1) b:onChange(function() inner = seen() end) b:binding():animation('spring').value = 2")
    #expect(try script.value("inner, seen()") == "spring false - false")
  }
}
