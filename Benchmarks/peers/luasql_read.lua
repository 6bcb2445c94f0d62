-- LuaSQL, every row as a table by column name, the table used again: lua5.4 luasql_read.lua STORE

local connection = require("luasql.sqlite3").sqlite3():connect(arg[1])
local find = string.find

io.stderr:write "begin\n"
local cursor = connection:execute "SELECT id, magnitude, place, time, depth, code, day FROM quake"
local sum, count = 0, 0
local row = cursor:fetch({}, "a")
while row do
  sum = sum + row.magnitude
  if find(row.place, "CA", 1, true) then
    count = count + 1
  end
  row = cursor:fetch(row, "a")
end
io.stderr:write(string.format("end sum=%.2f count=%d\n", sum, count))
