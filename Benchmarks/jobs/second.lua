-- Reads objects that were fetched and read before: perilune STORE second.lua

local find = string.find

local function pass(quakes)
  local sum, count = 0, 0
  for quake in quakes:each() do
    sum = sum + quake.magnitude
    if find(quake.place, "CA", 1, true) then
      count = count + 1
    end
  end
  return sum, count
end

local quakes = Quake:all():fetch()
pass(quakes)
io.stderr:write "begin\n"
local sum, count = pass(quakes)
io.stderr:write(string.format("end sum=%.2f count=%d\n", sum, count))
