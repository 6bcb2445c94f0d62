-- Imports a CSV file into a new store with indexes and a unique attribute: perilune import.lua TABLE.csv STORE

local file, path = ...

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

local store <close> = open(path, { create = true, model = model })
import(store.entities.Quake, file, { map = { id = false } })
