-- Runs sequences of steps, each on a store of its own, and keeps what each store held after each step.
--
--     sequences.lua FOLDER ORACLE, with lines "NAME KIND step step ..." on standard input
--
-- The stores are FOLDER/NAME/store.sqlite and there already. ORACLE becomes a chunk of Lua: what[NAME][k].

local folder, oracle = ...
package.path = (debug.getinfo(1, "S").source:match "^@(.*/)" or "./") .. "?.lua;" .. package.path
local steps = require "steps"

local out = assert(io.open(oracle, "w"))
out:write "return {\n"
for line in io.lines() do
  local name, kind, list = line:match "^(%S+) (%S+) (.*)$"
  local s = { path = folder .. "/" .. name .. "/store.sqlite", kind = kind, number = 0 }
  steps.mark("begin", name)
  s.store = steps.open(s.path, kind)
  out:write(string.format("[%q] = { [0] = %q,\n", name, steps.all(s.store)))
  for step in list:gmatch "%S+" do
    local k = s.number + 1
    steps.mark("try", name, k)
    steps.run(s, step)
    steps.mark("done", name, k)
    out:write(string.format("  %q,\n", steps.all(s.store)))
  end
  out:write "},\n"
  s.store:close()
  steps.mark("end", name)
end
out:write "}\n"
out:close()
