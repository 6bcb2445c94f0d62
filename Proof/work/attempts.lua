-- Steps on a store during which something fails, and what must be true of it then.
--
-- A step that fails must have left the store as it was before it or as it would be after it, with a context that can
-- be rolled back, read and saved; then it is tried once more, and has to succeed unless what failed stays so.

local steps = require "steps"

local M = {}

-- Where the store is now: before or after step k, or nil.
local function place(t, k)
  local ok, rows = pcall(steps.rows, t.s.store)
  if not ok then return nil, rows end
  if rows == t.states[k] then return k end
  if rows == t.states[k - 1] then return k - 1 end
  return nil, "holds what neither " .. k - 1 .. " nor " .. k .. " left"
end

local function wrong(t, ...) t.mark("WRONG", table.concat({ ... }, " ")) end

-- `t` has the session `s`, the rows after each step as `states` (none in a run that is to find them), whether the failure
-- `stays`, and `mark`, which is told what happens. Returns whether the step succeeded and led where it should.
function M.attempt(t, name)
  local s = t.s
  s.number = s.number + 1
  local k = s.number
  t.mark("try", "s0", k)
  os.getenv "PROOF_MEMORY on"
  local ok, problem = pcall(steps.steps[name], s)
  os.getenv "PROOF_MEMORY off"
  if ok then
    if t.states and steps.rows(s.store) ~= t.states[k] then
      -- undo and redo answer a failure quietly, as steps.lua wants their refusals.
      if name ~= "undo" and name ~= "redo" then wrong(t, name, "succeeds but leads elsewhere") end
      return false
    end
    t.mark("done", "s0", k)
    return true
  end
  t.mark("failed", "s0", k, (tostring(problem):gsub("\n", " ")))
  return false
end

-- After an attempt that returned false; returns whether the session can go on with the next step.
function M.recover(t, name)
  local s = t.s
  local k = s.number
  -- `reopen` and `migrate` close the store first.
  if not pcall(function() return s.store:sql "SELECT 1" end) then
    local ok, store = pcall(steps.open, s.path, s.kind)
    if not ok then
      if not t.stays then wrong(t, name, "cannot open again:", (tostring(store):gsub("\n", " "))) end
      return false
    end
    s.store = store
  end
  local ok, problem = pcall(s.store.context.rollback, s.store.context)
  if not ok then wrong(t, "rollback fails:", tostring(problem)) end
  local where, why = place(t, k)
  if not where then
    wrong(t, name, "failed, and the store", tostring(why))
    return false
  end
  if t.stays then return false end
  if where == k then
    t.mark("done", "s0", k)
    return true
  end
  s.number = k - 1
  if name == "undo" or name == "redo" then return false end
  if not M.attempt(t, name) then
    wrong(t, name, "fails a second time")
    return false
  end
  return true
end

return M
