-- Hears of the commits of another process, which is no Perilune: perilune STORE live-cross.lua COMMITS PROGRAM
-- PROGRAM is Benchmarks/build/live. It changes a row that the result shows in each commit, never one twice, and keeps
-- the time of each commit; the observer counts rows, so that commits may be told together.

local facts = dofile((arg[0]:match "^(.*/)" or "./") .. "live-facts.lua")
local count, program = math.tointeger(tonumber((...))), select(2, ...)

local function quoted(text)
  return "'" .. text:gsub("'", [['\'']]) .. "'"
end

local request = Quake:where("magnitude >= 2"):sorted "time"
local result, told = request:live(), {}
result:onChange(function(change)
  local now = facts.now()
  for _ = 1, #change.inserted + #change.deleted + #change.updated + #change.moved do
    told[#told + 1] = now
  end
  if #told >= count then
    stopLoop()
  end
end)

io.stderr:write "begin\n"
local stamps = store.path .. ".stamps"
local command = ("%s write %s %d %s"):format(quoted(program), quoted(store.path), count, quoted(stamps))
local writer = assert(io.popen(command))
runLoop { seconds = 10 + count / 100 }
assert(#told == count, ("%d of %d commits were told"):format(#told, count))
assert(writer:close())

local file <close> = assert(io.open(stamps, "rb"))
local text, times = file:read "a", {}
for index = 1, count do
  local stamp = string.unpack("d", text, index * 8 - 7)
  times[index] = math.max(0, told[index] - stamp)
end
assert(os.remove(stamps))
facts.tellTimes(times)
facts.tell("count", #result)
facts.finish()
facts.verify(result, request)
