import Testing

@testable import LuaBindings

/// What scripts make, drop or close leaves nothing behind: memory stays flat however often it is made.
@Suite struct FlatMemoryTests {
  /// How each function that makes something is called, with `context`, five quakes `a` to `e` and `q`, the first of them.
  ///
  /// What observes is cancelled: dropping a token ends nothing.
  static let functions: [String: String] = [
    // Values
    "Date": "local d = Date(5) + 1 local e = Date '2024-01-22T16:26:12Z'", "Decimal": "local d = Decimal '1.10' + 1",
    "UUID": "local u = UUID()", "URL": "local u = URL 'https://example.org'", "Data": "local d = Data 'bytes'",
    "String": "local s = String { optional = true }", "Bool": "local b = Bool { default = true }",
    "Double": "local d = Double { min = 0 }", "Float": "local f = Float {}", "Int": "local i = Int { default = 1 }",
    "Integer16": "local i = Integer16 {}", "Integer32": "local i = Integer32 {}", "Integer64": "local i = Integer64 {}",
    // Models
    "Transformable": "local t = Transformable {}", "Composite": "local c = Composite { elements = { x = Double } }",
    "Derived": "local d = Derived { type = String, 'day(time)' }",
    "FetchedProperty": "local f = FetchedProperty { entity = 'Quake', predicate = 'felt > 1' }",
    "ToOne": "local t = ToOne 'Quake' { inverse = 'reports' }", "ToMany": "local t = ToMany 'Quake' {}",
    "Entity": "local e = Entity { name = String }",
    "Model": """
    local m = Model { A = Entity { name = String } }
    local s = Model '@Model class A { @Relationship(inverse: \\\\A.b) var a: A?; var b: A? }'
    local x = Model((s:source 'xcdatamodel'))
    """,
    // Stores and contexts
    "open": """
    local s = open(':memory:', { model = model })
    local c = s:newContext()
    c.entities.Quake { code = 'x' }
    c:save()
    local live = s.entities.Quake:all():live()
    live:onChange(function() end)
    s:on('remoteChange', function() end)
    s:close()
    """,
    "Store:newContext": "local c = store:newContext() c.entities.Quake:find('a').magnitude = 9 c.entities.Quake {}",
    "Context:newChild": "local c = context:newChild():newChild() c.entities.Quake:find('a').magnitude = 9",
    "Store:on": "store:on('remoteChange', function() end):cancel()", "Store:sql": "local r = store:sql 'SELECT 1 AS n'",
    "Store:migrationPlan": "local p = store:migrationPlan(model)",
    "Store:history": "local h = history:history() local t = h:first() local c = t and t.changes[1]",
    "History:each": "local step = history:history():each() step()",
    "History:first": "local t = history:history():first().changes",
    "History:last": "local t = history:history():last().changes",
    "HistoryObserver": "local o = HistoryObserver { store = history }",
    "HistoryObserver:onChange": """
    local o = HistoryObserver { store = history }
    o:onChange(function() end):cancel()
    o:onChange(function() end)
    o:close()
    """,
    "Context:on": """
    for _, event in ipairs { 'willSave', 'didSave', 'objectsDidChange' } do
      context:on(event, function() end):cancel()
      local c = store:newContext()
      local token = c:on(event, function() end)
      if event == 'objectsDidChange' then token:cancel() end
    end
    """,
    // Objects
    "Entity:find": "local o = Quake:find 'b'", "Entity:first": "local o = Quake:first()",
    "Entity:on": "Quake:on('insert', function() end):cancel()",
    "Object:observe": "q:observe('magnitude', print):cancel()",
    "Collection:each": "local step = q.reports:each() step()",
    "Bindable": "local b = Bindable(q).magnitude b.value = b.value",
    // Requests
    "Predicate": "local p = Predicate('felt > %@', round) & Predicate 'felt < 5'",
    "SortDescriptor": "local s = SortDescriptor('magnitude', 'reverse')",
    "Predicate:bind": "local p = Predicate('felt > $x'):bind { x = round }",
    "Expression": "local e = Expression('felt * 2 + ' .. round)",
    "Expression:bind": "local e = Expression('felt * $x'):bind { x = round }",
    "Predicate:check": "local c = Predicate('felt > 1'):check(Quake)",
    "Predicate:counts": "local c = Predicate('felt > 1'):counts(Quake)",
    "Predicate:explain": "local e = Predicate('felt > 1'):explain(Quake)",
    "Predicate:parity": "local p = Predicate('felt != 1'):parity(Quake)",
    "Predicate:why": "local r = Predicate('felt > 1'):why(q)",
    "FetchRequest": "local r = FetchRequest { entity = Quake }:fetch()",
    "SectionedFetchRequest": "local r = SectionedFetchRequest { entity = Quake, sectionIdentifier = 'place' }",
    "Entity:all": "local r = Quake:all():fetch()",
    "Entity:each": "local step = Quake:each() step()",
    "Entity:explain": "local e = Quake:explain()",
    "Entity:groupBy": "local g = Quake:groupBy('magnitude', { n = 'count' })",
    "Entity:aggregate": "local n = Quake:aggregate('count'):fetch()",
    "Entity:grouped": "local g = Quake:grouped('magnitude', { n = 'count' }):fetch()",
    "Entity:limit": "local r = Quake:limit(1):fetch()[1]",
    "Entity:offset": "local r = Quake:offset(1):fetch()",
    "Entity:sorted": "local r = Quake:sorted('-magnitude'):fetch()[1]",
    "Entity:live": "local r = Quake:live() r:onChange(function() end) r:close()",
    "Collection:explain": "local e = q.reports:explain()",
    "Collection:first": "local o = q.reports:first()",
    "Collection:groupBy": "local g = q.reports:groupBy('text', { n = 'count' })",
    "Collection:aggregate": "local n = q.reports:aggregate({ n = 'count' }):fetch()",
    "Collection:grouped": "local g = q.reports:grouped('text', { n = 'count' }):fetch()",
    "Collection:limit": "local r = q.reports:limit(1):fetch()[1]",
    "Collection:offset": "local r = q.reports:offset(1):fetch()",
    "Collection:sorted": "local r = q.reports:sorted('text'):fetch()[1]",
    "Collection:where": "local r = q.reports:where('text == %@', 'r'):fetch()[1]",
    "Collection:live": "local r = q.reports:live() r:onChange(function() end) r:close()",
    "onChange": "local s = State(1) onChange(function() return s.value end, function() end):cancel()",
    "Entity:template": "local r = templates.entities.Big:template('big', { least = round })",
    "Entity:where": "local r = Quake:where('magnitude > %@', round):fetch()[1]",
    "Store:fetchRequest": "local r = templates:fetchRequest('big', { least = round })",
    "Model:fetchRequest": "local r = templates.model:fetchRequest('big', { least = round })",
    "Request:bind": "local r = Quake:where('felt > $x'):bind { x = round }",
    "Request:check": "local c = Quake:all():check()",
    "Request:counts": "local c = Quake:where('felt > 1'):counts()",
    "Request:diff": "local d = Quake:where('felt > 1'):diff(Quake:where 'felt > 2')",
    "Request:compare": "local d = Quake:where('felt > 1'):compare(Quake:all()).isEmpty",
    "Store:compare": "local d = tostring(store:compare(store))",
    "Difference:each": "for change in store:compare(store):each() do local k = change.kind end",
    "Request:each": """
    for o in Quake:all():each() do break end
    local step = Quake:all():each()
    step()
    for row in Quake:all():with({ resultType = 'dictionaries' }):each() do break end
    for id in Quake:all():with({ resultType = 'objectIDs' }):each() do break end
    """,
    "Request:explain": "local e = Quake:all():explain()", "Request:first": "local o = Quake:all():first()",
    "Request:groupBy": "local r = Quake:all():groupBy('place', { n = 'count' })",
    "Request:aggregate": "local n = Quake:all():aggregate('sum(magnitude)'):live():close()",
    "Request:grouped": "local r = Quake:all():grouped('place', { n = 'count' })",
    "Request:having": "local r = Quake:all():grouped('place', { n = 'count' }):having('n > 1'):fetch()",
    "Request:limit": "local r = Quake:all():limit(2):fetch()",
    "Request:live": "local l = Quake:all():live() local s = #l local o = l[1]",
    "Request:offset": "local r = Quake:all():offset(1):fetch()",
    "Request:parity": "local p = Quake:all():parity()",
    "Request:sorted": "local r = Quake:all():sorted('-magnitude'):fetch()",
    "Request:tryIndex": "local t = Quake:where('felt > 1'):tryIndex()",
    "Request:where": "local r = Quake:all():where 'felt > 1'",
    "Request:plot": "local p = Quake:all():plot { x = 'magnitude' }",
    "Plot:live": """
    local p = Quake:plot({ x = 'magnitude' }):live()
    p:onChange(function() end)
    q.magnitude = round % 9
    save()
    local t = p:text()
    p:close()
    """,
    "Plot:onChange": "Quake:plot({ x = 'magnitude' }):live():onChange(function() end):cancel()",
    "Entity:plot": "local p = Quake:plot { x = 'place', y = 'average(magnitude)' }",
    "Collection:plot": "local p = q.reports:plot { x = 'text' }",
    "Request:summary": "local s = Quake:all():summary() local t = tostring(s), s.magnitude.top",
    "Entity:summary": "local s = Quake:summary('magnitude')",
    "Collection:summary": "local s = q.reports:summary()",
    "Request:facets": "local f = Quake:all():facets('place') local t = tostring(f), f[1].request",
    "FetchedResults:facets": """
    local f = Quake:live():facets('place')
    f:onChange(function() end)
    local r = f[1].request
    f:close()
    """,
    "Entity:facets": "local f = Quake:facets('magnitude', 'place')",
    "Collection:facets": "local f = q.reports:facets('text')",
    "Request:pivot": "local p = Quake:all():pivot { rows = 'place', columns = 'felt' } local t = tostring(p)",
    "Entity:pivot": "local p = Quake:pivot { rows = 'place', columns = 'felt', value = 'max(magnitude)' }",
    "Collection:pivot": "local p = q.reports:pivot { rows = 'text', columns = 'score' }",
    "Object:references": "local r = q:references() local t = tostring(r)",
    "Object:tree": "local r = q:tree() local t = tostring(r), r[1].object",
    "plot": "local p = plot({ 1, 2, round }, { bins = 3 })",
    "Request:why": "local r = Quake:where('felt > 1'):why(q)",
    "Request:with": "local r = Quake:all():with { fetchLimit = 2 }",
    "Result:each": "local step = Quake:all():fetch():each() step()",
    // Live results
    "ResultsObserver":
      "local r = ResultsObserver { entity = Quake, sortBy = 'place', modelContext = context }.results[1]",
    "Query": "local r = Query { entity = Quake, sectionBy = 'place', sort = 'place' } local o = r.sections[1][1]",
    "FetchedResults:each": "local step = Quake:all():live():each() step()",
    "FetchedResults:binding": "local b = Quake:all():live():binding 'sortDescriptors'",
    "FetchedResults:explain": "local e = Quake:all():live():explain()",
    "FetchedResults:onChange": """
    local l = Quake:all():live()
    local change
    local token = l:onChange(function(c) change = c.inserted end)
    Quake { code = 'new' }
    context:processPendingChanges()
    rollback()
    context:processPendingChanges()
    token:cancel()
    Quake:all():live():onChange(print):cancel()
    """,
    "FetchedResults:section":
      "local s = Query({ entity = Quake, sectionBy = 'place', sort = 'place' }):section 'Japan'",
    "Sections:each":
      "local step = Query({ entity = Quake, sectionBy = 'place', sort = 'place' }).sections:each() step()",
    "Section:each":
      "local step = Query({ entity = Quake, sectionBy = 'place', sort = 'place' }).sections[1]:each() step()",
    "FetchedValues:each": "local step = Quake:all():grouped('place', { n = 'count' }):live():each() step()",
    "FetchedValues:binding": "local b = Quake:all():grouped('place', { n = 'count' }):live():binding 'predicate'",
    "FetchedValues:explain": "local e = Quake:all():grouped('place', { n = 'count' }):live():explain()",
    "FetchedValues:onChange": "Quake:all():grouped('place', { n = 'count' }):live():onChange(print):cancel()",
    // Reactive values
    "State": "local s = State(round) s.value = 0",
    "State:binding": "local b = State({ x = 1 }):binding() b.value = { x = 2 }",
    "State:onChange": "local s = State(1) s:onChange(function() end):cancel() s.value = 2",
    "Binding": "local b = Binding { get = function() return 1 end, set = function() end } local v = b.value",
    "Binding:map": "local b = State(1):binding():map { get = tostring, set = tonumber }",
    "Binding:animation": "local b = State(1):binding():animation 'spring' b.value = 2",
    "Binding:at": "local b = State({ x = 1 }):binding():at 'x' b.value = 2",
    "Binding:default": "local b = State(nil):binding():default(2)",
    "Binding:unwrapped": "local b = State(1):binding():unwrapped()",
    "Binding:onChange": "State(1):binding():onChange(function() end):cancel()",
    "DynamicProperty":
      "local d = DynamicProperty { n = 1, update = function(self) self.n = self.n + 1 end } local n = d.n",
    "Observable": "local o = Observable { name = 'fat', age = 18 } o.age = 19",
    "effect": """
    local s = State(1)
    local e = effect(function() local v, m = s.value, q.magnitude effect(function() local w = s.value end) end)
    s.value = 2
    context:processPendingChanges()
    e:cancel()
    """,
    "Namespace": "local n = Namespace()",
    "Namespace:tag": "local n = Namespace() n:tag('x', {}, { source = true }):cancel()",
    "Namespace:resolve": "local n = Namespace() n:tag('x', {}, { source = true }) local t = n:resolve 'x'",
    "AppStorage": "local s = AppStorage('flat', 1) s.value = round",
    "SceneStorage": "local s = SceneStorage('flat', 1) s.value = round",
    "Storage:binding": "local b = AppStorage('flat', 1):binding() b.value = round",
    "Storage:onChange": "AppStorage('flat', 1):onChange(function() end):cancel()",
    // The loop
    "after": "after(1000, function() end):cancel()", "every": "every(1000, function() end):cancel()",
  ]

