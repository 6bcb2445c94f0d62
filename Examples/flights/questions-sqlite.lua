-- The ten questions of questions.lua, asked of a file that Perilune did not make:
--
--     Examples/flights/make-sqlite.sh FOLDER plain.sqlite
--     perilune plain.sqlite Examples/flights/questions-sqlite.lua
--
-- Tables became entities (flights: Flights) and foreign keys relationships: `carrier`, `tailnum`, `origin` and `dest`
-- lead to the row they name, `weather` belongs to the two columns origin and time_hour, and the way back is
-- `flights`. Some flights name an airport or a plane that is not there: a key path such as dest.faa sees nil then.

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
for flight in Flights:where("dest.faa != nil"):each() do
  local name = flight.origin.faa .. "-" .. flight.dest.faa
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
local delays = Flights:where("arr_delay != nil"):groupBy("carrier.name", { late = "average(arr_delay)" })
for _, airline in ipairs(top(delays, 5, "late", "carrier.name")) do
  print(airline["carrier.name"], mean(airline.late))
end

print "3. Which planes built before 1975 still fly, and how often?"
for plane in Planes:where("year < %@ AND flights.@count > 0", 1975):sorted("year", "tailnum"):each() do
  print(plane.year, plane.tailnum, #plane.flights)
end

-- Newark once reports a wind of 1048 miles an hour; the sensor was wrong.
print "4. How late were the flights of the windiest hour?"
local windiest = Weather:where("wind_speed < 200 AND flights.@count > 0")
  :sorted("-wind_speed", "origin", "time_hour"):first()
local late = windiest:value "flights.@avg.dep_delay"
print(windiest.origin, windiest.time_hour, mean(windiest.wind_speed), #windiest.flights, mean(late))

print "5. Which airlines fly to Honolulu?"
for airline in Airlines:where("ANY flights.dest.faa == %@", "HNL"):sorted("name"):each() do
  print(airline.name)
end

print "6. On which days were most flights cancelled?"
local cancelled = Flights:where "dep_time == nil"
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
  local flight = Flights:where("dest.faa != nil"):sorted(order, "dest.faa", "origin.faa"):first()
  print(flight.origin.faa, flight.dest.name, flight.distance)
end

print "8. Whose planes cover the most miles?"
local makers = Flights:where("tailnum.tailnum != nil AND air_time != nil")
  :groupBy("tailnum.manufacturer", { miles = "sum(distance)" })
for _, maker in ipairs(top(makers, 5, "miles", "tailnum.manufacturer")) do
  print(maker["tailnum.manufacturer"], maker.miles)
end

print "9. Does rain delay departures?"
print("rain", mean(Flights:where("weather.precip > 0"):average "dep_delay"))
print("dry", mean(Flights:where("weather.precip == 0"):average "dep_delay"))

print "10. Who makes up for a late departure the most often?"
local madeUp = Flights:where("dep_delay >= %@ AND arr_delay <= %@", 15, 0):groupBy("carrier.name", { n = "count" })
for _, airline in ipairs(top(madeUp, 3, "n", "carrier.name")) do
  print(airline["carrier.name"], airline.n)
end
