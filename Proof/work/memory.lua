-- Lets SQLite's allocations in the steps of a session fail, each in turn.
--
--     memory.lua STORE KIND step step ..., with lines "K N" on standard input: the N-th allocation of the K-th step fails
--
-- STORE is there already. First it answers by a line with the number of allocations of each step, then each line by "ok" or
-- "WRONG ...". Each step runs on the file that the one before it left.

local first, kind = ...
package.path = (debug.getinfo(1, "S").source:match "^@(.*/)" or "./") .. "?.lua;" .. package.path
local steps, attempts = require "steps", require "attempts"
local names = { select(3, ...) }
local path, sessions = nil, 0

local function read(name)
  local file <close> = assert(io.open(name, "rb"))
  return file:read "a"
end

-- Removes the file of the session before, with what lies beside it.
local function clear()
  if not path then return end
  for _, suffix in ipairs { "", "-wal", "-shm", "-journal" } do os.remove(path .. suffix) end
end

-- A session whose next step is the K-th, on the file that it begins with. Each has a file of another name: where SQLite has
-- one open still, it is not to be written.
local function session(k, content)
  clear()
  sessions = sessions + 1
  path = first .. "." .. sessions
  local file = assert(io.open(path, "wb"))
  file:write(content)
  file:close()
  return { path = path, kind = kind, number = k - 1, store = steps.open(path, kind) }
end

local function allocations() return math.tointeger(os.getenv "PROOF_MEMORY count") end

-- What each step begins with, the rows after each, and how many allocations it takes.
local contents, states, counts = { read(first) }, {}, {}
for k, name in ipairs(names) do
  local s = session(k, contents[k])
  local before = steps.rows(s.store)
  assert(k == 1 or before == states[k - 1], "the file does not hold what the step before left")
  states[k - 1] = before
  os.getenv "PROOF_MEMORY fail 0"
  local function mark(word, _, _, problem) if word == "failed" then error(name .. " fails by itself: " .. problem) end end
  attempts.attempt({ s = s, mark = mark }, name)
  counts[k] = allocations()
  states[k] = steps.rows(s.store)
  if kind ~= "foreign" then s.store:sql "PRAGMA wal_checkpoint(TRUNCATE)" end
  s.store:close()
  contents[k + 1] = read(path)
end
clear()
print(table.concat(counts, " "))
io.stdout:flush()

for line in io.lines() do
  local k, n = line:match "^(%d+) (%d+)$"
  k = math.tointeger(k)
  local problem
  local t = {
    states = states,
    mark = function(word, text) problem = problem or word == "WRONG" and text end,
  }
  local ok, message = pcall(function()
    t.s = session(k, contents[k])
    os.getenv("PROOF_MEMORY fail " .. n)
    local goesOn = attempts.attempt(t, names[k]) or attempts.recover(t, names[k])
    os.getenv "PROOF_MEMORY fail 0"
    t.s.store:close()
    local store <close> = steps.open(path, kind)
    local rows, check = steps.rows(store), store:sql("PRAGMA integrity_check")[1].integrity_check
    if check ~= "ok" then error(check, 0) end
    if #store:sql "PRAGMA foreign_key_check" ~= 0 then error("foreign_key_check", 0) end
    -- An undo that was refused may leave all as it was.
    if rows ~= states[k] and (goesOn or rows ~= states[k - 1]) then error("the file holds what no step left", 0) end
    store.entities.Box { name = "after all", size = 1 }
    store.context:save()
  end)
  if not ok then problem = problem or tostring(message) end
  print(problem and "WRONG " .. problem:gsub("\n", " ") or "ok")
  io.stdout:flush()
end
