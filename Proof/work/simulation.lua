-- One run of the simulation: a random model, and turns of random steps, all from one seed.
--
--     simulation.lua FOLDER SEED
--
-- Defines `turn(number, slots)`, which makes the steps of a turn and returns what they did, and `check(wasInterrupted)`,
-- which returns what there is then; a line that begins with WRONG says what is wrong. Each step has random numbers of its
-- own, so that a step that is left out leaves the others as they are. `interruptAt` comes from the program that runs this.

package.path = (debug.getinfo(1, "S").source:match "^@(.*/)" or "./") .. "?.lua;" .. package.path
local folder, seed = ...
seed = math.tointeger(tonumber(seed))

-- Random numbers: SplitMix64.

local Numbers = {}
Numbers.__index = Numbers

local function numbers(part) return setmetatable({ state = seed * 0x5851F42D4C957F2D + part * 0x14057B7EF767814F }, Numbers) end

function Numbers:next()
  self.state = self.state + 0x9E3779B97F4A7C15
  local mixed = self.state
  mixed = (mixed ~ (mixed >> 30)) * 0xBF58476D1CE4E5B9
  mixed = (mixed ~ (mixed >> 27)) * 0x94D049BB133111EB
  return mixed ~ (mixed >> 31)
end

function Numbers:below(count) return (self:next() >> 1) % count end

