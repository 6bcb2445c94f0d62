-- Saves many changes at once, without and with a live result in turn, as the cache grows warmer with each save:
-- perilune STORE live-batch.lua SAVES CHANGES

local folder = arg[0]:match "^(.*/)" or "./"
local facts, steps = dofile(folder .. "live-facts.lua"), dofile(folder .. "live-steps.lua")
local saves, changes = math.tointeger(tonumber((...))), math.tointeger(tonumber((select(2, ...))))

local step = 0
local function secondsOfSave()
  for _ = 1, changes do
    steps.take(step)
    step = step + 1
  end
  local start = facts.now()
  save()
  return facts.now() - start
end

local request = Quake:where("magnitude >= 2"):sorted "time"
local result
local plain, times, differences = {}, {}, {}

io.stderr:write "begin\n"
for index = 1, saves do
  if result then
    result:close()
  end
  plain[index] = secondsOfSave()
  result = request:live()
  local calls = 0
  result:onChange(function()
    calls = calls + 1
  end)
  times[index] = secondsOfSave()
  assert(calls == 1, "the observer was not told once")
  differences[index] = (times[index] - plain[index]) / changes
end
facts.tellTimes(times)
facts.tell("plain", facts.median(plain))
facts.tell("extra", facts.median(differences))
facts.tellResult(request)
facts.finish()
facts.verify(result, request)
