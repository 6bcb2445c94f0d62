-- Values that functions are seldom given: the ends of numbers, texts that are no texts, tables without an end, things that
-- are closed. `extremes(store)` is a list; the values of objects belong to the store.

local function deepTable(depth)
  local t = {}
  for _ = 1, depth do t = { t } end
  return t
end

local function cyclic()
  local t = { 1, name = "x" }
  t[2], t.self, t.predicate = t, t, t
  return t
end

local function hostile()
  local function fail() error "hostile" end
  return setmetatable({}, {
    __index = fail, __newindex = fail, __len = fail, __pairs = fail, __tostring = fail, __call = fail, __eq = fail,
    __lt = fail, __concat = fail, __add = fail, __close = fail, __name = "hostile",
  })
end

local function endless()
  return setmetatable({}, { __index = function(_, key) return type(key) == "number" and key < 1000 and key or nil end,
    __len = function() return math.maxinteger end })
end

return function(store)
  local closed = open(":memory:", { model = store.model })
  local orphan = closed.entities.Quake { code = "orphan", magnitude = 1 }
  local deadRequest, deadContext = closed.entities.Quake:where "magnitude > 1", closed.context
  closed:close()
  local other = open(":memory:", { model = store.model })
  local foreign = other.entities.Quake { code = "foreign", magnitude = 1 }
  local deleted = store.entities.Quake { code = "deleted", magnitude = 1 }
  deleted:delete()
  local new = store.entities.Quake { code = "new", magnitude = 1, place = "x", time = Date(0), latitude = 0, longitude = 0 }
  local values = {
    math.mininteger, math.maxinteger, math.mininteger + 0.0, -(math.mininteger + 0.0), 0 / 0, -(0 / 0), 1 / 0, -1 / 0, -0.0,
    0, -1, 1, 1.5, 2 ^ 53, -2 ^ 53, 2 ^ 31, 2 ^ 32, 1e308, 5e-324, 1e15, 0.1, math.maxinteger - 1,
    true, false, "", "\0", "a\0b", "\xff\xfe", "\u{1F600}", "\u{0301}e", "'", "\"", "%@", "%", "$x", "x' OR '1' = '1", "-",
    "-magnitude", "magnitude", "reports", "reports.@count", "mainshock.mainshock.code", "nil", "count", "9" .. ("9"):rep(400),
    ("x"):rep(1 << 20), ("("):rep(20000), ("NOT "):rep(5000) .. "TRUEPREDICATE", ("a."):rep(5000) .. "a", ("\u{0301}"):rep(5000),
    "2024-01-22T00:00:00Z", "99999-99-99", "/", "/nowhere/at/all.csv", ".",
    {}, { {} }, { 1, 2, 3 }, { 1, nil, 3 }, { magnitude = 0 / 0 }, { [1.5] = 1 }, { [math.maxinteger] = 1 },
    { [math.mininteger] = 1, [true] = 2 }, { "magnitude > %@", 0 / 0 }, { "magnitude > %@" }, { "%K > 1", "magnitude" },
    deepTable(100), deepTable(100000), cyclic(), hostile(), endless(),
    print, function() error "no" end, function() error(nil) end, function() error {} end, function(...) return ... end,
    function() return math.mininteger end, function() return 0 / 0 end,
    coroutine.create(function() end), coroutine.wrap(function() coroutine.yield(1) end), io.stdout,
    closed, orphan, deadRequest, deadContext, other, foreign, deleted, new, store, store.context, store.entities,
    store.entities.Quake, store.entities.Report, store.entities.Quake:first(), store.entities.Quake:first().reports,
    store.entities.Quake:all(), store.entities.Quake:all():fetch(), store.entities.Quake:all():live(), store.model,
    store.entities.Quake:first().objectID, Predicate "TRUEPREDICATE", Predicate "reports.@count > 1", Predicate "$x > 1",
    SortDescriptor "-time", Expression "magnitude / 0", Expression "magnitude * 1e308 * 1e308",
    Date(0), Date(253402300799), Date(-62135596800), Decimal "1e120", Decimal "0", Decimal "-0.000000000000000000000001",
    State(5), State { x = 5 }, Environment, null, _G, package.loaded, getmetatable "",
  }
  -- Lists have no nil: it is a value of its own, at the end.
  values.count = #values + 1
  return values
end
