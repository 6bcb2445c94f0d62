-- Hears of the commits of another session of a server: perilune ADDRESS postgres-live.lua COMMITS RESULTS PSQL
-- With one result it is a long list in the order of time, in which each commit moves one row; with several, each has
-- the rows of a range of codes, and each commit changes a row of one of them. PSQL is the program, which notes the time
-- right behind each commit, as the server tells it, and rests for some milliseconds.

local facts = dofile((arg[0]:match "^(.*/)" or "./") .. "live-facts.lua")
local commits, count = math.tointeger(tonumber((...))), math.tointeger(tonumber((select(2, ...))))
local psql = select(3, ...)

local rows = Quake:count()
local requests, results, codes = {}, {}, {}
if count == 1 then
  requests[1] = Quake:where("magnitude >= 2"):sorted "time"
else
  local width = (100 << 32) // rows
  for index = 1, count do
    local first, next = ("us%08x"):format(width * (index - 1)), ("us%08x"):format(width * index)
    requests[index] = Quake:where("code >= %@ AND code < %@", first, next):sorted "time"
  end
end
local told = {}
for index, request in ipairs(requests) do
  results[index] = request:live()
  results[index]:onChange(function(change)
    -- Commits that come close together are told together.
    local now = facts.now()
    for _ = 1, #change.inserted + #change.deleted + #change.updated + #change.moved do
      told[#told + 1] = now
    end
    if #told >= commits then
      stopLoop()
    end
  end)
end
local state = 88172645463325252
local function below(limit)
  state = state ~ (state << 13)
  state = state ~ (state >> 7)
  state = state ~ (state << 17)
  return (state >> 11) % limit
end
local chosen = {}
for index = 1, commits do
  local result = results[(index - 1) % count + 1]
  local code
  repeat
    code = result[below(#result) + 1].code
  until not chosen[code]
  chosen[code], codes[index] = true, code
end

local function quoted(text)
  return "'" .. text:gsub("'", [['\'']]) .. "'"
end

local script, stamps = os.tmpname(), os.tmpname()
local file = assert(io.open(script, "w"))
for index, code in ipairs(codes) do
  local time = 1500000000 + below(31536000)
  file:write(("UPDATE quake SET time = to_timestamp(%d.%03d) WHERE code = '%s';\n"):format(time, index % 1000, code))
  file:write "SELECT extract(epoch FROM clock_timestamp());\nSELECT pg_sleep(0.008) \\g /dev/null\n"
end
assert(file:close())

io.stderr:write "begin\n"
local command = "%s -X -q -A -t -d %s -f %s -o %s"
local writer = assert(io.popen(command:format(quoted(psql), quoted(store.path), quoted(script), quoted(stamps))))
runLoop { seconds = 20 + commits / 20 }
assert(#told == commits, ("%d of %d commits were told"):format(#told, commits))
assert(writer:close())

local times, index = {}, 0
for line in io.lines(stamps) do
  index = index + 1
  times[index] = math.max(0, told[index] - tonumber(line))
end
assert(index == commits, "the commits were not all noted")
assert(os.remove(script) and os.remove(stamps))
facts.tellTimes(times)
facts.tell("count", #results[1])
facts.finish()
for place, request in ipairs(requests) do
  facts.verify(results[place], request)
end
