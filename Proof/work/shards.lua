-- One of several processes that write readings with two tags each to a store of Citus, and tell which were confirmed.
--
--     shards.lua STORE LOG WORKER SECONDS
--
-- LOG gets the number of each reading when its save has returned. Half of the saves have two readings of different tenants,
-- which lie on different nodes: both numbers stand in one line.

local path, log, worker, seconds = ...
worker = math.tointeger(worker)
math.randomseed(worker, 11)
local store = open(path)
local Reading, Tag = store.entities.Reading, store.entities.Tag
local out = assert(io.open(log, "w"))
local expected = { busy = true, connection = true, conflict = true }
local number, refused = worker * 1000000, 0

local function add()
  number = number + 1
  local reading = Reading { tenant = math.random(13), number = number }
  for n = 1, 2 do Tag { tenant = reading.tenant, weight = n, reading = reading } end
  return number
end

local ends = os.time() + math.tointeger(seconds)
while os.time() < ends do
  local line
  local ok, problem = pcall(function()
    line = tostring(add())
    if math.random() < 0.5 then line = line .. " " .. add() end
    store.context:save()
  end)
  if ok then
    out:write(line, "\n")
    out:flush()
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
