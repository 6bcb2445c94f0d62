import Foundation
import LuaBindings
import TestSupport
import Testing

/// Everything that scripts can call, read or set is given values at the edges of their types.
///
/// The catalog says what there is, so that a new function attacks itself. A kind of thing that the script below does not
/// know how to make is an error of the test.
@Suite struct SweepTests {
  private static let isLong = Effort.isLong

  @Test(arguments: 0..<(isLong ? 12 : 2))
  func noArgumentEndsTheProgramByASignal(_ part: Int) throws {
    let engine = try Engine()
    let catalog = engine.catalog.entries.map { entry in
      "{ kind = '\(entry.kind)', owner = [==[\(entry.owner)]==], name = [==[\(entry.name)]==],"
        + " title = [==[\(entry.title)]==], signature = [==[\(entry.signature)]==] },"
    }
    engine.close()
    let program = try BuiltProgram()
    try program.write("import.csv", "text,score\na,1\n")
    let script = "local CATALOG = {\n\(catalog.joined(separator: "\n"))\n}\n" + Self.script
    let result = try program.run(
      script: script, name: "sweep.lua", [Self.isLong ? "long" : "quick", "\(part)", Self.isLong ? "12" : "2"])
    // A test of the test: it must have come to the end, which a wrong script does not.
    #expect(
      result.status == 0 && result.output.contains("swept "),
      "status \(result.status) \(result.errors.suffix(1_500))")
  }

  private static let script = #"""
    local steps, quick, part, parts = 0, ...
    quick = quick == "quick"
    part, parts = math.tointeger(part), math.tointeger(parts)
    local edge = {}
    local function add(name, value) edge[#edge + 1] = { name = name, value = value } end
    add("nil", nil)
    add("math.mininteger", math.mininteger) add("math.maxinteger", math.maxinteger)
    add("0", 0) add("-1", -1) add("1", 1) add("2^53", 1 << 53) add("2^31", 1 << 31) add("-2^31-1", -(1 << 31) - 1)
    add("NaN", 0 / 0) add("inf", math.huge) add("-inf", -math.huge) add("1e300", 1e300) add("0.5", 0.5)
    add("true", true) add("''", "") add("'x'", "x") add("invalid UTF-8", "\xff\xfe\0") add("long text", ("é"):rep(100000))
    add("'%@'", "%@ AND $x == ((((") add("deep text", ("("):rep(20000))
    add("{}", {}) add("function", function(...) return ... end)
    local deep = {} for _ = 1, 20000 do deep = { deep } end
    add("deep table", deep)
    local round = {} round[1] = round round.x = round
    add("round table", round)
    add("sparse", { [math.maxinteger] = 1, [math.mininteger] = 2, [1] = 3, [-1] = 4 })
    add("{mininteger}", { math.mininteger, math.maxinteger, 0 / 0 })
    add("{mininteger in names}", { fetchLimit = math.mininteger, fetchOffset = math.maxinteger, limit = math.mininteger, since = math.mininteger, seconds = 0 })
    add("coroutine", coroutine.create(function() end))
    add("Date(inf)", Date(1e300)) add("Date(-)", Date(-1e18)) add("null", null)
    local ok, decimal = pcall(Decimal, "1e127") if ok then add("Decimal", decimal) end

    if quick then
      local wanted = " math.mininteger math.maxinteger 0 2^53 NaN inf invalid&UTF-8 deep&table round&table {mininteger} null nil "
      local kept = {}
      for _, e in ipairs(edge) do if wanted:find(" " .. e.name:gsub(" ", "&") .. " ", 1, true) then kept[#kept + 1] = e end end
      assert(#kept == 12)
      edge = kept
    end

    local W
    local function world()
      if W then pcall(function() W.store:close() end) end
      W = {}
      local model = Model {
        Quake = Entity {
          code = String { unique = true }, magnitude = Double, felt = Int, time = Date { indexed = true }, place = String,
          reports = ToMany "Report" { inverse = "quake", ordered = true, deleteRule = "cascade" },
        },
        Report = Entity { text = String, score = Integer16, quake = ToOne "Quake" { inverse = "reports" } },
        Everything = Entity { i16 = Integer16, i32 = Integer32, i64 = Int, decimal = Decimal, double = Double, float = Float,
          string = String, bool = Bool, date = Date, uuid = UUID, url = URL, data = Data, json = Transformable,
          composite = Composite { elements = { lat = Double, lon = Double } } },
      }
      W.model = model
      W.store = open(":memory:", { create = true, model = model, history = true })
      use(W.store)
      local q = W.store.entities.Quake
      W.Quake, W.Report, W.Everything = q, W.store.entities.Report, W.store.entities.Everything
      for i = 1, 5 do q { code = "us" .. i, magnitude = i, felt = i, time = Date(i * 1e8), place = "p" } end
      W.quake = q:find "us1"
      W.report = W.Report { text = "felt", quake = W.quake }
      W.Report { text = "felt it", quake = W.quake }
      W.everything = W.Everything { i64 = 1 }
      W.store.context:save { author = "sweep" }
    end
    world()

    local things = {
      Date = function() return Date(0) end,
      Decimal = function() return Decimal "1.5" end,
      Model = function() return W.model end,
      Store = function() return W.store end,
      MigrationPlan = function() return W.store:migrationPlan(W.model) end,
      Context = function() return W.store.context end,
      Entity = function() return W.Quake end,
      Object = function() return W.quake end,
      Collection = function() return W.quake.reports end,
      Predicate = function() return Predicate "magnitude > 1 AND place == $x" end,
      Expression = function() return Expression "magnitude * $x" end,
      SortDescriptor = function() return SortDescriptor "magnitude" end,
      Request = function() return W.Quake:where "magnitude > 1" end,
      Result = function() return W.Quake:all():fetch() end,
      ObjectID = function() return W.quake.objectID end,
      Error = function() local _, e = pcall(function() return W.Quake:where "nope > 1" end) return e end,
      ObservationToken = function() return W.Quake:on("insert", print) end,
      Hook = function() return W.Quake end,
      History = function() return W.store:history() end,
      Transaction = function() return W.store:history():last() end,
      HistoryChange = function() return W.store:history():last().changes[1] end,
      FetchedResults = function() return W.Quake:sorted("magnitude"):live() end,
      Sections = function() return SectionedFetchRequest { entity = W.Quake, sectionIdentifier = "place" }:live() end,
      Section = function() return SectionedFetchRequest { entity = W.Quake, sectionIdentifier = "place" }:live()[1] end,
      FetchedValues = function() return W.Quake:all():grouped("place", { n = "count" }):live() end,
      Change = function()
        local live = W.Quake:all():live()
        local got
        local token = live:onChange(function(change) got = change end)
        W.Quake { code = "new" } W.store.context:save()
        token:cancel()
        return got
      end,
      Difference = function() return W.store:compare(W.store) end,
      Plot = function() return plot({ 1, 2, 5 }, {}) end,
      HistoryObserver = function() return HistoryObserver { store = W.store } end,
      State = function() return State(5) end,
      Binding = function() return State({ 1, 2 }):binding() end,
      Effect = function() return effect(function() end) end,
      Storage = function() return SceneStorage("a", 1, W.store) end,
      Environment = function() return Environment end,
      Preference = function() Preference.define("width", 0) return Preference end,
      Namespace = function() local n = Namespace() n:tag("a", W.quake) return n end,
    }
    -- Where the options of a name go, with what else is needed.
    local takers = {
      FetchRequest = function(o) o.entity = o.entity or W.Quake local r = FetchRequest(o) r:fetch() r:count() r:live():close() return r end,
      Query = function(o) o.entity = o.entity or W.Quake local q = Query(o) local _ = #q, q[1] q:close() end,
      ResultsObserver = function(o) o.entity = o.entity or W.Quake local q = ResultsObserver(o) local _ = #q.results, q.sections[1] q:close() end,
      open = function(o) if o.model == nil then o.model = W.model end if o.create == nil then o.create = true end open(":memory:", o):close() end,
      import = function(o) return import(W.Report, "import.csv", o) end,
      encodeJSON = function(o) return encodeJSON({ a = { 1, W.Quake:first() } }, o) end,
      batchInsert = function(o) return W.Report:batchInsert({ { text = "x" } }, o) end,
      history = function(o) return W.store:history(o) end,
      copy = function(o) local s <close> = open(":memory:", { model = W.store.model }) return W.store:copy(s, o) end,
      runLoop = function(o) after(0, stopLoop) return runLoop(o) end,
      plot = function(o) if o.x == nil then o.x = "magnitude" end return tostring(plot(W.Quake, o)) end,
      onChange = function(o) local s = State(1) local w = onChange(function() return s.value end, print, o) s.value = 2 w:cancel() end,
      withTransaction = function(o) return withTransaction(o, function() end) end,
      SortDescriptor = function(o) return SortDescriptor("magnitude", "forward", o) end,
      FetchedProperty = function(o) if o.entity == nil then o.entity = "Q" end return open(":memory:", { create = true, model = Model { Q = Entity { a = Int, f = FetchedProperty(o) } } }):close() end,
      Entity = function(o) return open(":memory:", { create = true, model = Model { Q = Entity { a = Int, b = String, _ = o } } }):close() end,
      Model = function(o) return Model { Q = Entity { a = Int }, _ = o } end,
      Attribute = function(o)
        for _, T in ipairs { Integer16, Int, Double, Decimal, String, Date, Data, Transformable } do
          local copy = {} for k, v in pairs(o) do copy[k] = v end
          pcall(function()
            local s <close> = open(":memory:", { create = true, model = Model { Q = Entity { a = T(copy) } } })
            local x = s.entities.Q {} s.context:save() x.a = 1 s.context:save()
          end)
        end
      end,
      Relationship = function(o)
        local s <close> = open(":memory:", { create = true, model = Model { Q = Entity { a = Int, rs = ToMany "R" (o) }, R = Entity { q = ToOne "Q" { inverse = "rs" } } } })
        local x = s.entities.Q { a = 1 } x.rs:add(s.entities.R {}) s.context:save()
      end,
      Hook = function(o) for k, v in pairs(o) do W.Quake[k] = v end W.Quake { code = "h" } W.store.context:save() end,
    }

    local function use_(value, depth)
      if value == nil then return end
      pcall(tostring, value)
      pcall(function() return #value end)
      if type(value) == "userdata" or type(value) == "table" then
        pcall(function() return value[1] end)
        if depth < 1 then pcall(show, value, { limit = 3 }) end
        pcall(function() return value:explain() end)
      end
    end
    local function step(name, body)
      steps = steps + 1
      if steps % parts ~= part then return end
      io.stderr:write(steps, " ", name, "\n")
      local ok, result = pcall(function()
        local results = table.pack(body())
        for i = 1, results.n do use_(results[i], 0) end
      end)
      if not ok then pcall(tostring, result) end
      if W.store.isClosed or steps % 500 == 0 then world() end
    end
    local function candidates()
      if quick then return { { "'magnitude > 1'", "magnitude > 1" }, { "object", W.quake }, { "{}", {} }, { "1", 1 } } end
      return { { "'magnitude > 1'", "magnitude > 1" }, { "'felt'", "felt" }, { "'reports'", "reports" }, { "object", W.quake }, { "report", W.report }, { "entity", W.Report }, { "function", function() end },
        { "{}", {} }, { "1", 1 }, {"request", W.Quake:all() }, { "out", "out.json" } }
    end
    local function sweep(label, call, arity)
      for _, e in ipairs(edge) do step(label .. "(" .. e.name .. ")", function() return call(e.value) end) end
      if arity < 2 then return end
      for n = 1, #candidates() do
        for _, e in ipairs(edge) do
          step(label .. "(" .. candidates()[n][1] .. ", " .. e.name .. ")", function() return call(candidates()[n][2], e.value) end)
        end
      end
      step(label .. "(maxinteger, maxinteger)", function() return call(math.maxinteger, math.maxinteger) end)
      step(label .. "(maxinteger, mininteger)", function() return call(math.maxinteger, math.mininteger) end)
      step(label .. "(mininteger, maxinteger)", function() return call(math.mininteger, math.maxinteger) end)
      if arity < 3 or quick then return end
      for n = 1, #candidates() do for m = 1, #candidates() do
        for _, e in ipairs(edge) do
          step(label .. "(" .. candidates()[n][1] .. ", " .. candidates()[m][1] .. ", " .. e.name .. ")", function() return call(candidates()[n][2], candidates()[m][2], e.value) end)
        end
      end end
    end
    local function arity(signature)
      local inside = signature:match "%b()" or ""
      if inside:find("...", 1, true) then return 2 end
      inside = inside:sub(2, -2):gsub("%b{}", "")
      local _, commas = inside:gsub(",", "")
      return commas + 1
    end
    local skipped = { runLoop = true }
    local globals = {}
    for name, value in pairs(_G) do
      local isCallable = type(value) == "function" or (getmetatable(value) or {}).__call
      if isCallable and not skipped[name] then globals[#globals + 1] = name end
    end
    table.sort(globals)
    for _, name in ipairs(globals) do
      sweep(name, function(...) return _G[name](...) end, 3)
    end
    for _, entry in ipairs(CATALOG) do
      local thing = things[entry.owner]
      if not thing and not takers[entry.owner] and entry.owner ~= "" then
        error("the sweep does not know how to make a thing of the kind " .. entry.owner)
      end
      if entry.kind == "function" then
        if entry.owner ~= "" then
          sweep(entry.title, function(...) return _G[entry.owner][entry.name](...) end, arity(entry.signature))
        end
      elseif entry.kind == "method" then
        sweep(entry.owner .. ":" .. entry.name, function(...) local t = thing() return t[entry.name](t, ...) end, arity(entry.signature))
      elseif entry.kind == "property" then
        step(entry.owner .. "." .. entry.name, function() return thing()[entry.name] end)
        for _, e in ipairs(edge) do
          step(entry.owner .. "." .. entry.name .. " = " .. e.name, function()
            local t = thing()
            t[entry.name] = e.value
            use_(t, 0)
            if entry.owner == "Request" then t:fetch() t:count() t:live():close() end
          end)
        end
      elseif entry.kind == "option" then
        local take = takers[entry.owner]
        if not take then error("no taker for options of " .. entry.owner) end
        for _, e in ipairs(edge) do
          step(entry.owner .. "{" .. entry.name .. " = " .. e.name .. "}", function() return take { [entry.name] = e.value } end)
        end
      end
    end
    for _, limit in ipairs(edge) do for _, offset in ipairs(edge) do
      if math.type(limit.value) and math.type(offset.value) then
        step("limit " .. limit.name .. " offset " .. offset.name, function()
          local r = W.Quake:sorted("magnitude"):limit(limit.value):offset(offset.value)
          r:fetch() r:count() r:page(2, 3)
          local live = r:live()
          local _ = #live, live[1]
          W.Quake { code = "n" .. steps, magnitude = 2.5 } W.store.context:save()
          live:slice(limit.value, offset.value)
          for q in live:each() do q.magnitude = 3 end
          W.store.context:save() live:close()
          return SectionedFetchRequest { entity = W.Quake, sectionIdentifier = "place", fetchLimit = limit.value, fetchOffset = offset.value }:live()
        end)
      end
    end end
    local names = {} for name in pairs(things) do names[#names + 1] = name end table.sort(names)
    for _, name in ipairs(names) do
      local thing = things[name]
      for _, e in ipairs(edge) do
        if e.value ~= nil and e.value == e.value then
        step(name .. "[" .. e.name .. "]", function() return thing()[e.value] end)
        step(name .. "[" .. e.name .. "] = 1", function() thing()[e.value] = 1 end)
        end
        step(name .. " + " .. e.name, function() return thing() + e.value end)
        step(name .. " - " .. e.name, function() return thing() - e.value end)
        step(e.name .. " - " .. name, function() return e.value - thing() end)
        step(name .. " * " .. e.name, function() return thing() * e.value end)
        step(name .. " / " .. e.name, function() return thing() / e.value end)
        step(name .. " // " .. e.name, function() return thing() // e.value end)
        step(name .. " % " .. e.name, function() return thing() % e.value end)
        step(name .. " ^ " .. e.name, function() return thing() ^ e.value end)
        step(name .. " < " .. e.name, function() return thing() < e.value end)
        step(name .. " <= " .. e.name, function() return thing() <= e.value end)
        step(name .. " .. " .. e.name, function() return thing() .. e.value end)
        step(name .. " & " .. e.name, function() return thing() & e.value end)
        step("-" .. name , function() return -thing() end)
        step("~" .. name , function() return ~thing() end)
        step(name .. "(" .. e.name .. ")", function() return thing()(e.value) end)
      end
    end
    for _, attribute in ipairs { "i16", "i32", "i64", "decimal", "double", "float", "string", "bool", "date", "uuid", "url", "data", "json", "composite" } do
      for _, e in ipairs(edge) do
        step("everything." .. attribute .. " = " .. e.name, function()
          W.store.context:rollback()
          local x = W.Everything {}
          x[attribute] = e.value
          W.store.context:save()
          W.store.context:reset()
          for y in W.Everything:all():each() do local _ = y[attribute] end
          for _, mode in ipairs { "table", "lines", "csv", "json", "list" } do show(W.Everything:all(), { mode = mode }) end
          for _, f in ipairs { "sum", "min", "max", "average" } do local r = W.Everything:all() r[f](r, attribute) end
          W.Everything:where(attribute .. " == %@", e.value):fetch()
          W.Everything:where(attribute .. " > %@ OR " .. attribute .. " + 1 > %@", e.value, e.value):explain()
          local p = Predicate(attribute .. " * 2 - 1 == %@ OR -" .. attribute .. " < %@", e.value, e.value)
          p:evaluate(x) p:counts(W.Everything) W.Everything:where(p):fetch()
          return W.store:undoSave()
        end)
        pcall(function() W.store.context:rollback() end)
      end
    end
    for _, f in ipairs { "abs", "floor", "ceiling", "sqrt", "ln", "log", "exp", "trunc", "onesComplement:", "year", "month", "day", "hour", "minute", "second", "weekday", "length", "lowercase", "uppercase", "-" } do
      for _, e in ipairs(edge) do
        step("predicate " .. f .. " " .. e.name, function()
          local p = Predicate(f .. "(%@) == 1", e.value)
          local q = Predicate(f .. "(i64) == %@", e.value)
          p:evaluate(W.everything) W.Everything:where(p):fetch() W.Everything:where(q):fetch() q:evaluate(W.everything) q:swift("macro") 
        end)
      end
    end
    for _, f in ipairs { "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "raise:toPower:", "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:" } do
      for _, e in ipairs(edge) do for _, o in ipairs(edge) do if math.type(e.value) and math.type(o.value) then
        step("predicate FUNCTION " .. f .. e.name .. o.name, function()
          local p = Predicate("FUNCTION('x', '" .. f .. "', %@, %@) == 1", e.value, o.value)
          local ok, p2 = pcall(Predicate, f:match "^(%w+:)" .. (f:match ":(%w+:)" or "") .. "(%@, %@) == 1", e.value, o.value)
          p = ok and p2 or p
          p:evaluate(W.everything) W.Everything:where(p):fetch()
        end)
      end end end
    end
    for _, o in ipairs { "+", "-", "*", "/", "**" } do
      for _, a in ipairs(edge) do for _, b in ipairs(edge) do if math.type(a.value) and math.type(b.value) then
        step("predicate " .. a.name .. o .. b.name, function()
          local p = Predicate("%@ " .. o .. " %@ == i64", a.value, b.value)
          p:evaluate(W.everything) W.Everything:where(p):fetch() p:swift "macro" p:swift "nspredicate"
          p = Predicate("i64 == " .. string.format("%.0f", a.value):gsub("nan", "0"):gsub("inf", "1e999") .. o .. string.format("%.0f", b.value):gsub("nan", "0"):gsub("inf", "1e999"))
          p:evaluate(W.everything) W.Everything:where(p):fetch() p:swift "macro"
        end)
      end end end
    end
    print("swept " .. steps)
    """#
}
