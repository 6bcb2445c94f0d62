-- Fetches objects, changes one attribute of each and saves: perilune STORE update.lua COUNT

local limit = math.tointeger(tonumber(...))

io.stderr:write "begin\n"
local count = 0
for quake in Quake:where("id <= %@", limit):fetch():each() do
  quake.depth = quake.depth + 1
  count = count + 1
end
save()
io.stderr:write(string.format("end count=%d\n", count))
