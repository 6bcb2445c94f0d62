-- Reads every object once, straight from the store: perilune STORE read.lua

io.stderr:write "begin\n"
local sum, count, find = 0, 0, string.find
for quake in Quake:all():each() do
  sum = sum + quake.magnitude
  if find(quake.place, "CA", 1, true) then
    count = count + 1
  end
end
io.stderr:write(string.format("end sum=%.2f count=%d\n", sum, count))