  /// What is made otherwise, by names of the tests' own.
  static let others: [String: String] = [
    "constant bindings": "local b = Binding.constant(3)",
    "changes undone": "q.felt = -round context:processPendingChanges() undo() redo() undo()",
    "a transaction": "context:transaction(function() Report { text = 'x' }:delete() end)",
    "a transaction that fails": "pcall(context.transaction, context, function() Report { text = 'x' } error 'no' end)",
    "objects made and rolled back": "Quake { code = 'x' .. round } rollback()",
    "objects saved and deleted": "local o = Quake { code = 'x' } save() o:delete() save()",
    "errors": "pcall(function() return q.nothing end) pcall(Predicate, '(')",
    "preferences": """
    Preference.define("width", 0, math.max)
    local w = Preference.collect("width", function() Preference.set("width", round) end)
    """,
    "environments": "Environment.with({ managedObjectContext = store:newContext() }, function() end)",
    "transactions of changes":
      "withAnimation('spring', function() end) withTransaction({ animation = 'x' }, function() end)",
    "blocks": "store:newContext():perform(function() end)",
    "contexts that save by themselves":
      "local c = store:newContext { autosave = true } c.entities.Report { text = 'x' }",
    "tracking": "local s = State(1) withObservationTracking(function() return s.value end, function() end) s.value = 2",
    "tracked objects":
      "withObservationTracking(function() return q.magnitude end, function() end) q.magnitude = (q.magnitude + 1) % 9 context:processPendingChanges()",
    "hooks": "function Quake:willSave() end Quake.willSave = nil",
    "computed properties":
      "function Quake.computed.twice(q) return 2 * q.magnitude end local t = q.twice Quake.computed.twice = nil",
    "entity lists": "local e = store:newContext().entities for name in pairs(e) do local x = e[name] end",
    "pairs left half way": "for name in pairs(q) do break end",
    "functions of the program": "local t = echo { 1, { a = q } } local s = echo('x' .. round) pcall(echo, print)",
    "objects of the program": "local w = worker() local n = w.name .. w:greet 'x'",
    "coroutines left half way":
      "local f = coroutine.wrap(function() for o in Quake:all():each() do coroutine.yield(o) end end) f()",
  ]

