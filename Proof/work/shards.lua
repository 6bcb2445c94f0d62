-- One of several processes that write readings with two tags each to a store of Citus, and tell which were confirmed.
--
--     shards.lua STORE LOG WORKER SECONDS
--
-- LOG gets the number of each reading when its save has returned. Half of the saves have two readings of different tenants,
-- which lie on different nodes: both numbers stand in one line. Most saves also give earlier readings the last number as
-- their value; theirs stand behind "=".

local path, log, worker, seconds = ...
worker = math.tointeger(worker)
math.randomseed(worker, 11)
local store = open(path)
local Reading, Tag = store.entities.Reading, store.entities.Tag
local out = assert(io.open(log, "w"))
-- A confirmed row is not there while the node that was killed in the midst of the commit has not recovered it.
local expected = { busy = true, connection = true, conflict = true, missingRow = true }
local number, refused = worker * 1000000, 0

-- The readings that were confirmed, up to a number of them.
local confirmed = {}

local function add()
  number = number + 1
  local reading = Reading { tenant = math.random(13), number = number, value = 0 }
  for n = 1, 2 do Tag { tenant = reading.tenant, weight = n, reading = reading } end
  return reading
end

local ends = os.time() + math.tointeger(seconds)
while os.time() < ends do
  local line, new
  local ok, problem = pcall(function()
    new = { add() }
    line = tostring(number)
    if math.random() < 0.5 then
      new[2] = add()
      line = line .. " " .. number
    end
    line = line .. " ="
    for _ = 1, math.min(#confirmed, math.random(0, 3)) do
      local earlier = confirmed[math.random(#confirmed)]
      earlier.value = number
      line = line .. " " .. earlier.number
    end
    store.context:save()
  end)
  if ok then
    out:write(line, "\n")
    out:flush()
    for _, reading in ipairs(new) do confirmed[#confirmed % 50 + 1] = reading end
  else
    refused = refused + 1
    pcall(store.context.rollback, store.context)
    local word = type(problem) == "userdata" and problem.kind or "none"
    if not expected[word] then out:write("ERROR ", tostring(word), " ", (tostring(problem):gsub("%s+", " ")), "\n") end
  end
end
out:close()
store:close()
print(number - worker * 1000000, refused)
