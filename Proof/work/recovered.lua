-- Opens what is left of stores after crashes, and says what is wrong with them.
--
--     recovered.lua ORACLE, with lines "PATH NAME KIND LEAST MOST DEPTH" on standard input
--
-- After the crash the store must hold what it held after one of the steps LEAST to MOST, all of it and nothing else.
-- With DEPTH 1 the engine must also read what the tables hold, keep live results true, undo, redo and save. Answers
-- each line by "ok STEP" or "WRONG ...".

package.path = (debug.getinfo(1, "S").source:match "^@(.*/)" or "./") .. "?.lua;" .. package.path
local steps = require "steps"
local oracle = dofile((...))

local function expect(condition, ...)
  if not condition then error(table.concat({ ... }, " "), 0) end
end

local function deepCheck(store, kind)
  local e = store.entities
  local live <close> = e.Item:where("n >= 0"):sorted("n", "text"):live()
  local function agree(when)
    local fetched = e.Item:where("n >= 0"):sorted("n", "text"):fetch()
    expect(#live == #fetched and #fetched == store:sql("SELECT count(*) AS n FROM item WHERE n >= 0")[1].n,
      when, "the live result has", tostring(#live), "rows, the fetch", tostring(#fetched))
    for i = 1, #fetched do expect(live[i] == fetched[i], when, "row", tostring(i), "of the live result differs") end
  end
  agree "at first"
  if kind ~= "foreign" then
    local now = steps.rows(store)
    local couldUndo, problem = pcall(store.undoSave, store)
    if couldUndo then
      agree "after undoSave"
      local couldRedo, why = pcall(store.redoSave, store)
      expect(couldRedo, "redoSave after undoSave:", tostring(why))
      expect(steps.rows(store) == now, "undoSave and redoSave lead elsewhere")
      agree "after redoSave"
    else
      expect(problem.kind == "nothingToUndo" or tostring(problem):find "nothing", "undoSave:", tostring(problem))
    end
    local history = store:history()
    for i = 1, #history do expect(#history[i].changes >= 0) end
  end
  e.Box { name = "after the crash", size = 1 }
  e.Item { n = 5, text = "after" }
  store.context:save()
  agree "after a save"
  expect(e.Box:find "after the crash" ~= nil, "the new object is not found")
end

for line in io.lines() do
  local path, name, kind, least, most, depth = line:match "^(%S+) (%S+) (%S+) (%S+) (%S+) (%S+)$"
  -- With DEPTH 2 the oracle has the rows of objects alone, of one sequence: a step that is tried again has another time
  -- in the history.
  local states, found = depth == "2" and oracle or oracle[name], nil
  local ok, problem = pcall(function()
    local store <close> = steps.open(path, kind)
    local check = store:sql "PRAGMA integrity_check"
    expect(check[1].integrity_check == "ok", "integrity_check:", tostring(check[1].integrity_check))
    expect(#store:sql "PRAGMA foreign_key_check" == 0, "foreign_key_check")
    local all = depth == "2" and steps.rows(store) or steps.all(store)
    for k = math.tointeger(most), math.tointeger(least), -1 do
      if states[k] == all then
        found = k
        break
      end
    end
    if not found then
      for k = 0, #states do
        expect(states[k] ~= all, "holds step", k, "which is not one of", least, "to", most)
      end
      error("holds what no step left", 0)
    end
    if depth ~= "0" then deepCheck(store, kind) end
  end)
  print(ok and "ok " .. found or "WRONG " .. tostring(problem):gsub("\n", " "))
  io.stdout:flush()
end
