#!/usr/bin/env perilune
-- Makes the sample store: four thousand earthquakes with the stations that recorded them, the networks the stations
-- belong to, and what people reported. The same store each time, made anew:
--
--     perilune Examples/quakes.lua quakes.sqlite

local path = ...
if not path then
  io.stderr:write("usage: perilune quakes.lua FILE\n")
  os.exit(64)
end

local model = Model {
  Network = Entity {
    code = String { optional = false, unique = true, regex = "[A-Z]{2}" },
    name = String { optional = false },
    country = String,
    stations = ToMany "Station" { inverse = "network", deleteRule = "cascade" },
    _ = { order = { "code", "name", "country" } },
  },

  Station = Entity {
    code = String { optional = false, unique = true, minLength = 2, maxLength = 5 },
    name = String { optional = false },
    latitude = Double { optional = false, min = -90, max = 90 },
    longitude = Double { optional = false, min = -180, max = 180 },
    elevation = Int { default = 0 },
    opened = Date,
    active = Bool { optional = false, default = true },
    network = ToOne "Network" { inverse = "stations", optional = false },
    quakes = ToMany "Quake" { inverse = "stations" },
    _ = { order = { "code", "name", "latitude", "longitude", "elevation", "opened", "active" } },
  },

  Quake = Entity {
    code = String { optional = false, unique = true },
    magnitude = Double { optional = false, min = 0, max = 10, default = 0, indexed = true },
    place = String { optional = false, indexed = true },
    time = Date { optional = false, indexed = true },
    depth = Double { min = 0, max = 800 },
    latitude = Double { optional = false, min = -90, max = 90 },
    longitude = Double { optional = false, min = -180, max = 180 },
    status = String { optional = false, default = "automatic", regex = "automatic|reviewed" },
    tsunami = Bool { optional = false, default = false },
    day = Derived { type = String, "day(time)" },
    mainshock = ToOne "Quake" { inverse = "aftershocks" },
    aftershocks = ToMany "Quake" { inverse = "mainshock", deleteRule = "nullify" },
    reports = ToMany "Report" { inverse = "quake", deleteRule = "cascade" },
    stations = ToMany "Station" { inverse = "quakes" },
    _ = {
      order = { "code", "magnitude", "place", "time", "depth", "latitude", "longitude", "status", "tsunami", "day" },
      indexes = { { "status", "time" } },
    },
  },

  Report = Entity {
    text = String { optional = false, minLength = 1 },
    intensity = Integer16 { optional = false, min = 1, max = 12, default = 1 },
    city = String,
    submitted = Date { optional = false, indexed = true },
    quake = ToOne "Quake" { inverse = "reports", optional = false },
    _ = { order = { "text", "intensity", "city", "submitted" } },
  },
}

-- A generator of our own, so that the store is the same under every Lua.
local state = 20240122
local function random()
  state = state * 6364136223846793005 + 1442695040888963407
  return (state >> 11) / (1 << 53)
