-- What workers share among the cores that there are: perilune STORE cores.lua

local folder = arg[0]:match "^(.*/)" or "./"
local facts = dofile(folder .. "live-facts.lua")

-- The median of several calls; the first is not counted, as it brings pages in.
local function tell(name, call)
  call()
  local times = {}
  for try = 1, 5 do
    local start = facts.now()
    call()
    times[try] = facts.now() - start
  end
  facts.tell(name, facts.median(times))
end

io.stderr:write "begin\n"
local count, sum, groups
tell("counted", function()
  count = Quake:where("depth > 300 AND place CONTAINS 'CA'"):count()
end)
tell("summed", function()
  sum = Quake:all():sum "depth"
end)
tell("grouped", function()
  groups = #Quake:all():groupBy("day", { n = "count", strongest = "max(magnitude)" })
end)
tell("summarized", function()
  Quake:summary()
end)
facts.tell("rows", count)
facts.tell("total", sum)
facts.tell("groups", groups)
facts.finish()
