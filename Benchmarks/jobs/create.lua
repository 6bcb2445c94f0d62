-- Makes objects in Lua and saves them: perilune create.lua COUNT STORE

local count, path = math.tointeger(tonumber((...))), select(2, ...)

local model = Model {
  Quake = Entity {
    magnitude = Double { optional = false, indexed = true },
    place = String { optional = false },
    time = Date { optional = false, indexed = true },
    depth = Double { optional = false },
    code = String { optional = false, unique = true },
    day = String { optional = false },
    _ = { order = { "magnitude", "place", "time", "depth", "code", "day" } },
  },
}

local store = open(path, { create = true, model = model })
local Quake = store.entities.Quake
local places, days = {}, {}
for i = 1, 200 do
  places[i] = i .. "km N of Cobb, CA"
end
for i = 1, 365 do
  days[i] = "day " .. i
end

io.stderr:write "begin\n"
for i = 1, count do
  Quake {
    magnitude = i * 37 % 400 / 100,
    place = places[i % 200 + 1],
    time = Date(1500000000 + i * 7919 % 31536000 + 0.5),
    depth = i % 700 + 0.25,
    code = string.format("us%08x", i * 2654435761 & 0xffffffff),
    day = days[i % 365 + 1],
  }
end
store.context:save()
io.stderr:write(string.format("end count=%d\n", count))
store:close()
