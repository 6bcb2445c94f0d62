-- Holds a hundred live results on a store that itself and two other processes change, and says at checkpoints what it holds.
--
--     load.lua STORE SECONDS CHECKPOINTS
--
-- At each checkpoint every live result must be what a fetch gives. Prints a line for each: changes told, kB of memory that
-- is not of files, descriptors, objects in the context, and what is wrong.

local path, seconds, checkpoints = ...
seconds, checkpoints = tonumber(seconds), math.tointeger(checkpoints)
local store = open(path, { busyTimeout = 60 })
use(store)
local Quake, Report, Station = store.entities.Quake, store.entities.Report, store.entities.Station
local lives, requests, told = {}, {}, 0

local function add(request)
  requests[#requests + 1] = request
  lives[#lives + 1] = request:live()
  lives[#lives]:onChange(function() told = told + 1 end)
end

for i = 1, 40 do add(Quake:where("magnitude >= %@ AND magnitude < %@", 2 + i / 10, 3 + i / 10):sorted("-magnitude", "code")) end
for i = 1, 20 do add(Quake:where("place CONTAINS %@", ({ "Chile", "Japan", "Alaska", "Fiji" })[i % 4 + 1]):sorted("time", "code"):limit(i)) end
for i = 1, 20 do add(Report:where("intensity >= %@ AND quake.magnitude > 3", i % 8 + 1):sorted("-submitted", "text")) end
for i = 1, 10 do add(Quake:where("ANY reports.intensity >= %@", i):sorted("code")) end
for i = 1, 10 do add(Station:where("quakes.@count > %@", i * 3):sorted("code")) end

local function memory()
  local file <close> = assert(io.open "/proc/self/status")
  return math.tointeger(tonumber(file:read("a"):match "RssAnon:%s+(%d+)"))
end

local function handles()
  local count = 0
  for fd = 0, 400 do
    local file = io.open("/proc/self/fdinfo/" .. fd)
    if file then
      count = count + 1
      file:close()
    end
  end
  return count
end

local number = 0
local isPaused
local function change()
  if isPaused then return end
  for _ = 1, 5 do
    number = number + 1
    local chance = number % 10
    local q = Quake:find("us" .. number % 300 + 1)
    if chance < 6 and q then
      q.magnitude = 2 + number * 7 % 60 / 10
    elseif chance == 6 then
      Quake {
      code = "load" .. number, magnitude = number % 70 / 10, place = "1 km N of Suva, Fiji", time = Date(number),
      latitude = 0, longitude = 0,
    }
    elseif chance == 7 then
      local old = Quake:where("code BEGINSWITH 'load'"):first()
      if old then old:delete() end
    elseif q then
      Report { text = "load", intensity = number % 12 + 1, submitted = Date(number), quake = q }
    else
      local report = Report:where "text == 'load'":first()
      if report then report:delete() end
    end
  end
  if not pcall(save) then rollback() end
end

local done = 0
local pause = path .. ".pause"
local function checkpoint()
  local wrong = 0
  for i, live in ipairs(lives) do
    local fetched = requests[i]:fetch()
    local same = #fetched == #live
    for place = 1, same and #fetched or 0 do same = same and fetched[place] == live[place] end
    if not same then
      wrong = wrong + 1
      io.stderr:write("live result ", i, " has ", #live, " objects, the fetch ", #fetched, "\n")
      for place = 1, math.min(#live, #fetched) do
        if fetched[place] ~= live[place] then
          io.stderr:write("  place ", place, ": ", tostring(live[place]), " for ", tostring(fetched[place]), "\n")
          break
        end
      end
    end
  end
  os.remove(pause)
  isPaused = false
  collectgarbage()
  collectgarbage()
  done = done + 1
  print(done, told, memory(), handles(), Quake:count() + Report:count(), number, wrong)
  io.stdout:flush()
  if done == checkpoints then stopLoop() end
end
every(0.01, change)
-- Results follow other processes when the loop looks: these pause, and it has looked, before results are compared.
every(seconds / checkpoints, function()
  if isPaused then return end
  assert(io.open(pause, "w")):close()
  isPaused = true
  after(0.6, checkpoint)
end)
runLoop()
store:close()
