-- Does to a file, which may be damaged, all that can be done to a store: `inspect(path)`. Everything may fail; the messages
-- of what failed are the error at the end.

return function(path)
  local messages = {}
  local function try(what, body, ...)
    local found = table.pack(pcall(body, ...))
    if found[1] then return table.unpack(found, 2, found.n) end
    messages[#messages + 1] = what .. ": " .. tostring(found[2]):sub(1, 300)
  end
  local function look(options)
    local store = try("open", open, path, path:find "%.sqlite$" and options or nil)
    if not store then return end
    try("verify", store.verify, store)
    try("doctor", store.doctor, store)
    try("model", function() return store.model:source "lua", store.model:source "swiftData" end)
    try("notes", function() return #store.notes end)
    try("history", function()
      for transaction in store:history():each() do
        for _, change in ipairs(transaction.changes) do
          tostring(change.kind, change.objectID, change.properties, change.tombstone)
        end
      end
    end)
    local names = try("names", function() return store.model.entityNames end) or {}
    for _, name in ipairs(names) do
      local entity = store.entities[name]
      try(name .. " count", entity.count, entity)
      try(name .. " walk", function()
        local count = 0
        for object in entity:all():each() do
          count = count + 1
          if count > 30 then break end
          try(name .. " show", tostring, object)
          for _, property in ipairs(entity.propertyNames or {}) do try(property, function() return object[property] end) end
          try(name .. " values", object.committedValues, object)
        end
      end)
      try(name .. " fetch", function()
        local all = entity:all():limit(20):fetch()
        for i = 1, #all do local _ = tostring(all[i]) end
      end)
      try(name .. " live", function()
        local live <close> = entity:all():live()
        return #live, live[1]
      end)
      try(name .. " summary", entity.summary, entity)
      try(name .. " json", export, entity:all(), path .. ".json", { force = true })
    end
    if options.readOnly then return try("close", store.close, store) end
    try("undoSave", store.undoSave, store)
    try("redoSave", store.redoSave, store)
    for _, name in ipairs(names) do
      local entity = store.entities[name]
      try(name .. " change", function()
        local object = entity:first()
        if not object then return end
        object:delete()
        store.context:save()
      end)
      try("rollback", function() store.context:rollback() end)
      try(name .. " insert", function()
        entity {}
        store.context:save()
      end)
      try("rollback", function() store.context:rollback() end)
    end
    try("backup", function()
      os.remove(path .. ".copy")
      store:backup(path .. ".copy")
    end)
    try("close", store.close, store)
  end
  look { readOnly = true }
  look { readOnly = false }
  if #messages > 0 then error(table.concat(messages, " | "), 0) end
end
