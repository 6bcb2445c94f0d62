-- Shows the first screen of a table of every object: perilune STORE screen.lua

io.stderr:write "begin\n"
show(Quake:all(), { mode = "table" })
io.stdout:flush()
io.stderr:write "end\n"
