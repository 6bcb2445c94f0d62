-- Runs one sequence of steps on a disk that fails once, or for good.
--
--     faults.lua FOLDER KIND ORACLE step step ...
--
-- A step that fails must have left the store as it was before it or as it would be after it, with a context that can
-- be rolled back, read and saved; then it is tried once more, and has to succeed unless the disk stays full. What is
-- wrong is marked as "WRONG".

local folder, kind, oracle = ...
package.path = (debug.getinfo(1, "S").source:match "^@(.*/)" or "./") .. "?.lua;" .. package.path
local steps = require "steps"
local states = oracle ~= "-" and dofile(oracle)
local s = { path = folder .. "/store.sqlite", kind = kind, number = 0 }
local collected = {}
local stays = os.getenv("PROOF_FAULT") and os.getenv("PROOF_FAULT"):match "^full"

local function wrong(...) steps.mark("WRONG", table.concat({ ... }, " ")) end

-- Where the store is now: before or after step k, or nil.
local function place(k)
  local ok, rows = pcall(steps.rows, s.store)
  if not ok then return nil, rows end
  if rows == states[k] then return k end
  if rows == states[k - 1] then return k - 1 end
  return nil, "holds what neither " .. k - 1 .. " nor " .. k .. " left"
end

local function attempt(name)
  s.number = s.number + 1
  local k = s.number
  steps.mark("try", "s0", k)
  os.getenv "PROOF_MEMORY on"
  local ok, problem = pcall(steps.steps[name], s)
  os.getenv "PROOF_MEMORY off"
  if ok then
    if states and steps.rows(s.store) ~= states[k] then
      -- undo and redo answer a failure quietly, as steps.lua wants their refusals.
      if name ~= "undo" and name ~= "redo" then wrong(name, "succeeds but leads elsewhere") end
      return false
    end
    steps.mark("done", "s0", k)
    return true
  end
  steps.mark("failed", "s0", k, (tostring(problem):gsub("\n", " ")))
  return false
end

local function recover(name)
  local k = s.number
  -- `reopen` and `migrate` close the store first.
  if not pcall(function() return s.store:sql "SELECT 1" end) then
    local ok, store = pcall(steps.open, s.path, kind)
    if not ok then
      if not stays then wrong(name, "cannot open again:", (tostring(store):gsub("\n", " "))) end
      return false
    end
    s.store = store
  end
  local ok, problem = pcall(s.store.context.rollback, s.store.context)
  if not ok then wrong("rollback fails:", tostring(problem)) end
  local where, why = place(k)
  if not where then
    wrong(name, "failed, and the store", tostring(why))
    return false
  end
  if stays then return false end
  if where == k then
    steps.mark("done", "s0", k)
    return true
  end
  s.number = k - 1
  if name == "undo" or name == "redo" then return false end
  if not attempt(name) then
    wrong(name, "fails a second time")
    return false
  end
  return true
end

local ok, store = pcall(steps.open, s.path, kind)
if not ok then
  steps.mark("failed", "s0", 0, (tostring(store):gsub("\n", " ")))
  ok, store = pcall(steps.open, s.path, kind)
  if not ok and not stays then wrong("cannot open again:", (tostring(store):gsub("\n", " "))) end
  if not ok then os.exit(0) end
end
s.store = store
collected[0] = states and "" or steps.rows(store)
for i = 4, select("#", ...) do
  local name = select(i, ...)
  if not attempt(name) and not recover(name) then break end
  if not states then collected[s.number] = steps.rows(s.store) end
end
pcall(s.store.close, s.store)
if not states then
  -- A run without faults says what is right.
  local out = assert(io.open(folder .. "/oracle.lua", "w"))
  out:write "return { "
  for k = 0, #collected do out:write(string.format("[%d] = %q,\n", k, collected[k])) end
  out:write "}\n"
  out:close()
end
