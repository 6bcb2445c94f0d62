-- A request says which objects, in which order and how many; it asks the store when it is used.

local model = Model {
  Peak = Entity {
    name = String { optional = false, unique = true },
    range = String { optional = false, indexed = true },
    height = Int { optional = false, indexed = true },
    climbed = Date,
    _ = { order = { "name", "range", "height", "climbed" } },
  },
}

local store <close> = open(":memory:", { model = model })
local Peak = store.entities.Peak

for _, row in ipairs {
  { "Everest", "Himalaya", 8849, "1953-05-29T06:00:00Z" },
  { "K2", "Karakoram", 8611, "1954-07-31T12:00:00Z" },
  { "Kangchenjunga", "Himalaya", 8586, "1955-05-25T09:00:00Z" },
  { "Gasherbrum I", "Karakoram", 8080, "1958-07-05T12:00:00Z" },
  { "Annapurna", "Himalaya", 8091, "1950-06-03T08:00:00Z" },
  { "Gangkhar Puensum", "Himalaya", 7570 },
} do
  Peak { name = row[1], range = row[2], height = row[3], climbed = row[4] and Date(row[4]) }
end
store.context:save()

-- Chained, each call a new request
local high = Peak:where("height > %@", 8000):sorted "-height"
for peak in high:each() do
  print(peak.name, peak.height)
end
print("count", high:count(), "first", high:first().name, "second page", high:page(2, 3)[1].name)

-- The same in one piece, as dictionaries
local request = FetchRequest {
  entity = Peak,
  predicate = { "range == %@", "Karakoram" },
  sortDescriptors = { SortDescriptor("height", "reverse") },
  resultType = "dictionaries",
  propertiesToFetch = { "name", "height" },
}
for _, row in ipairs(request:fetch()) do
  print(row.name, row.height)
end

-- Computed in the store
print("sum", Peak:all():sum "height", "highest", Peak:all():max "height")
print("average", string.format("%.1f", Peak:all():average "height"))

local ranges = Peak:all():groupBy("range", { n = "count", highest = "max(height)" })
local byName = {}
for i = 1, #ranges do
  byName[ranges[i].range] = ranges[i]
end
for _, name in ipairs { "Himalaya", "Karakoram" } do
  print(name, byName[name].n, byName[name].highest)
end

-- Nothing sorts first
for peak in Peak:all():sorted("climbed"):limit(2):each() do
  print(peak.name, peak.climbed)
end
