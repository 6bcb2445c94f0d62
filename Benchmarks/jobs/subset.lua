-- Copies the objects of a store to a new one, as a subset or plainly: perilune STORE subset.lua OUTPUT [copy]

local path, task = ...
local output = open(path, { create = true, model = store.model })
io.stderr:write "begin\n"
local options = task ~= "copy" and { from = { Quake:all() } } or nil
store:copy(output, options)
io.stderr:write(string.format("end rows=%d\n", output.entities.Quake:count()))
