import Modeling
import Testing

/// What users build of things in things is refused in a sentence where it goes too deep, ten times deeper than that.
@Suite struct NestingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    /// Builds the thing `depth` levels deep and uses it.
    var script: String
    var bound: Int
    /// What the message says; nil where it is shown as far as it is shown.
    var sentence: String?
    var testDescription: String { name }
  }

  private static let model =
    "local model = Model { Q = Entity { a = Transformable } } use(open(':memory:', { model = model })) "
  private static let deep = "local t = {} for _ = 1, depth do t = { t } end "

  static let cases = [
    Case(name: "shown table", script: deep + "show(t) describe(t)", bound: 100_000),
    Case(
      name: "table as JSON", script: deep + "show(t, { mode = 'json' })", bound: Nesting.tables,
      sentence: "nested more than 100 levels deep"),
    Case(
      name: "value", script: model + deep + "Q { a = t }", bound: Nesting.tables,
      sentence: "nested more than 100 levels deep"),
    Case(
      name: "argument", script: model + deep + "Predicate('a == %@', t)", bound: Nesting.tables,
      sentence: "nested more than 100 levels deep"),
    Case(
      name: "preference", script: deep + "AppStorage('a', t)", bound: Nesting.tables,
      sentence: "nested more than 100 levels deep"),
    Case(
      name: "contexts", script: model + "local c = context for _ = 1, depth do c = c:newChild() end c.entities.Q {}",
      bound: Nesting.contexts, sentence: "contexts nest at most 100 levels deep"),
    Case(
      name: "composites",
      script: "local c = String for _ = 1, depth do c = Composite { elements = { a = c } } end"
        + " open(':memory:', { model = Model { Q = Entity { c = c } } })", bound: Nesting.composites,
      sentence: "composites nest at most 32 levels deep"),
    Case(
      name: "inheritance",
      script: "local t = { E0 = Entity { a = Int } }"
        + " for i = 1, depth do t['E' .. i] = Entity { _ = { parent = 'E' .. (i - 1) } } end"
        + " open(':memory:', { model = Model(t) })", bound: Nesting.inheritance,
      sentence: "inherit from one another at most 64 levels deep"),
    Case(
      name: "predicate", script: "Predicate(('('):rep(depth) .. 'a > 1' .. (')'):rep(depth))",
      bound: Nesting.predicateText, sentence: "nested more than 128 levels deep"),
    Case(
      name: "negated predicate", script: "local p = Predicate 'a > 1' for _ = 1, depth do p = ~(p & 'b > 1') end",
      bound: Nesting.predicates, sentence: "nested more than 100 levels deep"),
    Case(
      name: "Swift",
      script: "Predicate('#Predicate<Q> { ' .. ('('):rep(depth) .. '$0.a > 1' .. (')'):rep(depth) .. ' }')",
      bound: Nesting.swiftSource, sentence: "nested more than 128 levels deep"),
    Case(
      name: "JSON file",
      script: model + "local f <close> = io.open('in.json', 'w')"
        + " f:write('[{\"a\":' .. ('['):rep(depth) .. (']'):rep(depth) .. '}]') f:close() import(Q, 'in.json')",
      bound: Nesting.json, sentence: "nested more than 500 levels deep"),
    Case(
      name: "Lua source", script: "assert(load('return ' .. ('('):rep(depth) .. '1' .. (')'):rep(depth)))", bound: 200,
      sentence: "C stack overflow"),
  ]

  @Test(arguments: cases) func tenTimesTheBoundIsRefusedInASentence(_ one: Case) throws {
    let result = try BuiltProgram().run(script: "local depth = \(one.bound * 10)\n" + one.script)
    #expect(
      one.sentence == nil ? result.status == 0 : (1..<128).contains(result.status),
      "\(result.status) \(result.errors.suffix(500))")
    if let sentence = one.sentence { #expect(result.errors.contains(sentence), "\(result.errors.prefix(500))") }
  }

  @Test func aHierarchyHasAsManyEntitiesAsItLikes() throws {
    let result = try BuiltProgram().run(
      script: """
        local t = { Root = Entity { a = Int } }
        for i = 1, 300 do t["E" .. i] = Entity { _ = { parent = "Root" } } end
        local store = open(":memory:", { model = Model(t) })
        for i = 1, 300 do store.entities["E" .. i] { a = i } end
        store.context:save()
        for root in store.entities.Root:all():sorted("a"):each() do assert(root.entity.name == "E" .. root.a, root.entity.name) end
        """)
    #expect(result.status == 0, "\(result.errors.prefix(500))")
  }

  @Test func aDamagedHistoryIsReadAsFarAsItCanBe() throws {
    let program = try BuiltProgram()
    let result = try program.run(
      script: #"""
        local model = Model { Q = Entity { a = Int } }
        local store = open("s.sqlite", { create = true, model = model, history = true })
        for i = 1, 3 do store.entities.Q { a = i } store.context:save { author = "x" } end
        local edges = { "x'00'", "x'ffff'", "'x'", "NULL", "-9223372036854775808", "9223372036854775807", "1e300", "0", "-1" }
        local tables = store:sql [[SELECT m.name AS tab, p.name AS col FROM sqlite_schema AS m, pragma_table_info(m.name) AS p
          WHERE m.type = 'table' AND m.name LIKE '%history%' OR m.name LIKE '%change%' OR m.name LIKE '%transaction%']]
        assert(#tables >= 6)
        store:close()
        local function copy(from, to)
          for _, suffix in ipairs { "", "-wal" } do
            local f = io.open(from .. suffix, "rb")
            os.remove(to .. suffix)
            if f then local g = io.open(to .. suffix, "wb") g:write(f:read "a") g:close() f:close() end
          end
        end
        for _, place in ipairs(tables) do
          for _, edge in ipairs(edges) do
            copy("s.sqlite", "t.sqlite")
            local s = open("t.sqlite")
            io.stderr:write(place.tab, ".", place.col, " = ", edge, "\n")
            pcall(function() s:sql("UPDATE \"" .. place.tab .. "\" SET \"" .. place.col .. "\" = " .. edge) end)
            pcall(function() for t in s:history():each() do local _ = #t.changes end end)
            pcall(function() local _ = s:history { author = "x", since = 1 }[1] end)
            pcall(function() s.entities.Q { a = 9 } s.context:save() s:undoSave() s:redoSave() end)
            local live = s.entities.Q:all():live()
            pcall(function() runLoop { seconds = 0 } end)
            pcall(function() s:deleteHistory { before = s.historyToken } s:deleteHistory() end)
            pcall(function() live:close() s:close() end)
          end
        end
        print "all places"
        """#)
    #expect(result.status == 0 && result.output.contains("all places"), "\(result.errors.suffix(800))")
  }
}
