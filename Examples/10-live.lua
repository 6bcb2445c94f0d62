-- Live results: fetched once, true ever after; observers are told the difference, with the places of each row.

local model = Model {
  Quake = Entity {
    code = String { optional = false, unique = true },
    magnitude = Double { indexed = true },
    place = String { indexed = true },
    time = Date { indexed = true },
    day = Derived { type = String, "day(time)", indexed = true },
    reports = ToMany "Report" { inverse = "quake", deleteRule = "cascade" },
    _ = { order = { "code", "magnitude", "place", "time" } },
  },
  Report = Entity { city = String, quake = ToOne "Quake" { inverse = "reports" } },
}
local store <close> = open(":memory:", { model = model })
local context = store.context
local Quake, Report = store.entities.Quake, store.entities.Report

for _, row in ipairs {
  { "us1", 6.9, "128 km WNW of Aykol, China", "2024-01-22T18:09:04Z" },
  { "us2", 5.3, "Near Kyrgyzstan", "2024-01-22T20:14:31Z" },
  { "us3", 4.7, "Lata, Solomon Islands", "2024-01-23T03:50:10Z" },
  { "us4", 4.1, "Iquique, Chile", "2024-01-24T11:02:44Z" },
} do
  Quake { code = row[1], magnitude = row[2], place = row[3], time = Date(row[4]) }
end
context:save()

local function show(title, change)
  print(title, change)
  for _, e in ipairs(change.deleted) do print("", "-", e.oldIndex, e.objectID) end
  for _, e in ipairs(change.inserted) do print("", "+", e.index, e.object.code) end
  for _, e in ipairs(change.moved) do print("", e.oldIndex .. " → " .. e.index, e.object.code, e.object.magnitude) end
  for _, e in ipairs(change.updated) do print("", "~", e.index, e.object.code, e.object.place) end
end

-- A list, sorted by magnitude, of no more than four
local quakes = Quake:where("magnitude >= 4.5"):sorted("-magnitude"):limit(4):live()
local token = quakes:onChange(function(change) show("quakes", change) end)
print(quakes, quakes[1].code)

Quake { code = "us5", magnitude = 5.0, place = "Fiji", time = Date "2024-01-24T15:00:00Z" }
context:save { author = "feed" }
Quake:find("us3").magnitude = 7.1
context:save()
store:sql("UPDATE quake SET place = 'Fiji region' WHERE code = 'us5'")
Quake:batchDelete "magnitude > 7"
token:cancel()

-- Sections by day; a day is renamed by its only quake
local byDay = SectionedFetchRequest { entity = Quake, sectionIdentifier = "day", sortDescriptors = { "-time" } }:live()
for section in byDay:each() do print(section.id, #section, section[1].code) end
local _ <close> = byDay:onChange(function(change)
  for _, s in ipairs(change.deletedSections) do print("- section", s.index, s.id) end
  for _, s in ipairs(change.insertedSections) do print("+ section", s.index, s.id) end
  for _, e in ipairs(change.moved) do
    print("moved", e.oldSection .. "." .. e.oldIndex .. " → " .. e.section .. "." .. e.index)
  end
end)
local first = byDay:section "2024-01-22"
for q in first:each() do q.time = q.time + 3 * 86400 end
context:save()
print(#byDay, first.index, byDay[1].id)

-- A text field that filters, a header that sorts
local text = State ""
text:onChange(function(new)
  quakes.predicate = new ~= "" and { "place CONTAINS[cd] %@", new } or nil
end)
text.value = "FIJI"
print(#quakes, quakes[1].place)
text.value = ""
local order = quakes:binding "sortDescriptors"
order.value = { "code" }
print(quakes[1].code, quakes[2].code)

-- A query: live at once, a plain list with its sections beside it
local strong = Query {
  entity = Quake, filter = "magnitude > 4", sort = "magnitude", order = "reverse", sectionBy = "reports.@count",
}
print(#strong, strong[1].code, #strong.sections)
Report { city = "Lima", quake = Quake:find "us4" }
context:save()
for section in strong.sections:each() do print(section.id, #section) end

-- One object, one property
local q = Quake:find "us4"
local _ <close> = q:observe("reports.@count", function(new, old) print("reports", old, "→", new) end)
local _ <close> = Quake:on("insert", function(quake, change) print("new", quake.code, change.cause) end)
Report { city = "Arica", quake = q }
Quake { code = "us6", magnitude = 2.5 }
context:save()