function Numbers:pick(list) return list[self:below(#list) + 1] end

function Numbers:chance(count) return self:below(count) == 0 end

-- The model.

local types = {
  { name = "n", make = function(r) return Int { indexed = r:chance(2), min = r:chance(6) and 0 or nil } end },
  { name = "x", make = function() return Double end },
  { name = "name", make = function(r)
    return String { indexed = r:chance(3), optional = not r:chance(6), default = r:chance(3) and "new" or nil }
  end },
  { name = "code", make = function() return String { unique = true } end },
  { name = "day", make = function() return Date end },
  { name = "flag", make = function(r) return Bool { default = r:chance(2) or nil } end },
  { name = "amount", make = function() return Decimal end },
  { name = "bytes", make = function() return Data end },
  { name = "id", make = function() return UUID end },
  { name = "place", make = function() return Composite { city = String, zip = Int } end },
}
local names = { "Alpha", "Beta", "Gamma", "Delta" }
-- What the steps need to know: for each entity its attributes, and its relationships with where they lead.
local plan = {}

local function makeModel()
  local r = numbers(-1)
  local entities = {}
  local count = 2 + r:below(3)
  for i = 1, count do
    local properties, attributes = {}, {}
    for _, type in ipairs(types) do
      if type.name == "n" or type.name == "name" or r:chance(2) then
        properties[type.name] = type.make(r)
        attributes[#attributes + 1] = type.name
      end
    end
    entities[names[i]] = properties
    plan[i] = { name = names[i], attributes = attributes, relationships = {} }
  end
  for number = 1, 1 + r:below(4) do
    local a, b = r:below(count) + 1, r:below(count) + 1
    local forth, back = "to" .. number, "of" .. number
    local isMany, isOne = r:chance(3), r:chance(5)
    local rule = r:pick { "nullify", "nullify", "cascade", "deny" }
    local from, to = plan[a], plan[b]
    if isMany then
      entities[from.name][forth] = ToMany(to.name) { inverse = back, ordered = r:chance(3) }
      entities[to.name][back] = ToMany(from.name) { inverse = forth }
    elseif isOne then
      entities[from.name][forth] = ToOne(to.name) { inverse = back }
      entities[to.name][back] = ToOne(from.name) { inverse = forth }
    else
      entities[from.name][forth] = ToMany(to.name) { inverse = back, ordered = r:chance(3), deleteRule = rule }
      entities[to.name][back] = ToOne(from.name) { inverse = forth, optional = not r:chance(6) }
    end
    local toMany = isMany or not isOne
    from.relationships[#from.relationships + 1] = { name = forth, isToMany = toMany, to = to.name }
    to.relationships[#to.relationships + 1] = { name = back, isToMany = isMany, to = from.name }
    if toMany and r:chance(3) then
      entities[from.name]["count" .. number] = Derived { type = Int, forth .. ".@count" }
    end
    if not isMany and r:chance(4) then
      entities[to.name]["up" .. number] = Derived { type = String, back .. ".name" }
    end
  end
  local parent = count > 2 and r:chance(3)
  if parent then
    -- The last entity is one of the first's: it has what that has, and what only it has.
    local own, last = entities[names[count]], plan[count]
    for name in pairs(own) do
      if entities[names[1]][name] ~= nil then own[name] = nil end
    end
    own._ = { parent = names[1] }
    local attributes = {}
    for _, name in ipairs(plan[1].attributes) do attributes[#attributes + 1] = name end
    for _, name in ipairs(last.attributes) do
      if own[name] ~= nil then attributes[#attributes + 1] = name end
    end
    last.attributes = attributes
    for _, relationship in ipairs(plan[1].relationships) do last.relationships[#last.relationships + 1] = relationship end
    plan[1].child = names[count]
    last.parent = names[1]
  end
  local declared = {}
  for name, properties in pairs(entities) do declared[name] = Entity(properties) end
  return Model(declared), r
end

local model, r0 = makeModel()
local isFile = not r0:chance(4)
local path = isFile and folder .. "/store.sqlite" or ":memory:"
local hasHistory = r0:chance(2)
local store = open(path, { create = isFile or nil, model = model, history = hasHistory, busyTimeout = 2 })
use(store)
-- Another program: it has a connection of its own.
local other = isFile and open(path, { busyTimeout = 2 }) or nil
local policies = { "error", "error", "objectTrump", "storeTrump", "overwrite", "rollback" }
local main = store.context
main.mergePolicy = r0:pick(policies)

-- What is going on: contexts, live results, timers, what was told.

local contexts = { main, store:newContext { mergePolicy = r0:pick(policies) }, main:newChild() }
if other then contexts[#contexts + 1] = other.context end
local lives, timers, told, done = {}, {}, {}, {}
local state = State(0)
local stored = AppStorage("level", 0)
local isLocked = false
-- The store in which an SQL statement was refused or stopped, which leaves its savepoint open.
local openStore

local function say(...)
  local parts = table.pack(...)
  for i = 1, parts.n do parts[i] = tostring(parts[i]) end
  done[#done + 1] = table.concat(parts, " ")
end

-- Refusals that random steps meet; anything else is a mistake.
local expected = {
  validation = true, conflict = true, notUnique = true, constraint = true, missingRow = true, deleted = true, undo = true,
  busy = true, saving = true, pendingChanges = true, interrupted = true, historyExpired = true, value = true, outdated = true,
  missingInParent = true, readOnly = true, keyNeeded = true, cursorIsOutdated = true, transaction = true,
}

local function problemText(problem)
  if type(problem) == "string" or problem.kind == nil then return "WRONG a step fails with " .. tostring(problem) end
  local text = problem.kind .. ": " .. tostring(problem.message)
  return expected[problem.kind] and text or "WRONG a step fails with " .. text
end

local contextNames = { "main", "second", "child", "other" }
local function nameOf(c)
  for i, known in ipairs(contexts) do if known == c then return contextNames[i] end end
end

-- Runs a step; a refusal drops the changes of its context, so that the next steps find work to do.
local function try(c, f, ...)
  if c then say("in", nameOf(c)) end
  local ok, problem = pcall(f, ...)
  if ok then return true end
  say(problemText(problem))
  if c and not (type(problem) ~= "string" and problem.kind == "busy") then c:rollback() end
  return false
end

-- Values, objects and requests.

local function value(r, name)
  if r:chance(8) then return nil end
  if name == "n" then return r:below(8) - (r:chance(9) and 4 or 0) end
  if name == "x" then return r:pick { 0.5, 1.5, -2.25, 3.0, 1e300, 0.1, 0.2 } end
  if name == "name" then return r:pick { "a", "A", "b", "ab", "", "é", "e\u{301}", "Zoë", "ß" } end
  if name == "code" then return "c" .. r:below(14) end
  if name == "day" then return Date(1700000000 + r:below(6) * 43200) end
  if name == "flag" then return r:chance(2) end
  if name == "amount" then return Decimal(r:pick { "1.10", "0.3", "-7", "12345678901234567890.5" }) end
  if name == "bytes" then return Data(("x"):rep(r:below(5) * r:below(300))) end
  if name == "id" then return UUID() end
  if name == "place" then return { city = r:pick { "Oslo", "Rome" }, zip = r:below(9) } end
end

local function entity(r) return r:pick(plan) end

local function any(r, c, name)
  local all = c.entities[name]:all():fetch()
  return #all > 0 and all[r:below(#all) + 1] or nil
end

local function fill(r, object, e)
  for _, name in ipairs(e.attributes) do
    if r:chance(2) then object[name] = value(r, name) end
  end
end

local function link(r, c, object, e)
  if #e.relationships == 0 then return end
  local relationship = r:pick(e.relationships)
  local target = any(r, c, relationship.to)
  if not target then return end
  if relationship.isToMany then
    local members = object[relationship.name]
    local kind = r:below(4)
    say("link", object.objectID, relationship.name, target.objectID, kind)
    if kind == 0 then members:remove(target)
    elseif kind == 1 then object[relationship.name] = { target }
    else members:add(target) end
  else
    say("link", object.objectID, relationship.name, target.objectID)
    object[relationship.name] = not r:chance(4) and target or nil
  end
end

local function toOne(e)
  for _, relationship in ipairs(e.relationships) do
    if not relationship.isToMany then return relationship end
  end
end

local function toMany(e)
  for _, relationship in ipairs(e.relationships) do
    if relationship.isToMany then return relationship end
  end
end

local function predicate(r, e)
  local choices = { "n >= 3", "n == nil OR n > 5", "name BEGINSWITH[c] 'a'", "name != nil AND n < 6", "NOT (n > 2)", "name IN {'a', 'b', 'é'}" }
  local one, many = toOne(e), toMany(e)
  if one then
    choices[#choices + 1] = one.name .. ".n > 2"
    choices[#choices + 1] = one.name .. " != nil AND " .. one.name .. ".name == 'a'"
  end
  if many then
    choices[#choices + 1] = "ANY " .. many.name .. ".n > 3"
    choices[#choices + 1] = many.name .. ".@count > 1"
    choices[#choices + 1] = "SUBQUERY(" .. many.name .. ", $m, $m.n > 1 AND $m.name != 'a').@count > 0"
    choices[#choices + 1] = many.name .. ".@sum.n > 4"
  end
  if r:chance(3) then return nil end
  local one_ = r:pick(choices)
  if r:chance(4) then return "(" .. one_ .. ") AND (" .. r:pick(choices) .. ")" end
  return one_
end

local function order(r, e)
  local choices = { { "n" }, { "-n", "name" }, { "name", "-n" }, { "-name" } }
  local one, many = toOne(e), toMany(e)
  if one then choices[#choices + 1] = { one.name .. ".n", "-name" } end
  if many then choices[#choices + 1] = { "-" .. many.name .. ".@count", "n" } end
  for _, name in ipairs(e.attributes) do
    if name == "day" then choices[#choices + 1] = { "-day", "n" } end
    if name == "amount" then choices[#choices + 1] = { "amount" } end
    if name == "x" then choices[#choices + 1] = { "x", "name" } end
  end
  return r:pick(choices)
end

-- A request for objects, as the options of FetchRequest.
local function objectsRequest(r, c)
  local e = entity(r)
  local options = { entity = c.entities[e.name], predicate = predicate(r, e) }
  if not r:chance(5) then options.sortDescriptors = order(r, e) end
  if options.sortDescriptors and r:chance(3) then
    options.fetchLimit = 1 + r:below(5)
    if r:chance(2) then options.fetchOffset = r:below(3) end
  end
  if r:chance(7) then options.includesPendingChanges = false end
  if r:chance(3) then
    local one = toOne(e)
    options.sectionIdentifier = one and r:chance(2) and one.name .. ".name" or r:pick { "n", "name" }
    -- What would tear sections apart is refused.
    options.sortDescriptors = r:chance(2) and { "-x" } or nil
    local hasX = false
    for _, name in ipairs(e.attributes) do hasX = hasX or name == "x" end
    if not hasX then options.sortDescriptors = nil end
  end
  return FetchRequest(options), options, e
end

local function valuesRequest(r, c)
  local e = entity(r)
  local E = c.entities[e.name]
  local where = predicate(r, e)
  local request = where and E:where(where) or E:all()
  local kind = r:below(4)
  if kind == 0 then return FetchRequest { entity = E, predicate = where, resultType = "count" } end
  if kind == 1 then return request:aggregate { c = "count", s = "sum(n)", m = "max(n)", a = "min(name)" } end
  local one = toOne(e)
  local key = one and r:chance(2) and one.name .. ".n" or r:pick { "n", "name" }
  request = request:grouped(key, { c = "count", s = "sum(n)", m = r:pick { "max(n)", "min(name)", "average(n)" } })
  if r:chance(3) then request = request:having "c > 1" end
  return request
end

-- What an observer believes who knows nothing but the differences.

-- Without the entity: a row of an entity is one of its subentity's, too.
local function keyText(id) return tostring(id):match "[^/]*$" end

local function key(entry) return keyText(entry.objectID) end

-- Entries in the order of their places.
local function sortedBy(list, index, descending)
  local copy = {}
  for i, entry in ipairs(list) do copy[i] = entry end
  table.sort(copy, function(a, b)
    local section = index == "oldIndex" and "oldSection" or "section"
    local x, y = a[section] or 0, b[section] or 0
    if x ~= y then
      if descending then return x > y end
      return x < y
    end
    if descending then return a[index] > b[index] end
    return a[index] < b[index]
  end)
  return copy
end

local function together(a, b)
  local all = {}
  for _, entry in ipairs(a) do all[#all + 1] = entry end
  for _, entry in ipairs(b) do all[#all + 1] = entry end
  return all
end

local function take(live)
  local rows = {}
  if live.isSectioned then
    for s, section in ipairs(live.results.sections) do
      rows[s] = { id = tostring(section.id) }
      for i = 1, #section do rows[s][i] = keyText(section[i].objectID) end
    end
  else
    for i, id in ipairs(live.results:objectIDs()) do rows[i] = keyText(id) end
  end
  return rows
end

local function follow(live, change)
  if change.kind == "configuration" and (live.results.sectionIdentifier ~= nil) ~= live.isSectioned then
    live.isSectioned = not live.isSectioned
    live.rows = take(live)
    return
  end
  local rows = live.rows
  local function list(section) return live.isSectioned and rows[section] or rows end
  for _, entry in ipairs(sortedBy(together(change.deleted, change.moved), "oldIndex", true)) do
    local l = list(entry.oldSection)
    if not l or not l[entry.oldIndex] then live.problem = "there is no row to take away" return end
    table.remove(l, entry.oldIndex)
  end
  if live.isSectioned then
    for i = #change.deletedSections, 1, -1 do
      local section = change.deletedSections[i]
      if not rows[section.index] or #rows[section.index] > 0 or rows[section.index].id ~= tostring(section.id) then
        live.problem = "a deleted section is not there, or not empty"
        return
      end
      table.remove(rows, section.index)
    end
    for _, section in ipairs(change.insertedSections) do
      if section.index > #rows + 1 then live.problem = "a section beyond the end" return end
      table.insert(rows, section.index, { id = tostring(section.id) })
    end
  end
  for _, entry in ipairs(sortedBy(together(change.inserted, change.moved), "index")) do
    local l = list(entry.section)
    if not l or entry.index > #l + 1 then live.problem = "a row beyond the end" return end
    table.insert(l, entry.index, key(entry))
  end
  for _, entry in ipairs(change.updated) do
    local l = list(entry.section)
    if not l or not l[entry.index] then live.problem = "an updated row is not there" return end
    l[entry.index] = key(entry)
  end
end

local function flat(live)
  if not live.isSectioned then return live.rows end
  local all = {}
  for _, section in ipairs(live.rows) do
    for _, row in ipairs(section) do all[#all + 1] = row end
  end
  return all
end

-- The steps.

local steps = {}

local function step(weight, name, f)
  for _ = 1, weight do steps[#steps + 1] = { name = name, run = f } end
end

step(8, "insert", function(r)
  local c, e = r:pick(contexts), entity(r)
  try(c, function()
    for _ = 1, 1 + r:below(3) do
      local object = c.entities[e.name] {}
      say(object.objectID)
      fill(r, object, e)
      if r:chance(2) then link(r, c, object, e) end
    end
  end)
end)

step(12, "change", function(r)
  local c, e = r:pick(contexts), entity(r)
  try(c, function()
    local object = any(r, c, e.name)
    if not object then return end
    say(object.objectID)
    fill(r, object, e)
  end)
end)

step(8, "link", function(r)
  local c, e = r:pick(contexts), entity(r)
  try(c, function()
    local object = any(r, c, e.name)
    if object then link(r, c, object, e) end
  end)
end)

step(3, "move", function(r)
  local c, e = r:pick(contexts), entity(r)
  local many = toMany(e)
  if not many then return end
  try(c, function()
    local object = any(r, c, e.name)
    local members = object and object[many.name]
    if members and #members > 1 and pcall(function() return members.move end) then
      local ok, problem = pcall(members.move, members, #members, 1)
      say(object.objectID, many.name, ok or problem.kind)
    end
  end)
end)

step(4, "delete", function(r)
  local c, e = r:pick(contexts), entity(r)
  try(c, function()
    local object = any(r, c, e.name)
    if not object then return end
    say(object.objectID)
    object:delete()
  end)
end)

step(12, "save", function(r)
  local c = r:pick(contexts)
  try(c, function() c:save { author = r:chance(3) and "somebody" or nil, dryRun = r:chance(12) or nil } end)
end)

step(2, "save all", function()
  for i = #contexts, 1, -1 do try(contexts[i], function() contexts[i]:save() end) end
end)

step(3, "rollback", function(r)
  local c = r:pick(contexts)
  try(c, c.rollback, c)
end)

step(4, "undo", function(r)
  local can = {}
  for _, c in ipairs(contexts) do
    if c.canUndo or c.canRedo then can[#can + 1] = c end
  end
  if #can == 0 then return end
  local c = r:pick(can)
  try(c, function() say(not (c.canRedo and r:chance(2)) and c:undo() or c:redo()) end)
end)

step(4, "undoSave", function(r)
  try(nil, function()
    local report = r:chance(3) and store:redoSave() or store:undoSave()
    say(report and report.inserted, report and report.updated, report and report.deleted)
  end)
end)

step(3, "batch", function(r)
  local c, e = r:pick(contexts), entity(r)
  local where = predicate(r, e) or "n > 4"
  try(nil, function()
    local kind = r:below(3)
    local E = c.entities[e.name]
    if kind == 0 then say(E:batchUpdate(where, { n = r:below(6) }))
    elseif kind == 1 then say(E:batchDelete(where))
    else say(E:batchInsert { { n = r:below(5), name = "batch" }, { n = 2, name = "a" } }) end
  end)
end)

step(5, "sql", function(r)
  local s, e = other and r:chance(2) and other or store, entity(r)
  local table_ = (e.parent or e.name):lower()
  local text = r:pick {
    "UPDATE %s SET n = n + 1 WHERE _pk %% 3 = 0", "UPDATE %s SET name = 'b' WHERE n > 3", "DELETE FROM %s WHERE _pk %% 5 = 1",
    "UPDATE %s SET n = NULL WHERE name = 'a'", "SAVEPOINT p; UPDATE %s SET n = 0; ROLLBACK TO p; RELEASE p",
    "UPDATE %s SET name = 'é' || name WHERE _pk = (SELECT max(_pk) FROM %s)",
  }
  text = text:format(table_, table_)
  say(text)
  openStore = s
  if try(nil, function() s:sql(text) end) then openStore = nil end
end)

step(2, "lock", function(r)
  if not other then return end
  if isLocked then
    -- A commit that is refused leaves its transaction open: the rows can be mended, or it is rolled back.
    -- An interruption may have ended the step after its commit.
    isLocked = not try(nil, function()
      local ok, problem = pcall(other.sql, other, "COMMIT")
      if not ok and not problem.message:find "no transaction is active" then error(problem, 0) end
    end)
    if isLocked and r:chance(2) then isLocked = not try(nil, function() other:sql "ROLLBACK" end) end
  else
    isLocked = pcall(function() other:sql "BEGIN IMMEDIATE" end)
    say(isLocked)
  end
end)

step(6, "live", function(r)
  if #lives > 7 then
    local live = table.remove(lives, r:below(#lives) + 1)
    if r:chance(2) then live.results:close() else live.token:cancel() end
    return
  end
  local c = r:pick(contexts)
  try(c, function()
    local live = { context = c, number = r:below(1000) }
    if r:chance(3) then
      live.request = valuesRequest(r, c)
      live.results = live.request:live()
      live.isOfValues = true
      say("values", live.number, live.request.entity.name)
      live.token = live.results:onChange(function(change) told[#told + 1] = ("%d %s %s"):format(live.number, change, change.kind) end)
    else
      live.request = objectsRequest(r, c)
      live.results = live.request:live()
      say("objects", live.number, live.request.entity.name, live.request.predicate)
      live.isSectioned = live.results.sectionIdentifier ~= nil
      live.rows = take(live)
      live.token = live.results:onChange(function(change)
        told[#told + 1] = ("%d %s %s"):format(live.number, change, change.kind)
        follow(live, change)
      end)
    end
    lives[#lives + 1] = live
  end)
end)

step(3, "configure", function(r)
  if #lives == 0 then return end
  local live = r:pick(lives)
  if live.isOfValues then return end
  try(nil, function()
    local e
    for _, known in ipairs(plan) do if known.name == live.results.request.entity.name then e = known end end
    local kind = r:below(3)
    say(live.number, kind)
    if kind == 0 then live.results.predicate = predicate(r, e)
    elseif kind == 1 and not live.isSectioned then
      live.results.fetchLimit = 0
      live.results.sortDescriptors = order(r, e)
    elseif live.results.sortDescriptors and #live.results.sortDescriptors > 0 then
      live.results.fetchLimit = r:below(5)
    end
  end)
end)

step(3, "state", function(r)
  state.value = state.value + r:below(3)
  if r:chance(4) then stored.value = stored.value + 1 end
end)

step(3, "timer", function(r)
  if #timers > 3 then
    table.remove(timers, 1):cancel()
    return
  end
  local own = numbers(r:next())
  local c, e = r:pick(contexts), entity(r)
  local function run()
    local object = any(own, c, e.name)
    told[#told + 1] = "timer " .. tostring(object and object.objectID)
    if object then object.n = own:below(7) end
    if own:chance(2) then
      local ok = pcall(c.save, c)
      if not ok then c:rollback() end
    end
  end
  timers[#timers + 1] = r:chance(2) and every(1 + r:below(5), run) or after(r:below(8), run)
end)

step(2, "effect", function(r)
  if #timers > 3 or #lives == 0 then return end
  local live = r:pick(lives)
  timers[#timers + 1] = effect(function() told[#told + 1] = ("effect %d %d"):format(state.value, #live.results) end)
end)

step(2, "refresh", function(r)
  local c = r:pick(contexts)
  if r:chance(2) then c:refreshAllObjects() else c:processPendingChanges() end
end)

step(1, "history", function(r)
  if not hasHistory then return end
  try(nil, function()
    local history = store:history { limit = 5 }
    for transaction in history:each() do say(transaction.token, transaction.author, #transaction.changes) end
    if r:chance(5) then store:deleteHistory() end
  end)
end)

step(1, "interrupt", function(r) interruptAt(1 + r:below(60)) end)

step(1, "collect", function() collectgarbage() end)

-- Objects to begin with.

do
  local r = numbers(-2)
  for _ = 1, r:below(24) do
    local e = entity(r)
    if not pcall(function()
      local object = main.entities[e.name] { name = "a", n = r:below(6) }
      if r:chance(2) then fill(r, object, e) end
      link(r, main, object, e)
      main:save()
    end) then main:rollback() end
  end
  done = {}
end

-- The observer of all objects of the main context.
main:on("objectsDidChange", function(changes)
  told[#told + 1] = ("objects %d %d %d %s"):format(#changes.inserted, #changes.updated, #changes.deleted, changes.isComplete)
end)
stored:onChange(function(new) told[#told + 1] = "stored " .. new end)

local function closeSavepoint()
  if openStore then pcall(openStore.sql, openStore, "ROLLBACK TO p; RELEASE p") end
  openStore = nil
end

local function lines()
  local text = table.concat(done, "\n") .. (#told > 0 and "\n  told " .. table.concat(told, "\n  told ") or "")
  done, told = {}, {}
  return text
end

function turn(number, slots)
  closeSavepoint()
  for slot = 0, 3 do
    local r = numbers(number * 4 + slot)
    -- The first is always made; a turn has as many as chance gives.
    if slots & 1 << slot ~= 0 and (slot == 0 or r:chance(2)) then
      local chosen = r:pick(steps)
      say("step", number * 4 + slot, chosen.name)
      chosen.run(r)
    end
  end
  return lines()
end

-- The checks.

local function ids(list)
  local all = {}
  for i = 1, #list do all[i] = keyText(list[i].objectID) end
  return all
end

local function isSame(a, b)
  if #a ~= #b then return false end
  for i = 1, #a do if a[i] ~= b[i] then return false end end
  return true
end

local function hasUnsaved(c)
  while c do
    if c.hasChanges then return true end
    c = c.parent
  end
  return false
end

local function rowTexts(list)
  local texts = {}
  for i = 1, #list do
    local row, parts = list[i], {}
    for _, name in ipairs { "c", "s", "m", "a", "n", "name" } do parts[#parts + 1] = tostring(row[name]) end
    texts[i] = table.concat(parts, "|")
  end
  return texts
end

local function checkLive(live, wasInterrupted)
  -- A fetch sees unsaved changes of related objects in part; after a save there is one answer. Within a transaction of the
  -- same connection it sees what live results follow once that is committed.
  local isCertain = not hasUnsaved(live.context) and not (isLocked and live.context.store == other)
  if live.isOfValues then
    if live.results.count then
      local fetched = live.request:count()
      local shown = live.request.resultType == "count" and live.results.count or nil
      if shown and shown ~= fetched and isCertain then say("WRONG live count", live.number, "is", shown, "a count gives", fetched) end
      return shown
    end
    local shown, fetched = rowTexts(live.results), rowTexts(live.request:fetch())
    table.sort(shown)
    table.sort(fetched)
    if isCertain and not isSame(shown, fetched) then
      say("WRONG live values", live.number, "are", table.concat(shown, " "), "a fetch gives", table.concat(fetched, " "))
    end
    return table.concat(shown, " ")
  end
  if live.problem then say("WRONG the differences of", live.number, "do not fit:", live.problem) end
  local results = live.results
  local shown, fetched = ids(results:objects()), ids(results.request:fetch())
  local mine = flat(live)
  if isCertain and not isSame(shown, fetched) then
    say("WRONG live result", live.number, results.request.predicate, "has", table.concat(shown, " "),
      "a fetch gives", table.concat(fetched, " "))
  end
  -- What an interrupted turn has not told is told in the next one, and what is configured within a transaction behind its end.
  if wasInterrupted or isLocked and live.context.store == other then return table.concat(shown, " ") end
  -- Keys of unsaved objects that were saved are others by now, though nothing was told.
  for i, id in ipairs(mine) do
    if id:match "^t%d" and shown[i] then mine[i] = shown[i] end
  end
  if not isSame(mine, shown) then
    say("WRONG the differences of", live.number, "lead to", table.concat(mine, " "), "it has", table.concat(shown, " "))
  end
  return table.concat(shown, " ")
end

function check(wasInterrupted)
  closeSavepoint()
  for _, live in ipairs(lives) do
    local ok, text = pcall(checkLive, live, wasInterrupted)
    if not ok then
      -- Unsaved changes may lead to what others have deleted: then nothing can be fetched until they are dropped.
      say(problemText(text))
      for i = #contexts, 1, -1 do contexts[i]:rollback() end
      break
    end
    say("live", live.number, text)
  end
  return lines()
end