  /// An object of the program around the engine.
  private final class Worker {}

  private static func defineProgram(in engine: Engine) throws {
    engine.define(HostFunction("echo", "echo(value)", "Returns its argument.") { $0.first ?? .value(.null) })
    engine.define(HostFunction("worker", "worker()", "Makes a worker.") { _ in .instance(Worker()) })
    let name = HostType.Field("name", "The name.") { _ in .value(.string("w")) }
    let greet = HostType.Method("greet", "greet(name)", "Returns the name.") { $1.first ?? .value(.null) }
    try engine.define(HostType("Worker", includes: { $0 is Worker }, fields: [name], methods: [greet]))
  }

  /// Functions that make something and are in no round.
  static let exceptions: [String: String] = [
    "loadModel": "reads a file, and makes what Model makes",
    "Store:counterpart": "only while a store is migrated",
  ]

  /// The functions whose signature says that they give something that is no plain value.
  static func makers(of catalog: Catalog) -> [String] {
    let plain = ["boolean", "number", "string", "value", "results", "list", "table", "true, false", "objectIDs"]
    return catalog.entries.filter { entry in
      guard entry.kind == .function || entry.kind == .method else { return false }
      guard let arrow = entry.signature.range(of: " -> ", options: .backwards) else {
        return entry.name.first?.isUppercase == true
      }
      let words = entry.signature[arrow.upperBound...].split(separator: " or ").map(String.init)
      return !words.allSatisfy { word in
        word == "nil" || word.hasPrefix("{")
          || plain.contains { word == $0 || word.hasPrefix("\($0) of ") || word.hasPrefix("\($0),") }
      }
    }.map(\.title)
  }

