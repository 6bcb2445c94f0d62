-- What does not depend on how large a table is, and what grows with it: perilune STORE scale.lua
-- The median of several tries for what is flat. Changes are taken back, so that the store is as it was.

local folder = arg[0]:match "^(.*/)" or "./"
local facts = dofile(folder .. "live-facts.lua")

local rows = Quake:count()

local function code(row)
  return string.format("us%08x", row * 2654435761 & 0xffffffff)
end

-- The seconds of one call; the first is not counted, as it compiles statements and brings pages in.
local function tell(name, tries, call)
  call(0)
  local times = {}
  for try = 1, tries do
    local start = facts.now()
    call(try)
    times[try] = facts.now() - start
  end
  facts.tell(name, facts.median(times))
end

io.stderr:write "begin\n"

-- The memory of the process that is no page of a file.
local most = 0
local function noteMemory()
  for line in io.lines "/proc/self/status" do
    most = math.max(most, 1024 * (tonumber(line:match "^RssAnon:%s+(%d+)") or 0))
  end
end

-- A page in the order of an index, from a key on, at three places.
local byTime = Quake:sorted("time", "code")
tell("middle", 30, function(try)
  local from = 1500000000 + try % 3 * 9e6
  local page = byTime:where("time >= %@", from):limit(100):fetch()
  for quake in page:each() do
    assert(quake.time >= from)
  end
end)

tell("find", 101, function(try)
  assert(Quake:find(code(rows // 103 * (try + 1) + 1)).depth)
end)

-- A live window of the first hundred, and what a save of a row in it takes until the observer is told.
local window, told
tell("window", 11, function()
  window = byTime:limit(100):live()
  assert(#window == 100)
end)
window:onChange(function()
  told = facts.now()
end)
local times = {}
for try = 1, 200 do
  local quake = window[try % 100 + 1]
  quake.depth = quake.depth + (try % 2 == 1 and 1 or -1)
  told = nil
  local start = facts.now()
  save()
  times[#times + 1] = assert(told, "the observer was not told") - start
end
for try = 1, 200 do
  local quake = window[try % 100 + 1]
  quake.depth = quake.depth - (try % 2 == 1 and 1 or -1)
end
save()
facts.tell("kept", facts.median(times))
window:close()

-- What grows with the table.
local function tellOnce(name, call)
  local start = facts.now()
  call()
  facts.tell(name, facts.now() - start)
  noteMemory()
end

noteMemory()

tellOnce("each", function()
  local sum = 0
  for quake in Quake:all():each() do
    sum = sum + quake.magnitude
  end
  noteMemory()
  assert(sum > 0)
end)
tellOnce("counted", function()
  assert(Quake:where("magnitude >= 2 AND place CONTAINS 'CA'"):count() > 0)
end)
tellOnce("grouped", function()
  local groups = Quake:all():groupBy("day", { n = "count", strongest = "max(magnitude)" })
  assert(#groups > 0)
end)
facts.tell("bytes", most)
facts.finish()
