-- Asks a store of Citus' table of questions, and prints the answers: the same lines for every kind of store.
--
--     questions.lua STORE [make]
--
-- With `make` the store is made first. Stations are on each node; readings and their tags are distributed by their tenant.

local path, isNew = ...
local tenant = { optional = false }
local distributed = { userInfo = { distributed = "tenant" } }
local model = Model {
  Station = Entity {
    name = String { unique = true }, region = String, height = Int, readings = ToMany "Reading" { inverse = "station" },
  },
  Reading = Entity {
    tenant = Int(tenant), number = Int, value = Double, amount = Decimal, at = Date, note = String, flag = Bool,
    station = ToOne "Station" { inverse = "readings" }, tags = ToMany "Tag" { inverse = "reading" }, _ = distributed,
  },
  Tag = Entity {
    tenant = Int(tenant), label = String, weight = Int, reading = ToOne "Reading" { inverse = "tags" }, _ = distributed,
  },
}

local store = open(path, { create = isNew == "make", model = model })
local Station, Reading, Tag = store.entities.Station, store.entities.Reading, store.entities.Tag

local words = { "Étoile", "etoile", "ÉTOILE", "Straße", "strasse", "", "a b", "100%", "a_b", "x'y", "Ελλάδα", "ελλάδα" }

local function make()
  math.randomseed(7, 7)
  local function maybe(value) if math.random() < 0.9 then return value end end
  local stations = {}
  for i = 1, 20 do
    stations[i] = Station { name = "Station " .. i, region = maybe(words[i % #words + 1]), height = maybe(i * 37 % 11 - 3) }
  end
  for i = 1, 600 do
    local number = math.random(-1000, 1000)
    local reading = Reading {
      tenant = i % 13, number = i, value = maybe(number / 8 * 10.0 ^ math.random(-3, 3)), flag = maybe(i % 3 == 0),
      amount = maybe(Decimal(number .. "." .. i % 100)), at = maybe(Date("2024-01-01") + i * 86400.5),
      note = maybe(words[math.random(#words)]), station = maybe(stations[math.random(20)]),
    }
    for n = 1, math.random(0, 4) do
      Tag { tenant = reading.tenant, label = maybe(words[math.random(#words)]), weight = n * i % 7, reading = reading }
    end
  end
  store.context:save()
end

if isNew == "make" then make() end

local readings = {
  "value > 10", "value == nil", "NOT (value > 10)", "amount BETWEEN {-100, 100}", "amount == nil OR flag == true",
  "note ==[cd] 'etoile'", "note CONTAINS[c] 'STRASSE'", "note BEGINSWITH 'a'", "note LIKE '*oi*'", "note MATCHES '.*[%_].*'",
  "note IN {'', \"x'y\"}", "note <[cd] 'f'", "at > CAST('2024-06-01', 'NSDate')", "month(at) == '2024-03'", "value * 2 + 1 > 100",
  "abs(value) < 5", "number / 7 == 3", "modulus(number, 5) == 2", "station.region ==[cd] 'étoile'", "station.height > 3",
  "station.height == nil", "station == nil", "station.name MATCHES '.*[12]'", "ANY tags.weight > 5", "ALL tags.weight < 5",
  "NONE tags.label ==[c] 'ÉTOILE'", "NOT (ANY tags.weight == 3)", "tags.@count > 2", "tags.@count == 0", "ANY tags.label == nil",
  "SUBQUERY(tags, $t, $t.weight > 2 AND $t.label == 'a b').@count > 0", "tags.@sum.weight > 8", "tags.@max.weight == 6",
  "station.readings.@count > 30", "ANY station.readings.number == 17", "value > 0 AND ANY tags.weight > 3 AND station.height < 2",
  "tenant == 4", "tenant IN {1, 2} AND value > 0", "length(note) == 6", "number IN {1, 5, 9, 1000}",
}
local stations = {
  "ANY readings.value > 1000", "ALL readings.value < 100000", "NONE readings.flag == true", "readings.@count > 30",
  "readings.@count == 0", "readings.@avg.value > 0", "SUBQUERY(readings, $r, $r.flag == true AND $r.value > 0).@count > 5",
  "ANY readings.tags.weight == 6", "ANY readings.note ==[cd] 'etoile'", "SUBQUERY(readings, $r, ANY $r.tags.weight > 5).@count > 3",
}
local groups = {
  { "flag", "count", "sum(value)", "average(value)", "min(note)", "max(at)" }, { "station.name", "sum(amount)", "median(value)" },
  { "tenant", "median(value)", "count" }, { "station.height", "count" },
  { "month(at)", "count", "average(amount)" },   { "station.region", "mode(number)", "stddev(value)" }, { "length(note)", "sum(number)" },
}
local orders = {
  { "number" }, { "-value", "number" }, { "note", "number" }, { "station.name", "-number" }, { "-abs(value)", "number" },
  { "station.height", "at", "number" }, { "value * number", "number" },
}

local function shown(value)
  if type(value) == "number" then return string.format("%.17g", value) end
  return tostring(value)
end

-- A line for a question: what it is, and the answer or the kind of the error.
local function ask(name, question)
  local ok, answer = pcall(question)
  if not ok then answer = "error " .. tostring(type(answer) == "userdata" and answer.kind or answer) end
  print(name, answer)
end

local function list(request, property)
  local found = {}
  for object in request:each() do found[#found + 1] = object[property] end
  return #found .. ": " .. table.concat(found, ",")
end

for _, predicate in ipairs(readings) do
  ask(predicate, function() return list(Reading:where(predicate):sorted "number", "number") end)
  ask("count " .. predicate, function() return Reading:where(predicate):count() end)
end
for _, predicate in ipairs(stations) do
  ask(predicate, function() return list(Station:where(predicate):sorted "name", "name") end)
end
for _, columns in ipairs(groups) do
  ask(table.concat(columns, ", "), function()
    local wanted, names, rows = {}, {}, {}
    for i = 2, #columns do
      wanted["c" .. i] = columns[i]
      names[#names + 1] = "c" .. i
    end
    for _, row in ipairs(Reading:all():groupBy(columns[1], wanted)) do
      local values = { shown(row[columns[1]]) }
      for _, name in ipairs(names) do values[#values + 1] = shown(row[name]) end
      rows[#rows + 1] = table.concat(values, " ")
    end
    return table.concat(rows, "; ")
  end)
end
for _, order in ipairs(orders) do
  ask("by " .. table.concat(order, ", "), function() return list(Reading:all():sorted(table.unpack(order)), "number") end)
  ask("first by " .. table.concat(order, ", "), function()
    return list(Reading:where("value > 0"):sorted(table.unpack(order)):limit(5):offset(2), "number")
  end)
end
ask("distinct", function()
  local rows = {}
  local request = FetchRequest {
    entity = Reading, resultType = "dictionaries", propertiesToFetch = { "flag", "tenant" }, returnsDistinctResults = true,
  }
  for _, row in ipairs(request:fetch()) do rows[#rows + 1] = shown(row.flag) .. " " .. row.tenant end
  table.sort(rows)
  return table.concat(rows, "; ")
end)
ask("sum", function() return shown(Reading:all():sum "value") .. " " .. shown(Reading:all():sum "amount") end)
ask("tags", function() return Tag:where("reading.station.height > 3 AND reading.value > 0"):count() end)
store:close()
