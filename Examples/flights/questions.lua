-- Ten questions about the flights that left New York City in 2013:
--
--     perilune flights.sqlite Examples/flights/questions.lua
--
-- The store is made by import.lua; questions.sql asks the same of plain tables.

local function mean(value)
  return string.format("%.1f", value)
end

-- The first rows by descending `value`; equal ones by `name`.
local function top(rows, limit, value, name)
  local sorted = {}
  for i = 1, #rows do
    sorted[i] = rows[i]
  end
  table.sort(sorted, function(a, b)
    if a[value] ~= b[value] then
      return a[value] > b[value]
    end
    return a[name] < b[name]
  end)
  return table.move(sorted, 1, math.min(limit, #sorted), 1, {})
end

print "1. Which routes are the busiest?"
local routes = {}
for flight in Flight:where("destination != nil"):each() do
  local name = flight.origin.code .. "-" .. flight.destination.code
  local route = routes[name]
  if not route then
    route = { name = name, flights = 0 }
    routes[name], routes[#routes + 1] = route, route
  end
  route.flights = route.flights + 1
end
for _, route in ipairs(top(routes, 5, "flights", "name")) do
  print(route.name, route.flights)
end

print "2. Which airlines arrive the latest?"
local delays = Flight:where("arrivalDelay != nil"):groupBy("airline.name", { late = "average(arrivalDelay)" })
for _, airline in ipairs(top(delays, 5, "late", "airline.name")) do
  print(airline["airline.name"], mean(airline.late))
end

print "3. Which planes built before 1975 still fly, and how often?"
for plane in Plane:where("year < %@ AND flights.@count > 0", 1975):sorted("year", "tailNumber"):each() do
  print(plane.year, plane.tailNumber, #plane.flights)
end

-- Newark once reports a wind of 1048 miles an hour; the sensor was wrong.
print "4. How late were the flights of the windiest hour?"
local windiest = Weather:where("windSpeed < 200 AND flights.@count > 0")
  :sorted("-windSpeed", "airportCode", "time"):first()
local late = windiest:value "flights.@avg.departureDelay"
print(windiest.airportCode, windiest.time, mean(windiest.windSpeed), #windiest.flights, mean(late))

print "5. Which airlines fly to Honolulu?"
for airline in Airline:where("ANY flights.destination.code == %@", "HNL"):sorted("name"):each() do
  print(airline.name)
end

print "6. On which days were most flights cancelled?"
local cancelled = Flight:where "departureTime == nil"
local days = {}
for flight in cancelled:each() do
  local name = string.format("%02d-%02d", flight.month, flight.day)
  if not days[name] then
    days[name] = { name = name, flights = 0 }
    table.insert(days, days[name])
  end
  days[name].flights = days[name].flights + 1
end
print("all", cancelled:count())
for _, day in ipairs(top(days, 3, "flights", "name")) do
  print(day.name, day.flights)
end

print "7. Which known airports are the farthest and the nearest?"
for _, order in ipairs { "-distance", "distance" } do
  local flight = Flight:where("destination != nil"):sorted(order, "destination.code", "origin.code"):first()
  print(flight.origin.code, flight.destination.name, flight.distance)
end

print "8. Whose planes cover the most miles?"
local makers = Flight:where("plane != nil AND airTime != nil")
  :groupBy("plane.manufacturer", { miles = "sum(distance)" })
for _, maker in ipairs(top(makers, 5, "miles", "plane.manufacturer")) do
  print(maker["plane.manufacturer"], maker.miles)
end

print "9. Does rain delay departures?"
print("rain", mean(Flight:where("weather.precipitation > 0"):average "departureDelay"))
print("dry", mean(Flight:where("weather.precipitation == 0"):average "departureDelay"))

print "10. Who makes up for a late departure the most often?"
local madeUp = Flight:where("departureDelay >= %@ AND arrivalDelay <= %@", 15, 0)
  :groupBy("airline.name", { n = "count" })
for _, airline in ipairs(top(madeUp, 3, "n", "airline.name")) do
  print(airline["airline.name"], airline.n)
end
