-- Makes the store of the live jobs, each twenty quakes at a station: perilune live-store.lua TABLE.csv STORE [history];
-- STORE may be a server's database.

local table_file, path, history = ...

local model = Model {
  Quake = Entity {
    magnitude = Double { optional = false, indexed = true },
    place = String { optional = false },
    time = Date { optional = false, indexed = true },
    depth = Double { optional = false },
    code = String { optional = false, unique = true },
    day = String { optional = false },
    station = ToOne "Station" { inverse = "quakes" },
    _ = { order = { "magnitude", "place", "time", "depth", "code", "day", "station" } },
  },
  Station = Entity { name = String { optional = false }, quakes = ToMany "Quake" { inverse = "station" } },
}

local store <close> = open(path, { create = true, model = model })
import(store.entities.Quake, table_file, { map = { id = false } })
local stations = store.entities.Quake:count() // 20
store:sql(
  [[INSERT INTO station (_pk, name)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
    SELECT i, substr('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 1 + i % 26, 1) || ' station ' || i FROM n]],
  stations
)
store:sql("UPDATE quake SET station_pk = 1 + _pk % ?", stations)
store:sql "ANALYZE"
store:close()

if history then
  open(path, { history = true }):close()
end
