-- Changes a store of Examples/quakes.lua without an end, as another process beside load.lua: churn.lua STORE WORKER SECONDS

local path, worker, seconds = ...
local store = open(path, { busyTimeout = 60 })
local Quake, Report = store.entities.Quake, store.entities.Report
math.randomseed(math.tointeger(worker))
local ends, count = os.time() + math.tointeger(seconds), 0
while os.time() < ends do
  -- While the one that holds results compares them, nobody writes.
  local pause = io.open(path .. ".pause")
  while pause do
    pause:close()
    local moment = os.clock() + 0.02
    while os.clock() < moment do end
    pause = os.time() < ends and io.open(path .. ".pause")
  end
  count = count + 1
  local q = Quake:find("us" .. math.random(300))
  local chance = math.random(10)
  if chance < 6 and q then
    q.magnitude = math.random(20, 80) / 10
  elseif chance < 8 and q then
    Report { text = "churn", intensity = math.random(12), submitted = Date(count), quake = q }
  elseif chance == 8 then
    Report:where("text == 'churn'"):limit(5):delete()
  else
    store:sql("UPDATE quake SET depth = ? WHERE _pk % 97 = ?", math.random(100), math.random(0, 96))
  end
  if not pcall(store.context.save, store.context) then store.context:rollback() end
end
store:close()
print(count)
