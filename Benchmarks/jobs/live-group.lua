-- Saves one change at a time, to the observer of groups by an attribute: perilune STORE live-group.lua SAVES ATTRIBUTE

local folder = arg[0]:match "^(.*/)" or "./"
local facts, steps = dofile(folder .. "live-facts.lua"), dofile(folder .. "live-steps.lua")
local count, attribute = math.tointeger(tonumber((...))), select(2, ...)

local request =
  Quake:all():grouped(attribute, { n = "count", magnitude = "sum(magnitude)", depth = "average(depth)" })
local groups = request:live()
local calledAt
groups:onChange(function()
  calledAt = facts.now()
end)

local times = {}
local now = facts.now
io.stderr:write "begin\n"
for index = 0, count - 1 do
  -- All kinds of changes but that of the time, which groups know nothing of.
  steps.take(index // 4 * 5 + (index % 4 == 0 and 0 or index % 4 + 1))
  calledAt = nil
  local start = now()
  save()
  times[#times + 1] = assert(calledAt, "the observer was not told of the change") - start
end

facts.tellTimes(times)
local explanation = groups:explain()
assert(explanation.method == "maintained" and explanation.reloads == 0)
facts.tell("held", explanation.byteCount / explanation.groupedRowCount)
facts.tellResult(Quake:where "magnitude >= 2")
facts.finish()

local fresh = request:fetch()
assert(#groups == #fresh)
for index, group in ipairs(fresh) do
  local kept = groups[index]
  for name, value in pairs(group) do
    assert(kept[name] == value, name)
  end
end
