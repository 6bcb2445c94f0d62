-- Moves half of the rows in one commit, without and with a live result: perilune STORE live-rebuild.lua

local facts = dofile((arg[0]:match "^(.*/)" or "./") .. "live-facts.lua")

local function secondsOfMove()
  local start = facts.now()
  store:sql "UPDATE quake SET time = time + 1000 WHERE _pk % 2 = 0"
  return facts.now() - start
end

secondsOfMove() -- fills the page cache
local plain = secondsOfMove()
local request = Quake:where("magnitude >= 2"):sorted "time"
local result, calls = request:live(), 0
result:onChange(function()
  calls = calls + 1
end)

io.stderr:write "begin\n"
local whole = secondsOfMove()
assert(calls == 1, "the observer was not told once")
facts.tell("whole", whole)
facts.tell("plain", plain)
facts.tell("extra", whole - plain)
facts.tellResult(request)
facts.finish()
facts.verify(result, request)
