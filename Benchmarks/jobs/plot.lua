-- Draws a histogram: perilune STORE plot.lua

io.stderr:write "begin\n"
local text = tostring(plot(Quake, { x = "magnitude" }))
io.stderr:write(("end lines=%d\n"):format(select(2, text:gsub("\n", "\n"))))
