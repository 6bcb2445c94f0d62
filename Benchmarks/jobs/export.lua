-- Exports every object as CSV: perilune STORE export.lua TABLE.csv

local file = ...
export(Quake:all(), file)
