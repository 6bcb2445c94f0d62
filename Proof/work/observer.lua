-- Follows a store that other processes write, and tells what it was told.
--
--     observer.lua STORE LOG STOP
--
-- LOG gets the transaction of each step in the order in which it was told, and what was wrong: a live result that differs
-- from a fetch, or money that is more or less. It ends when the file STOP is there and nothing has come for a while.

local path, log, stop = ...
local store = open(path, { busyTimeout = 60 })
local Account, Step = store.entities.Account, store.entities.Step
local out = assert(io.open(log, "w"))
local accounts = Account:sorted("key"):live()
local totals = Account:all():aggregate({ total = "sum(balance)" }):live()
local steps = Step:where("writer > 0"):live()
local total, told, quiet = totals[1].total, 0, 0

local token = Step:on("insert", function(step)
  told, quiet = told + 1, 0
  out:write("step ", step.transaction, "\n")
end)
-- Results move from commit to commit: the sum is never of a moment between.
local other = totals:onChange(function()
  quiet = 0
  if totals[1].total ~= total then out:write("WRONG the live sum is ", totals[1].total, "\n") end
end)
local third = accounts:onChange(function()
  quiet = 0
  if Account:all():sum "balance" ~= total then out:write("WRONG the sum is not ", total, "\n") end
end)
every(0.1, function()
  quiet = quiet + 1
  local file = io.open(stop)
  if not file then return end
  file:close()
  if quiet < 10 then return end
  if #steps ~= Step:count() then out:write("WRONG the live result has ", #steps, " steps\n") end
  local fetched = Account:sorted("key"):fetch()
  for i = 1, #fetched do
    if accounts[i].balance ~= fetched[i].balance then out:write("WRONG account ", i, " differs\n") end
  end
  stopLoop()
end)
print "ready"
io.stdout:flush()
runLoop()
token:cancel()
other:cancel()
third:cancel()
out:close()
store:close()