  @Test func everyFunctionThatMakesSomethingIsTriedOrHasAReason() throws {
    let makers = Set(Self.makers(of: try Script().engine.catalog))
    let known = Set(Self.functions.keys).union(Self.exceptions.keys)
    #expect(makers.subtracting(known).sorted() == [])
    #expect(known.subtracting(makers).sorted() == [])
  }

  @Test(arguments: (Array(functions.keys) + others.keys).sorted()) func memoryStaysFlat(kind: String) throws {
    let chunk = try #require(Self.functions[kind] ?? Self.others[kind])
    let script = try Script.quakes()
    try Self.defineProgram(in: script.engine)
    try script.run(
      """
      model = store.model
      q = Quake:find 'a'
      q.reports:add(Report { text = 'r' })
      save()
      templates = open(":memory:", {
        model = Model {
          Big = Entity { amount = Int },
          _ = { templates = { big = { entity = "Big", predicate = "amount >= $least" } } },
        },
      })
      history = open(":memory:", { model = model, history = true })
      history.entities.Quake { code = "h" }
      history.context:save()
      """)
    script.collect()
    var kept: [Kept] = []
    for _ in 0..<4 {
      try script.run("for round = 1, 50 do \(chunk)\nend")
      script.collect()
      kept.append(Kept(script))
    }
    let growths = zip(kept.dropFirst(2), kept.dropFirst()).map { $0.bytes - $1.bytes }
    // A leak grows each time; a table of Lua's own that became larger does so once.
    #expect((growths.min() ?? 0) < 1500, "\(kept.map(\.bytes))")
    #expect(kept[3].counts == kept[1].counts)
  }

  /// What is there after everything that can go has gone.
  private struct Kept {
    let bytes: Int
    let counts: [Int]

    init(_ script: Script) {
      let engine = script.engine
      bytes = engine.lua.memoryUsed
      counts = [
        engine.stores.all.count, engine.stores.closed.count, script.contextCount, engine.values.objectClasses.count,
        engine.loop.timers.count,
      ]
    }
  }
}
