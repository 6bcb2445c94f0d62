-- Asks a server what it can compute without sending rows, five times over: perilune ADDRESS postgres-ask.lua QUESTION

local question = ...

local function groups(key, columns)
  return function()
    return #Quake:groupBy(key, columns)
  end
end

local ask = {
  sum = function()
    return Quake:sum "magnitude" + Quake:average "depth"
  end,
  groups = groups("station", { n = "count", depths = "sum(depth)" }),
  median = groups("month(time)", { middle = "median(magnitude)" }),
  distinct = function()
    return FetchRequest {
      entity = Quake,
      resultType = "dictionaries",
      propertiesToFetch = { "place", "magnitude" },
      returnsDistinctResults = true,
    }:count()
  end,
  folded = function()
    return Quake:where("station.name CONTAINS[cd] %@", "STATION 7"):count()
  end,
  arithmetic = function()
    return Quake:where("magnitude * 2 + depth > 100"):count()
  end,
  order = function()
    return #Quake:sorted("abs(depth - 30)", "code"):limit(5):fetch()
  end,
}

io.stderr:write "begin\n"
local value
for _ = 1, 5 do
  value = ask[question]()
end
io.stderr:write(string.format("end value=%.2f\n", value))
