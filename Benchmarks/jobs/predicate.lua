-- Counts by a predicate, five times over: perilune STORE predicate.lua range|prefix|equal

local what = ...
local formats = {
  range = "(magnitude >= 2 AND depth < 70) OR place BEGINSWITH '10km'",
  prefix = "code BEGINSWITH 'us00'",
  equal = "code == 'us9e3779b1'",
}
local request = Quake:where(formats[what])
local value

io.stderr:write "begin\n"
for _ = 1, 5 do
  value = request:count()
end
io.stderr:write(string.format("end value=%d\n", value))
