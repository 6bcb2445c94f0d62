-- The work of the live jobs: five kinds of changes in turn, each of which an observer of strong quakes must be told.
-- Benchmarks/live and the GRDB peer draw the same numbers, so that everyone makes the same changes to the same rows.

local steps = { kinds = { "magnitude", "time", "depth", "insert", "delete" } }

local state = 88172645463325252
local originalRows = Quake:count()
local lastRow = originalRows

-- xorshift64
function steps.below(limit)
  state = state ~ (state << 13)
  state = state ~ (state >> 7)
  state = state ~ (state << 17)
  return (state >> 11) % limit
end

function steps.time()
  return Date(1500000000 + steps.below(31536000000) / 1000)
end

function steps.code(row)
  return string.format("us%08x", row * 2654435761 & 0xffffffff)
end

-- The first object from a random row on that is there and, unless any will do, is shown.
local function randomQuake(isShown)
  local row = steps.below(originalRows) + 1
  for _ = 1, originalRows do
    local quake = Quake:find(steps.code(row))
    if quake and (not isShown or quake.magnitude >= 2) then
      return quake
    end
    row = row % originalRows + 1
  end
  error "there are too few rows for so many changes"
end

local take = {}

function take.magnitude()
  local quake = randomQuake(false)
  quake.magnitude = quake.magnitude + (quake.magnitude >= 2 and -2 or 2)
end

function take.time()
  randomQuake(true).time = steps.time()
end

function take.depth()
  local quake = randomQuake(true)
  quake.depth = quake.depth + 1
end

function take.insert()
  lastRow = lastRow + 1
  Quake {
    magnitude = 2 + steps.below(200) / 100,
    time = steps.time(),
    place = "5km N of Cobb, CA",
    depth = 1,
    code = steps.code(lastRow),
    day = "2018-01-01",
  }
end

function take.delete()
  randomQuake(true):delete()
end

-- Makes the change of that number, unsaved, and returns its kind.
function steps.take(index)
  local kind = steps.kinds[index % #steps.kinds + 1]
  take[kind]()
  return kind
end

return steps
