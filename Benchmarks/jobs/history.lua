-- Saves new objects, then changes to them, with or without a history: perilune history.lua COUNT STORE on | off

local count, path, mode = math.tointeger(tonumber((...))), select(2, ...)

local model = Model { Note = Entity { title = String, number = Int { indexed = true }, time = Date } }
local store = open(path, { create = true, model = model, history = mode == "on" })
local Note = store.entities.Note

io.stderr:write "begin\n"
for i = 1, count do
  Note { title = "note " .. i, number = i, time = Date(i) }
end
store.context:save { author = "benchmark" }
for note in Note:all():fetch():each() do
  note.number = note.number + 1
end
store.context:save { author = "benchmark" }
io.stderr:write(string.format("end count=%d\n", count))
if mode == "on" then
  assert(#store:history { author = "benchmark" } == 2)
end
store:close()
