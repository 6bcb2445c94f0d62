-- Opens a live result of half of the store: perilune STORE live-open.lua [memory]
-- For the memory the page cache is filled first, so that what is counted is the result.

local facts = dofile((arg[0]:match "^(.*/)" or "./") .. "live-facts.lua")

if ... == "memory" then
  store:sql "SELECT sum(magnitude + time) FROM quake NOT INDEXED"
  collectgarbage()
end

local request = Quake:where("magnitude >= 2"):sorted "time"
io.stderr:write "begin\n"
local before, start = facts.residentBytes(), facts.now()
local result = request:live()
local count = #result
facts.tell("load", facts.now() - start)
facts.tell("bytes", (facts.residentBytes() - before) / count)
facts.tellResult(request)
facts.finish()
facts.verify(result, request)