end
local function pick(list)
  return list[1 + math.floor(random() * #list)]
end
local function rounded(number, digits)
  return tonumber(string.format("%." .. digits .. "f", number))
end

local networks = {
  { "PL", "Perilune Global Network" },
  { "CI", "Southern California Seismic Network", "United States" },
  { "AK", "Alaska Regional Network", "United States" },
  { "JP", "Japan Meteorological Network", "Japan" },
  { "CL", "Red Sismológica de Chile", "Chile" },
  { "GR", "Hellenic Seismic Network", "Greece" },
  { "NZ", "New Zealand GeoNet", "New Zealand" },
  { "IS", "Veðurstofa Íslands", "Iceland" },
}

-- Where earthquakes happen: the town, its country or state, where it lies, how many of a hundred earthquakes are near
-- it, how deep they go, the network whose stations are there, and whether the sea is near.
local regions = {
  { "Ridgecrest", "California", 35.62, -117.67, 13, 15, "CI" },
  { "The Geysers", "California", 38.78, -122.76, 10, 6, "CI" },
  { "Ocotillo Wells", "California", 33.14, -116.13, 7, 14, "CI" },
  { "Anchorage", "Alaska", 61.22, -149.90, 9, 90, "AK", true },
  { "Adak", "Alaska", 51.88, -176.66, 7, 120, "AK", true },
  { "Namie", "Japan", 37.49, 140.99, 8, 70, "JP", true },
  { "Shizunai-furukawachō", "Japan", 42.34, 142.37, 5, 110, "JP", true },
  { "Ōarai", "Japan", 36.31, 140.58, 4, 60, "JP", true },
  { "Iquique", "Chile", -20.21, -70.15, 7, 100, "CL", true },
  { "San Pedro de Atacama", "Chile", -22.91, -68.20, 5, 200, "CL" },
  { "Valparaíso", "Chile", -33.05, -71.61, 4, 60, "CL", true },
  { "Karlóvasion", "Greece", 37.79, 26.70, 4, 20, "GR", true },
  { "Zákynthos", "Greece", 37.79, 20.90, 3, 25, "GR", true },
  { "Kaikōura", "New Zealand", -42.40, 173.68, 4, 40, "NZ", true },
  { "Grindavík", "Iceland", 63.84, -22.43, 5, 10, "IS" },
  { "Lata", "Solomon Islands", -10.73, 165.80, 3, 150, "PL", true },
  { "Suva", "Fiji", -18.14, 178.44, 2, 600, "PL", true },
}

local sayings = {
  "Weak shaking, the lamp swung for a few seconds.",
  "Woke me up. The dog knew before.",
  "Felt like a truck passing the house.",
  "Dishes rattled, nothing broke.",
  "Long rolling motion, \"like on a boat\".",
  "Books fell off the shelf, cracks in the plaster.",
  "We ran outside, the whole street was there.",
  "Did not feel it, my neighbour did.",
  "Fuerte sacudida, se cayó la estantería.",
  "ゆっくりした横揺れが続いた。",
}

for _, suffix in ipairs { "", "-wal", "-shm" } do
  os.remove(path .. suffix)
end
local store <close> = open(path, { create = true, model = model })
local Network, Station = store.entities.Network, store.entities.Station
local Quake, Report = store.entities.Quake, store.entities.Report

local networkOf, stationsOf, allStations = {}, {}, {}
for _, row in ipairs(networks) do
  networkOf[row[1]] = Network { code = row[1], name = row[2], country = row[3] }
  stationsOf[row[1]] = {}
end

local opened = Date "1998-03-01T00:00:00Z"
for index, region in ipairs(regions) do
  local town, _, latitude, longitude, _, _, network = table.unpack(region)
  for number = 1, 3 do
    local station = Station {
      code = string.format("%s%02d%d", network, index, number),
      name = number == 1 and town or string.format("%s %d", town, number),
      latitude = rounded(latitude + random() - 0.5, 4),
      longitude = rounded(longitude + random() - 0.5, 4),
      elevation = math.floor(random() * 1500),
      opened = opened + math.floor(random() * 20 * 365) * 86400,
      active = random() > 0.08,
      network = networkOf[network],
    }
    table.insert(stationsOf[network], station)
    table.insert(allStations, station)
  end
end

local function region()
  local chance = random() * 100
  for _, candidate in ipairs(regions) do
    chance = chance - candidate[5]
    if chance < 0 then
      return candidate
    end
  end
  return regions[1]
end

local directions = { "N", "NE", "E", "SE", "S", "SW", "W", "NW" }
local lastStrong = {} -- of each region, and when its aftershocks end

local function addReports(quake, town)
  local strength = math.max(0, quake.magnitude - 2.4)
  for _ = 1, math.floor(random() * strength * strength * 2) do
    Report {
      quake = quake,
      text = pick(sayings),
      intensity = math.max(1, math.min(12, math.floor(quake.magnitude * 1.5 - 2 - random() * 3))),
      city = random() < 0.85 and town or nil,
      submitted = quake.time + 60 + math.floor(random() * 6 * 3600),
    }
  end
end

local function addStations(quake, network)
  local near, recorded = stationsOf[network], {}
  for _ = 1, math.floor(1 + quake.magnitude) do
    local station = random() < 0.7 and pick(near) or pick(allStations)
    if not recorded[station.code] then
      recorded[station.code] = true
      quake.stations:add(station)
    end
  end
end

local total, step = 4000, 2 * 365 * 86400 / 4000
local time = Date "2023-01-01T00:00:00Z"
for number = 1, total do
  local town, land, latitude, longitude, _, deepest, network, sea = table.unpack(region())
  time = time + rounded(random() * 2 * step, 0)
  -- Each step of magnitude is five times rarer than the one before.
  local magnitude = rounded(math.min(8.2, 2.5 - math.log(1 - random()) / math.log(5)), 1)
  local reviewed = magnitude >= 4 or random() < 0.4

  local mainshock = lastStrong[town]
  if mainshock and (mainshock.ends < time or mainshock.magnitude <= magnitude) then
    mainshock = nil
  end

  local quake = Quake {
    code = "us" .. number,
    magnitude = magnitude,
    place = string.format("%d km %s of %s, %s", 1 + math.floor(random() * 90), pick(directions), town, land),
    time = time,
    depth = reviewed and rounded(random() * random() * deepest, 1) or nil,
    latitude = rounded(latitude + (random() - 0.5) * 1.5, 4),
    longitude = rounded(longitude + (random() - 0.5) * 1.5, 4),
    status = reviewed and "reviewed" or nil,
    tsunami = sea and magnitude >= 6.5 or false,
    mainshock = mainshock and mainshock.quake,
  }
  if magnitude >= 5 and not mainshock then
    lastStrong[town] = { quake = quake, magnitude = magnitude, ends = time + 30 * 86400 }
  end
  addReports(quake, town)
  addStations(quake, network)
end

store.context:save { author = "quakes.lua" }

print(string.format("%s: %d earthquakes, %d reports, %d stations, %d networks", path, Quake:count(), Report:count(),
  Station:count(), Network:count()))
