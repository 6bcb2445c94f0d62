-- Fetches and changes objects, then saves them, which is measured: perilune STORE update-save.lua COUNT

local limit = math.tointeger(tonumber(...))

local count = 0
for quake in Quake:all():sorted("code"):limit(limit):fetch():each() do
  quake.depth = quake.depth + 1
  count = count + 1
end
io.stderr:write "begin\n"
save()
io.stderr:write(string.format("end count=%d\n", count))
