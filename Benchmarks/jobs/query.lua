-- Counts or sums by a predicate, five times over: perilune STORE query.lua count|sum

local what = ...
local request = Quake:where("magnitude >= %@ AND place CONTAINS %@", 2, "CA")
local value

io.stderr:write "begin\n"
for _ = 1, 5 do
  value = what == "count" and request:count() or request:sum "magnitude"
end
io.stderr:write(string.format("end value=%.2f\n", value))
