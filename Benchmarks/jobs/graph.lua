-- Makes linked objects: perilune graph.lua COUNT STORE link | undo
--
-- "link" makes and saves them; "undo" takes back what was made, makes it again, and checks that it is all there.

local count, path, mode = math.tointeger(tonumber((...))), select(2, ...)

local model = Model {
  Folder = Entity { name = String, items = ToMany "Item" { inverse = "folder", deleteRule = "cascade" } },
  Item = Entity { name = String, number = Int, folder = ToOne "Folder" { inverse = "items" } },
}

local store = open(path, { create = true, model = model })
local Folder, Item = store.entities.Folder, store.entities.Item
local context = store.context

local function make()
  local folder
  for i = 1, count do
    if i % 100 == 1 then
      folder = Folder { name = "folder " .. i }
    end
    Item { name = "item " .. i, number = i, folder = folder }
  end
end

if mode == "link" then
  io.stderr:write "begin\n"
  make()
  context:save()
else
  make()
  context:processPendingChanges()
  io.stderr:write "begin\n"
  assert(context:undo())
  assert(not context.hasChanges)
  assert(context:redo())
end
io.stderr:write(string.format("end count=%d\n", count))
assert(Item:count() == count and Folder:first().items[1].number == 1)
if mode ~= "link" then
  context:rollback()
end
store:close()
