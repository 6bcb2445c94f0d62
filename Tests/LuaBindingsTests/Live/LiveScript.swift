import LuaBindings
import LuaRuntime

extension Script {
  /// Five saved quakes, a to e, of magnitudes 1 to 5, in turns in Japan and Chile; `tell` notes a change of live results
  /// for `told`, which forgets what it answers: kind, then inserted, deleted, updated and moved rows as `code:old>new`.
  static func quakes() throws -> Script {
    let script = try sample()
    try script.run(
      """
      for i = 1, 5 do
        Quake { code = string.char(96 + i), magnitude = i, place = i % 2 == 0 and "Chile" or "Japan" }
      end
      save()
      function codes(list)
        local out = {}
        for i = 1, #list do out[i] = list[i].code end
        return table.concat(out)
      end
      local function place(section, index) return (section and section .. "." or "") .. (index or "") end
      local function entries(list)
        local out = {}
        for i, e in ipairs(list) do
          local name = e.object and (e.object.isDeleted and "gone" or e.object.code) or "?"
          out[i] = name .. ":" .. place(e.oldSection, e.oldIndex) .. ">" .. place(e.section, e.index)
        end
        return table.concat(out, " ")
      end
      local log = {}
      function tell(change)
        local text = change.kind
        for _, part in ipairs { { "+", "inserted" }, { "-", "deleted" }, { "~", "updated" }, { "^", "moved" } } do
          if #change[part[2]] > 0 then text = text .. " " .. part[1] .. entries(change[part[2]]) end
        end
        for _, s in ipairs(change.insertedSections) do text = text .. " +s" .. s.index .. "=" .. tostring(s.id) end
        for _, s in ipairs(change.deletedSections) do text = text .. " -s" .. s.index .. "=" .. tostring(s.id) end
        log[#log + 1] = text
      end
      function told()
        local text = table.concat(log, "; ")
        log = {}
        return text
      end
      """)
    return script
  }

  /// Runs a chunk as a turn of its own; errors in callbacks are recorded.
  @discardableResult
  func turn(_ chunk: String) throws -> [String] {
    try run(chunk)
    return engine.turns.end().map { engine.report($0).message }
  }
}
