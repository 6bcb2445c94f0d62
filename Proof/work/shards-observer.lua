-- Follows a store of Citus that other processes write, and tells which readings came.
--
--     shards-observer.lua STORE LOG STOP
--
-- LOG gets the number of each reading that comes into a live result. It ends when the file STOP is there and the result has
-- what a fetch gives, or has not had it for a minute.

local path, log, stop = ...
local store = open(path)
local Reading = store.entities.Reading
local out = assert(io.open(log, "w"))
local found = Reading:where("number > 1000000"):sorted("number"):live()
-- A reading whose node does not answer is written down later.
local waiting = {}

local function write()
  for i = #waiting, 1, -1 do
    local ok, number = pcall(function() return math.tointeger(waiting[i].number) end)
    if not ok then return end
    out:write(number, "\n")
    table.remove(waiting, i)
  end
end

local token = found:onChange(function(change)
  for _, entry in ipairs(change.inserted) do waiting[#waiting + 1] = entry.object end
  for _, entry in ipairs(change.deleted) do out:write("WRONG a reading is gone from place ", entry.oldIndex, "\n") end
  write()
end)
local waited, quiet, before = 0, 0, 0
every(0.25, function()
  local file = io.open(stop)
  if not file then return end
  file:close()
  waited = waited + 1
  write()
  local count = Reading:where("number > 1000000"):count()
  quiet = #found == count and before == count and #waiting == 0 and quiet + 1 or 0
  before = count
  if quiet < 8 and waited < 240 then return end
  if #found ~= count then out:write("WRONG the live result has ", #found, " readings where ", count, " are stored\n") end
  stopLoop()
end)
print "ready"
io.stdout:flush()
runLoop()
token:cancel()
out:close()
store:close()
