-- Changes what a result's condition looks at through a relationship: the names of stations, each of which has twenty
-- quakes that come or leave: perilune STORE live-related.lua SAVES

local folder = arg[0]:match "^(.*/)" or "./"
local facts, steps = dofile(folder .. "live-facts.lua"), dofile(folder .. "live-steps.lua")
local count = math.tointeger(tonumber((...)))

local Station = store.entities.Station
local stations = Station:count()
local request = Quake:where("station.name >= 'N'"):sorted "time"
local calledAt
local result = request:live()
result:onChange(function()
  calledAt = facts.now()
end)

local times = {}
io.stderr:write "begin\n"
for index = 1, count do
  local station = Station:find(steps.below(stations) + 1)
  station.name = (station.name >= "N" and "B" or "S") .. station.name:sub(2)
  calledAt = nil
  local start = facts.now()
  save()
  times[index] = assert(calledAt, "the observer was not told of the name") - start
end
facts.tellTimes(times)
facts.tell("count", #result)
facts.finish()
facts.verify(result, request)
