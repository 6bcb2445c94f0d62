-- Counts what distinguishes another store from one, by the key or a property, or reads every object of both:
-- perilune STORE compare.lua OTHER [PROPERTY | read]

local path, task = ...
local other = open(path, { readOnly = true })
io.stderr:write "begin\n"
local count = 0
if task == "read" then
  for _, entity in ipairs { Quake, other.entities.Quake } do
    for _ in entity:all():each() do
      count = count + 1
    end
  end
else
  for _ in store:compare(other, { by = task and { task } }):each() do
    count = count + 1
  end
end
io.stderr:write(string.format("end found=%d\n", count))
