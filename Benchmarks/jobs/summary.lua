-- Summarises every property: perilune STORE summary.lua

io.stderr:write "begin\n"
local text = tostring(Quake:summary())
io.stderr:write(("end lines=%d\n"):format(select(2, text:gsub("\n", "\n"))))
