-- Two processes count the same objects up, and try again after each conflict: perilune conflicts.lua ROUNDS STORE
-- The first makes the store and starts the second; the sum tells whether an increment was lost.

local rounds, path, role = ...
rounds = math.tointeger(tonumber(rounds))

if not role then
  local model = Model {
    Counter = Entity { name = String { unique = true }, value = Int { default = 0 } },
  }
  local store <close> = open(path, { create = true, model = model })
  for number = 1, 10 do
    store.entities.Counter { name = "c" .. number }
  end
  store.context:save()
end

local function program()
  local link <close> = assert(io.popen "readlink /proc/$PPID/exe")
  return link:read "l"
end

local function quoted(text)
  return "'" .. text:gsub("'", [['\'']]) .. "'"
end

io.stderr:write(role and "" or "begin\n")
local rival
if not role then
  rival = assert(io.popen(("%s %s %d %s rival"):format(quoted(program()), quoted(arg[0]), rounds, quoted(path))))
end

local store <close> = open(path, { busyTimeout = 60 })
local context, Counter = store.context, store.entities.Counter
local conflicts = 0
for _ = 1, rounds do
  while true do
    for number = 1, 10 do
      local counter = Counter:find("c" .. number)
      counter.value = counter.value + 1
    end
    local ok, problem = pcall(context.save, context)
    if ok then
      break
    end
    if problem.kind ~= "conflict" then
      error(problem)
    end
    conflicts = conflicts + 1
    context:rollback()
  end
end

if rival then
  assert(rival:close())
  local total = Counter:all():sum "value"
  assert(total == 20 * rounds, "increments were lost")
  io.stderr:write(string.format("end total=%d conflicts=%d\n", total, conflicts))
end
