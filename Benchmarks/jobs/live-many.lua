-- Saves one change at a time while many results of 100 rows each are live: perilune STORE live-many.lua SAVES RESULTS

local folder = arg[0]:match "^(.*/)" or "./"
local facts, steps = dofile(folder .. "live-facts.lua"), dofile(folder .. "live-steps.lua")
local saves, count = math.tointeger(tonumber((...))), math.tointeger(tonumber((select(2, ...))))

local rows = Quake:count()
local width = (100 << 32) // rows
local requests, results = {}, {}
local calledAt, calls
for index = 1, count do
  local first, next = ("us%08x"):format(width * (index - 1)), ("us%08x"):format(width * index)
  requests[index] = Quake:where("code >= %@ AND code < %@", first, next):sorted "time"
  results[index] = requests[index]:live()
  results[index]:onChange(function()
    calledAt = calledAt or facts.now()
    calls = calls + 1
  end)
end

-- A quake that one of the results shows.
local function coveredQuake()
  local row = steps.below(rows) + 1
  while row * 2654435761 & 0xffffffff >= width * count do
    row = row % rows + 1
  end
  return Quake:find(steps.code(row))
end

local times = {}
io.stderr:write "begin\n"
for index = 1, saves do
  local quake = coveredQuake()
  quake.time = steps.time()
  calledAt, calls = nil, 0
  local start = facts.now()
  save()
  times[index] = facts.now() - start
  assert(calls == 1, "not just the one observer was told")
end
facts.tellTimes(times)
facts.tellResult(Quake:where "magnitude >= 2")
facts.finish()
for index = 1, count do
  facts.verify(results[index], requests[index])
end
