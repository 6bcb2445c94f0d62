-- Runs one sequence of steps on a disk that fails once, or for good.
--
--     faults.lua FOLDER KIND ORACLE step step ...
--
-- What is wrong is marked as "WRONG" (see attempts.lua).

local folder, kind, oracle = ...
package.path = (debug.getinfo(1, "S").source:match "^@(.*/)" or "./") .. "?.lua;" .. package.path
local steps, attempts = require "steps", require "attempts"
local states = oracle ~= "-" and dofile(oracle)
local s = { path = folder .. "/store.sqlite", kind = kind, number = 0 }
local collected = {}
local stays = os.getenv("PROOF_FAULT") and os.getenv("PROOF_FAULT"):match "^full"

local ok, store = pcall(steps.open, s.path, kind)
if not ok then
  steps.mark("failed", "s0", 0, (tostring(store):gsub("\n", " ")))
  ok, store = pcall(steps.open, s.path, kind)
  if not ok and not stays then steps.mark("WRONG", "cannot open again:", (tostring(store):gsub("\n", " "))) end
  if not ok then os.exit(0) end
end
s.store = store
local t = { s = s, states = states, stays = stays, mark = steps.mark }
collected[0] = states and "" or steps.rows(store)
for i = 4, select("#", ...) do
  local name = select(i, ...)
  if not attempts.attempt(t, name) and not attempts.recover(t, name) then break end
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
