-- What torture does to stores: the models, the steps and what a store holds.

local M = {}

-- Every kind of relationship, delete rule and index that a store of ours has; `second` is what a migration leads to.
local function boxes(second)
  return Model {
    Box = Entity {
      name = String { optional = false, unique = true },
      size = second and Double or Int,
      shelf = second and String { optional = false, default = "top" } or nil,
      items = ToMany "Item" { inverse = "box", deleteRule = "cascade" },
    },
    Item = Entity {
      n = Int { indexed = true, default = 0 },
      text = String { preserveAfterDeletion = true },
      bytes = Data,
      short = Derived { type = String, "lowercase(text)" },
      box = ToOne "Box" { inverse = "items" },
      tags = ToMany "Tag" { inverse = "items", ordered = true },
    },
    Tag = Entity { word = String { unique = true }, items = ToMany "Item" { inverse = "tags" } },
  }
end

-- The kinds of stores. A durable one promises each confirmed save across a power cut, the others all but the last ones.
M.kinds = {
  own = { history = true },
  durable = { history = true, durable = true },
  -- A file made elsewhere, with SQLite's rollback journal.
  foreign = { isForeign = true },
}

local foreignSchema = [[
  CREATE TABLE box (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER);
  CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER DEFAULT 0, text TEXT, bytes BLOB,
    box_id INTEGER REFERENCES box(id) ON DELETE CASCADE);
  CREATE INDEX item_n ON item (n);
  CREATE INDEX item_box ON item (box_id);
  CREATE TABLE tag (id INTEGER PRIMARY KEY, word TEXT UNIQUE);
  CREATE TABLE item_tag (
    item_id INTEGER NOT NULL REFERENCES item(id) ON DELETE CASCADE,
    tag_id INTEGER NOT NULL REFERENCES tag(id), PRIMARY KEY (item_id, tag_id));
]]

-- Makes the store with which every sequence begins.
function M.make(path, kind)
  local traits = M.kinds[kind]
  local store
  if traits.isForeign then
    -- A file that has tables is no store of ours.
    local raw <close> = io.popen("sqlite3 '" .. path .. "'", "w")
    raw:write(foreignSchema)
    raw:close()
    store = open(path)
  else
    store = open(path, { create = true, model = boxes(), history = traits.history, durable = traits.durable })
  end
  local e = store.entities
  for i = 1, 2 do
    local box = e.Box { name = "first " .. i, size = i }
    local tag = e.Tag { word = "tag " .. i }
    for j = 1, 2 do
      local item = e.Item { n = i * 10 + j, text = "Item " .. i .. j, box = box }
      item.tags:add(tag)
    end
  end
  store.context:save()
  store:close()
end

function M.open(path, kind, second)
  local traits = M.kinds[kind]
  if traits.isForeign then return open(path, { readOnly = false }) end
  return open(path, { durable = traits.durable, model = second and boxes(true) or nil })
end

-- The steps: each ends with one commit at most. `s` holds the store, its path and kind, and a number that grows.
M.steps = {
  insert = function(s)
    local e = s.store.entities
    local box = e.Box { name = "box " .. s.number, size = s.number }
    for j = 1, 3 do
      local item = e.Item { n = j, text = "New " .. s.number .. "." .. j, box = box }
      for _, tag in ipairs(e.Tag:sorted("word"):fetch()) do item.tags:add(tag) end
    end
    s.store.context:save { author = "insert" }
  end,
  update = function(s)
    for i, item in ipairs(s.store.entities.Item:sorted("n", "text"):fetch()) do
      item.n, item.text = item.n + s.number, "Changed " .. s.number .. "." .. i
    end
    s.store.context:save()
  end,
  delete = function(s)
    local box = s.store.entities.Box:sorted("name"):first()
    if box then box:delete() end
    s.store.context:save()
  end,
  move = function(s)
    local last = s.store.entities.Box:sorted("-name"):first()
    for _, item in ipairs(s.store.entities.Item:sorted("n"):limit(2):fetch()) do
      item.box, item.tags = last, {}
    end
    s.store.context:save()
  end,
  big = function(s)
    s.store.entities.Item { n = s.number, text = "big", bytes = string.rep("bytes" .. s.number, 4000) }
    s.store.context:save()
  end,
  batch = function(s) s.store.entities.Item:where("n > 11"):update { n = s.number } end,
  clear = function(s) s.store.entities.Item:batchDelete("n < 12 OR text BEGINSWITH 'Changed'") end,
  sql = function(s) s.store:sql("UPDATE box SET size = ? WHERE name LIKE 'first%'", s.number) end,
  undo = function(s) pcall(s.store.undoSave, s.store) end,
  redo = function(s) pcall(s.store.redoSave, s.store) end,
  forget = function(s)
    if s.kind ~= "foreign" then s.store:deleteHistory {} end
  end,
  reopen = function(s)
    s.store:close()
    s.store = M.open(s.path, s.kind)
  end,
  checkpoint = function(s) s.store:sql "PRAGMA wal_checkpoint(TRUNCATE)" end,
  migrate = function(s)
    if s.kind == "foreign" then return s.store:sql "VACUUM" end
    s.store:close()
    s.store = M.open(s.path, s.kind, true)
  end,
}

M.names = {}
for name in pairs(M.steps) do M.names[#M.names + 1] = name end
table.sort(M.names)

-- Does a step. Those that may fail on a bare disk are told apart by `undo` and `redo`, whose refusals are answers.
function M.run(s, name)
  s.number = s.number + 1
  M.steps[name](s)
end

-- What a store holds, as a text: `all` the schema and all rows of all tables, `rows` those of objects alone.
local queries = {}
local function rowsOf(store, schema, isOurs)
  local key = schema .. tostring(isOurs)
  local query = queries[key]
  if not query then
    local parts = {}
    local tables = store:sql [[
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name]]
    for _, t in ipairs(tables) do
      if isOurs or t.name:sub(1, 9) ~= "_perilune" then
        local columns = {}
        for _, c in ipairs(store:sql("SELECT name FROM pragma_table_xinfo(?)", t.name)) do
          columns[#columns + 1] = 'quote("' .. c.name .. '")'
        end
        parts[#parts + 1] = string.format(
          "SELECT '%s' AS t, (SELECT group_concat(r, char(10)) FROM (SELECT %s AS r FROM \"%s\" ORDER BY 1)) AS r",
          t.name, table.concat(columns, "||','||"), t.name)
      end
    end
    query = table.concat(parts, " UNION ALL ")
    queries[key] = query
  end
  local lines = {}
  for _, row in ipairs(store:sql(query)) do lines[#lines + 1] = row.t .. "\n" .. (row.r or "") end
  return table.concat(lines, "\n--\n")
end

local function schemaOf(store)
  return store:sql([[
    SELECT group_concat(coalesce(sql, name), char(10)) AS s
    FROM (SELECT sql, name FROM sqlite_schema ORDER BY name)]])[1].s or ""
end

function M.all(store)
  local schema = schemaOf(store)
  return schema .. "\n==\n" .. rowsOf(store, schema, true)
end

function M.rows(store) return rowsOf(store, schemaOf(store), false) end

-- A mark for what watches the disk (disk.c).
function M.mark(...) os.getenv("PROOF_MARK " .. table.concat({ ... }, " ")) end

return M
