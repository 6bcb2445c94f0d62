#!/usr/bin/env perilune
-- Makes a store of the flights that left New York City in 2013:
--
--     perilune Examples/flights/import.lua FOLDER STORE
--
-- FOLDER holds the CSV files that ./fetch gets; ./sample is a small part of them.
--
-- `import(Entity, file, options)` reads a file in one transaction. Its `map` says where each column goes:
--
--     dep_time  = "departureTime"                  to an attribute
--     carrier   = "airline.code"                   to a relationship: the Airline whose code is this value
--     tailnum   = { "tailNumber", "plane.tailNumber" }     to several places
--     origin    = "weather.airportCode",           two columns that lead into one relationship name its
--     time_hour = "weather.time"                   object together, by attributes that are unique together
--     year      = false                            nowhere
--
-- A column that `map` does not name goes to the attribute of the same name. `null` is how the file writes nothing;
-- `unresolved = "nil"` leaves a relationship empty where the file names an object that is not in the store,
-- instead of refusing the file.

local folder, path = ...
if not path then
  io.stderr:write("usage: perilune import.lua FOLDER STORE\n")
  os.exit(64)
end

local model = Model {
  Airline = Entity {
    code = String { optional = false, unique = true },
    name = String { optional = false },
    flights = ToMany "Flight" { inverse = "airline" },
    _ = { order = { "code", "name" } },
  },

  Airport = Entity {
    code = String { optional = false, unique = true, minLength = 3, maxLength = 3 },
    name = String { optional = false },
    latitude = Double { min = -90, max = 90 },
    longitude = Double { min = -180, max = 180 },
    altitude = Int,
    timeZone = String,
    departures = ToMany "Flight" { inverse = "origin" },
    arrivals = ToMany "Flight" { inverse = "destination" },
    _ = { order = { "code", "name", "latitude", "longitude", "altitude", "timeZone" } },
  },

  Plane = Entity {
    tailNumber = String { optional = false, unique = true },
    year = Integer16,
    kind = String,
    manufacturer = String { indexed = true },
    model = String,
    engines = Integer16,
    seats = Integer16,
    engine = String,
    flights = ToMany "Flight" { inverse = "plane" },
    _ = { order = { "tailNumber", "year", "kind", "manufacturer", "model", "engines", "seats", "engine" } },
  },

  Weather = Entity {
    airportCode = String { optional = false },
    time = Date { optional = false },
    temperature = Double,
    humidity = Double,
    windSpeed = Double { indexed = true },
    precipitation = Double,
    visibility = Double,
    flights = ToMany "Flight" { inverse = "weather" },
    _ = {
      order = { "airportCode", "time", "temperature", "humidity", "windSpeed", "precipitation", "visibility" },
      unique = { { "airportCode", "time" } },
    },
  },

  Flight = Entity {
    number = Int { optional = false },
    month = Integer16,
    day = Integer16,
    scheduledHour = Date { optional = false, indexed = true },
    scheduledDeparture = Int,
    departureTime = Int,
    departureDelay = Int,
    scheduledArrival = Int,
    arrivalTime = Int,
    arrivalDelay = Int,
    airTime = Int,
    distance = Int,
    tailNumber = String,
    destinationCode = String,
    airline = ToOne "Airline" { inverse = "flights" },
    origin = ToOne "Airport" { inverse = "departures" },
    destination = ToOne "Airport" { inverse = "arrivals" },
    plane = ToOne "Plane" { inverse = "flights" },
    weather = ToOne "Weather" { inverse = "flights" },
    _ = { order = { "number", "month", "day", "scheduledHour", "departureTime", "departureDelay", "arrivalDelay" } },
  },
}

for _, suffix in ipairs { "", "-wal", "-shm" } do
  os.remove(path .. suffix)
end
local store <close> = open(path, { create = true, model = model })
local entities = store.entities

import(entities.Airline, folder .. "/airlines.csv", { map = { carrier = "code" } })

import(entities.Airport, folder .. "/airports.csv", {
  null = "NA",
  map = {
    faa = "code",
    lat = "latitude",
    lon = "longitude",
    alt = "altitude",
    tzone = "timeZone",
    tz = false,
    dst = false,
  },
})

import(entities.Plane, folder .. "/planes.csv", {
  null = "NA",
  map = { tailnum = "tailNumber", type = "kind", speed = false },
})

import(entities.Weather, folder .. "/weather.csv", {
  null = "NA",
  map = {
    origin = "airportCode",
    time_hour = "time",
    temp = "temperature",
    humid = "humidity",
    wind_speed = "windSpeed",
    precip = "precipitation",
    visib = "visibility",
    year = false,
    month = false,
    day = false,
    hour = false,
    dewp = false,
    wind_dir = false,
    wind_gust = false,
    pressure = false,
  },
})

import(entities.Flight, folder .. "/flights.csv", {
  null = "NA",
  unresolved = "nil",
  map = {
    flight = "number",
    carrier = "airline.code",
    tailnum = { "tailNumber", "plane.tailNumber" },
    origin = { "origin.code", "weather.airportCode" },
    dest = { "destinationCode", "destination.code" },
    time_hour = { "scheduledHour", "weather.time" },
    dep_time = "departureTime",
    dep_delay = "departureDelay",
    sched_dep_time = "scheduledDeparture",
    arr_time = "arrivalTime",
    arr_delay = "arrivalDelay",
    sched_arr_time = "scheduledArrival",
    air_time = "airTime",
    year = false,
    hour = false,
    minute = false,
  },
})

for _, name in ipairs { "Airline", "Airport", "Plane", "Weather", "Flight" } do
  print(name, entities[name]:count())
end
