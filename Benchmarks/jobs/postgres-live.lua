-- Hears of the commits of another session of a server: perilune ADDRESS postgres-live.lua COMMITS KIND PSQL
-- KIND is `window` for the newest rows of stations with some names, where each commit brings a row to the top; `list`
-- for a long list in the order of time, in which each commit moves one row; or `many` for 1,000 results with the rows
-- of a range of codes each, of which one has the row that is changed. PSQL is the program, which notes the time right
-- behind each commit, as the server tells it, and rests for some milliseconds.

local facts = dofile((arg[0]:match "^(.*/)" or "./") .. "live-facts.lua")
local commits, kind, psql = math.tointeger(tonumber((...))), select(2, ...)

local requests, results = {}, {}
if kind == "window" then
  requests[1] = Quake:where("magnitude >= 2 AND station.name >= 'C'"):sorted("-time"):limit(200)
elseif kind == "list" then
  requests[1] = Quake:where("magnitude >= 2"):sorted "time"
else
  local width = (100 << 32) // Quake:count()
  for index = 1, 1000 do
    local first, next = ("us%08x"):format(width * (index - 1)), ("us%08x"):format(width * index)
    requests[index] = Quake:where("code >= %@ AND code < %@", first, next):sorted "time"
  end
end

-- The commits by the row that they change, and when each was told.
local numbers, told, count = {}, {}, 0
for index, request in ipairs(requests) do
  results[index] = request:live()
  results[index]:onChange(function(change)
    local now = facts.now()
    -- Commits that come close together are told together.
    for _, list in ipairs { change.inserted, change.updated, change.moved } do
      for _, entry in ipairs(list) do
        local number = numbers[tostring(entry.objectID)]
        if number and not told[number] then
          told[number], count = now, count + 1
        end
      end
    end
    if count == commits then
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

-- The rows that are changed: of the lists, or for the window such as are too old for it.
local chosen
if kind == "window" then
  chosen = Quake:where("magnitude >= 2 AND station.name >= 'C'"):sorted("time"):limit(commits * 50):fetch()
end
local codes, former = {}, {}
for index = 1, commits do
  local result = chosen or results[(index - 1) % #results + 1]
  local object
  repeat
    object = result[below(#result) + 1]
  until not numbers[tostring(object.objectID)]
  numbers[tostring(object.objectID)], codes[index], former[index] = index, object.code, object.time - Date(0)
end

local function quoted(text)
  return "'" .. text:gsub("'", [['\'']]) .. "'"
end

local newest = math.ceil(Quake:max "time" - Date(0))
local script, stamps = os.tmpname(), os.tmpname()
local file = assert(io.open(script, "w"))
for index, code in ipairs(codes) do
  local time = kind == "window" and newest + index or 1500000000 + below(31536000)
  -- What leaves a row as it was is no change, and told to nobody.
  if math.abs(time + index % 1000 / 1000 - former[index]) < 0.5 then
    time = time + 1
  end
  file:write(("UPDATE quake SET time = to_timestamp(%d.%03d) WHERE code = '%s';\n"):format(time, index % 1000, code))
  file:write "SELECT extract(epoch FROM clock_timestamp());\nSELECT pg_sleep(0.008) \\g /dev/null\n"
end
assert(file:close())

local function noted()
  local times = {}
  for line in io.lines(stamps) do
    times[#times + 1] = tonumber(line)
  end
  return times
end

io.stderr:write "begin\n"
local command = "%s -X -q -A -t -d %s -f %s -o %s"
local writer = assert(io.popen(command:format(quoted(psql), quoted(store.path), quoted(script), quoted(stamps))))
-- On a busy machine the writer takes its time: all that it has made must be told, and no more is asked for.
local made
repeat
  made = #noted()
  runLoop { seconds = 10 }
until count == commits or #noted() == made
if count < commits then
  error(("%d of %d commits were told, %d were made"):format(count, commits, #noted()))
end
assert(writer:close())

local times = {}
for index, time in ipairs(noted()) do
  times[index] = math.max(0, told[index] - time)
end
assert(#times == commits, "the commits were not all noted")
assert(os.remove(script) and os.remove(stamps))
facts.tellTimes(times)
facts.tell("count", #results[1])
facts.finish()
for place, request in ipairs(requests) do
  facts.verify(results[place], request)
end
