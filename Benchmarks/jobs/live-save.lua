-- Saves one change at a time: from before the save to the observer: perilune STORE live-save.lua SAVES [section]

local folder = arg[0]:match "^(.*/)" or "./"
local facts, steps = dofile(folder .. "live-facts.lua"), dofile(folder .. "live-steps.lua")
local count, mode = math.tointeger(tonumber((...))), select(2, ...)

local request = Quake:where("magnitude >= 2"):sorted "time"
local watched = request
if mode == "section" then
  watched = SectionedFetchRequest {
    entity = Quake,
    predicate = "magnitude >= 2",
    sectionIdentifier = "day(time)",
    sortDescriptors = { "time" },
  }
end

local calledAt
local result = watched:live()
result:onChange(function()
  calledAt = facts.now()
end)

local times, timesOfKind = {}, {}
for _, kind in ipairs(steps.kinds) do
  timesOfKind[kind] = {}
end

local now = facts.now
io.stderr:write "begin\n"
for index = 0, count - 1 do
  local kind = steps.take(index)
  calledAt = nil
  local start = now()
  save()
  local seconds = assert(calledAt, "the observer was not told of the change") - start
  times[#times + 1] = seconds
  table.insert(timesOfKind[kind], seconds)
end

facts.tellTimes(times)
for _, kind in ipairs(steps.kinds) do
  facts.tell(kind, facts.median(timesOfKind[kind]))
end
facts.tellResult(request)
facts.finish()

local shown = result
if mode == "section" then
  shown = {}
  for section = 1, #result do
    for row = 1, #result[section] do
      shown[#shown + 1] = result[section][row]
    end
  end
end
facts.verify(shown, request)
