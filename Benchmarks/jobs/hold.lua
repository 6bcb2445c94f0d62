-- Keeps every object and tells the memory of each: perilune STORE hold.lua [faults]
-- What is counted is the process's own memory: pages of the file come and go.

local faults = ... == "faults"
local find = string.find

local function residentBytes()
  local file <close> = assert(io.open "/proc/self/statm")
  local _, pages, filePages = file:read("n", "n", "n")
  return (pages - filePages) * 4096
end

for quake in Quake:all():each() do
  assert(quake.magnitude)
end
collectgarbage()

io.stderr:write "begin\n"
local before = residentBytes()
local held, sum, count = {}, 0, 0
local quakes = FetchRequest({ entity = Quake, returnsObjectsAsFaults = faults }):fetch()
for index = 1, #quakes do
  local quake = quakes[index]
  held[index] = quake
  if faults then
    count = count + (quake.isFault and 1 or 0)
  else
    sum = sum + quake.magnitude
    if find(quake.place, "CA", 1, true) then
      count = count + 1
    end
  end
end
collectgarbage()
local bytes = (residentBytes() - before) / #held
io.stderr:write(string.format("end sum=%.2f count=%d bytes=%.1f\n", sum, count, bytes))
