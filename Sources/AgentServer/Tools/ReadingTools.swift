internal import Modeling
internal import Presentation

// Tools that answer questions about the objects of a store.
extension AgentServer {
  /// The parameters by which tools take the objects of a request.
  private static let request: [ToolParameter] = [
    ToolParameter("entity", .text, isRequired: true),
    ToolParameter(
      "where", .text, #"Predicate with %@ for arguments: "magnitude > %@ AND ANY reports.text CONTAINS[cd] %@""#),
    ToolParameter("arguments", .values, #"Values of %@; dates as {"date": "2026-01-31"}"#),
  ]

  /// The Lua of a request: `r` is what `entity`, `where` and `arguments` ask for.
  private static let narrowing = """
    local function value(v)
      if type(v) == "table" then return Date(v.date) end
      if v == null then return nil end
      return v
    end
    local values, n = {}, #(a.arguments or {})
    for i = 1, n do values[i] = value(a.arguments[i]) end
    local entity = store.entities[a.entity]
    local p = a.where and Predicate(a.where, table.unpack(values, 1, n))
    local r = entity:all()
    if p then
      r = r:where(p)
      p = r.predicate
    end

    """

  /// `find`: rows.
  var find: Tool {
    Tool(
      name: "find", title: "Find objects",
      summary: "Objects of an entity as rows, with the exact total.",
      parameters: Self.request + [
        ToolParameter("sort", .texts, #"Key paths, "-" for descending: ["-time", "code"]"#),
        ToolParameter("columns", .texts, "Key paths and expressions; without them all attributes"),
        ToolParameter("limit", .integer(1...1000), "50 by default"),
        ToolParameter("offset", .integer(0...1_000_000_000)),
      ] + common
    ) { [unowned self] arguments in
      let (limit, offset) = (arguments.integer("limit") ?? 50, arguments.integer("offset") ?? 0)
      var rows: RowsAnswer?
      let total = try session(of: arguments).run(
        Self.narrowing + """
          local total = r:count()
          if a.sort then r = r:sorted(table.unpack(a.sort)) end
          show(r:offset(a.offset or 0):limit(a.limit or 50), { columns = a.columns })
          return total
          """, arguments.values
      ) { source in
        rows = try RowsAnswer(source, limit: limit, characters: Self.charactersOfRows(arguments))
      }
      return ToolAnswer(Self.page(rows, total, offset, arguments))
    }
  }

  /// `ask`: groups and aggregates.
  var ask: Tool {
    Tool(
      name: "ask", title: "Group and aggregate",
      summary: "Counts, sums and other aggregates, by group or of all; computed in the store.",
      parameters: Self.request + [
        ToolParameter("group", .texts, #"Key paths and expressions: ["status", "month(time)"]"#),
        ToolParameter(
          "values", .namedTexts, #"Aggregates by name: {"n": "count", "top": "max(magnitude)"}; count by default"#),
        ToolParameter("having", .text, "Condition on groups, by the names of values: n > 10"),
        ToolParameter("sort", .texts, #"Names of groups and values: ["-n"]"#),
        ToolParameter("limit", .integer(1...1000), "50 by default"),
        ToolParameter("offset", .integer(0...1_000_000_000)),
      ] + common
    ) { [unowned self] arguments in
      let (limit, offset) = (arguments.integer("limit") ?? 50, arguments.integer("offset") ?? 0)
      var rows: RowsAnswer?
      let total = try session(of: arguments).run(
        Self.narrowing + """
          local values, found = a.values or { n = "count" }, nil
          if a.group then
            found = r:groupBy(a.group, values, { having = a.having, sort = a.sort })
          elseif a.having or a.sort then
            error("ask: having and sort are for groups", 0)
          else
            found = FetchRequest { fetchRequest = r, resultType = "dictionaries", propertiesToFetch = values }:fetch()
          end
          show(found)
          return #found
          """, arguments.values
      ) { source in
        rows = try RowsAnswer(source, from: offset, limit: limit, characters: Self.charactersOfRows(arguments))
      }
      return ToolAnswer(Self.page(rows, total, offset, arguments))
    }
  }

  /// `why`: which part of a predicate decides.
  var why: Tool {
    Tool(
      name: "why", title: "Why do objects match or not",
      summary:
        "Objects that match each clause, do not, or are neither as a value is nil; with an id, what decides for that object.",
      parameters: Self.request + [
        ToolParameter("id", .text, "The object: its unique value, or its number")
      ] + common
    ) { [unowned self] arguments in
      guard arguments.text("where") != nil else { throw ToolFailure("why: 'where' is missing: a predicate") }
      let answer = try session(of: arguments).run(
        Self.narrowing + """
          local found = { counts = tostring(p:counts(entity)) }
          if a.id then
            local object = entity:find(a.id) or entity:find(math.tointeger(tonumber(a.id)) or a.id)
            if not object then error("why: there is no " .. a.entity .. " " .. a.id, 0) end
            found.object = tostring(p:why(object))
          end
          return found
          """, arguments.values)
      guard case .object(let members) = answer else { return ToolAnswer([:]) }
      return ToolAnswer(members)
    }
  }

  /// `explain`: how the store finds objects.
  var explain: Tool {
    Tool(
      name: "explain", title: "How the store finds objects",
      summary: "The SQL, the plan in words, the rows looked at, and the index that would help.",
      parameters: Self.request + [ToolParameter("sort", .texts)] + common
    ) { [unowned self] arguments in
      let answer = try session(of: arguments).run(
        Self.narrowing + """
          if a.sort then r = r:sorted(table.unpack(a.sort)) end
          return { plan = (tostring(r:explain()):gsub(" in [%d.]+ [mµ]?s", "")) }
          """, arguments.values)
      guard case .object(let members) = answer else { return ToolAnswer([:]) }
      return ToolAnswer(members)
    }
  }

  /// `swift`: the request as source.
  var swift: Tool {
    Tool(
      name: "swift", title: "The request as Swift",
      summary: "Swift source of the request for an app.",
      parameters: Self.request + [
        ToolParameter("sort", .texts),
        ToolParameter("form", .choice(Self.swiftForms), "Without it, the usual one"),
      ] + common
    ) { [unowned self] arguments in
      let answer = try session(of: arguments).run(
        Self.narrowing + """
          if a.sort then r = r:sorted(table.unpack(a.sort)) end
          if a.form then return { source = r:swift(a.form) } end
          return { source = r:swift() }
          """, arguments.values)
      guard case .object(let members) = answer else { return ToolAnswer([:]) }
      return ToolAnswer(members, isData: false)
    }
  }

  /// The members of a page of rows: the rows, the total, and the call for the next page.
  private static func page(_ rows: RowsAnswer?, _ total: JSON, _ offset: Int, _ arguments: ToolArguments) -> [String:
    JSON]
  {
    var members = rows?.members ?? [:]
    members["total"] = total
    let end = offset + (rows?.rows.count ?? 0)
    if case .int(let total) = total, Int64(end) < total, end > offset {
      members["next"] = arguments.replacing(["offset": .int(Int64(end))])
    }
    return members
  }
}
