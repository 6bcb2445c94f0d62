-- Data goes out and comes in as files.

local model = Model {
  City = Entity {
    name = String { optional = false, unique = true },
    population = Int,
    founded = Date,
    note = String,
    country = ToOne "Country" { inverse = "cities" },
    _ = { order = { "name", "population", "founded", "note", "country" } },
  },
  Country = Entity {
    code = String { optional = false, unique = true },
    cities = ToMany "City" { inverse = "country" },
  },
}

local store <close> = open(":memory:", { model = model })
local City, Country = store.entities.City, store.entities.Country

local base = os.tmpname()
local countries, cities, rows, lines = base .. "1.csv", base .. "2.csv", base .. "3.csv", base .. "4.ndjson"

local function write(file, text)
  local handle <close> = assert(io.open(file, "w"))
  handle:write(text)
end

local function read(file)
  local handle <close> = assert(io.open(file))
  return handle:read "a"
end

write(countries, "code\nIT\nJP\n")
import(Country, countries)

-- A column goes to the attribute of its name, to the one that `map` says, to a relationship by the key of its target,
-- or nowhere.
write(cities, [[
city,people,founded,country,comment
Roma,2750000,-0753-04-21,IT,"called ""eternal"", and old"
Kyoto,1460000,0794-10-22,JP,
Osaka,2750000,,JP,second line
]])
import(City, cities, {
  map = { city = "name", people = "population", country = "country.code", comment = "note", founded = false },
})
for city in City:all():sorted("name"):each() do
  print(city.name, city.population, city.country.code, city.note)
end

-- Again with a changed row: `upsert` finds what is there by its key.
write(cities, "name,population\nKyoto,1450000\nNara,360000\n")
import(City, cities, { upsert = "name" })
print("upserted", City:count(), City:find("Kyoto").population, City:find("Kyoto").country.code)

export(Country:all():sorted "code", rows)
io.write(read(rows))
export(Country:all():sorted "code", lines)
io.write(read(lines))

for _, file in ipairs { base, countries, cities, rows, lines } do
  os.remove(file)
end
