-- Reads objects through a relationship that was prefetched: perilune STORE related.lua

io.stderr:write "begin\n"
local request = FetchRequest { entity = store.entities.Folder, relationshipKeyPathsForPrefetching = { "items" } }
local sum, count = 0, 0
for folder in request:fetch():each() do
  for item in folder.items:each() do
    sum = sum + item.number
    count = count + 1
  end
end
io.stderr:write(string.format("end sum=%d count=%d\n", sum, count))
local statistics = context.statistics
local statements = statistics.faultStatements + statistics.memberStatements + statistics.countStatements
-- One statement for each 256 objects or owners, whatever the number of relationships read.
assert(statements <= count // 100, "too many statements: " .. statements)
