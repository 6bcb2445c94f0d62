-- Writes the files of its own that the program has, in versions FIRST to LAST, for the lying disk and for faults.
--
--     files.lua FOLDER FIRST LAST
--
-- FOLDER/store.sqlite is a store of steps.lua, the home is below FOLDER. Each step is tried and marked; what fails is
-- marked with the error, and the next one is tried.

local folder, first, last = ...
package.path = (debug.getinfo(1, "S").source:match "^@(.*/)" or "./") .. "?.lua;" .. package.path
local steps = require "steps"
local store = open(folder .. "/store.sqlite")
local e = store.entities
use(store)

local number = 0
local function step(body, ...)
  number = number + 1
  steps.mark("try", "files", number)
  local ok, problem = pcall(body, ...)
  if ok then
    steps.mark("done", "files", number)
  else
    steps.mark("failed", "files", number, (tostring(problem):gsub("\n", " ")))
  end
end

for version = math.tointeger(first), math.tointeger(last) do
  step(function()
    for i, item in ipairs(e.Item:sorted("n"):fetch()) do
      item.text = string.rep("version " .. version .. "." .. i .. " ", 40)
    end
    store.context:save()
  end)
  step(export, e.Item:sorted "n", folder .. "/rows.csv", { force = true, columns = { "n", "text" } })
  step(export, e.Item:sorted "n", folder .. "/rows-" .. version .. ".json", { columns = { "n", "text" } })
  step(store.backup, store, folder .. "/backup-" .. version .. ".sqlite")
  step(function() AppStorage("proof", 0).value = version end)
  step(perilune.keep, "block", "print 'version " .. version .. "'")
end
store:close()
