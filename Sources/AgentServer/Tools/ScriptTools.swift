internal import JSONRPC
internal import LuaBindings
internal import Modeling
internal import Session

// Tools that run scripts, or tell what others have written.
extension AgentServer {
  /// `run`: a script that cannot write.
  var run: Tool {
    Tool(
      name: "run", title: "Run a Lua script",
      summary:
        """
        Lua 5.4 in a sandbox that cannot write: no files, no SQL, no network, \(Quantity.duration(limits.seconds)), \(limits.memory >> 20) MB. \
        Entities are globals: Quake:where("magnitude > %@", 6):sorted("-time"):limit(5), :count(), :each(), :groupBy("status", \
        { n = "count" }), :sum("depth"); objects have their properties as fields. print(...) and returned values are the answer; \
        help("where") explains a function. Each call begins anew.
        """,
      parameters: [
        ToolParameter("script", .text, isRequired: true),
        ToolParameter("seconds", .integer(1...max(1, Int(limits.seconds)))),
      ] + common
    ) { [unowned self] arguments in
      let session = try store(of: arguments).session(.reading)
      attend(to: session)
      defer { session.close() }
      let succeeded = session.run(
        script: arguments.text("script") ?? "",
        seconds: arguments.integer("seconds").map(Double.init) ?? limits.seconds,
        characters: Self.characters(arguments) - 700)
      var members = Self.members(of: session)
      guard succeeded else { throw ToolFailure(Self.failure(of: session, members)) }
      members["values"] = .array(session.values)
      return ToolAnswer(members)
    }
  }

  /// What a script printed and what is to be said of it.
  static func members(of session: ToolSession) -> [String: JSON] {
    var members: [String: JSON] = [:]
    if !session.printed.isEmpty { members["output"] = .string(session.printed) }
    if session.droppedBytes > 0 {
      members["outputCut"] = .string(
        "\(Quantity.bytes(session.droppedBytes)) more were printed; ask with 'characters' for more")
    }
    if !session.notes.isEmpty { members["notes"] = .array(session.notes.map(JSON.string)) }
    return members
  }

  static func failure(of session: ToolSession, _ members: [String: JSON]) -> String {
    let mistakes =
      session.mistakes.isEmpty ? "the script ended with a status of its own" : session.mistakes.joined(separator: "\n")
    guard !members.isEmpty else { return mistakes }
    return mistakes + "\nbefore: " + BoundedText(JSON.object(members).text, 2_000).text
  }

  /// `changes`: what was written since a token.
  var changes: Tool {
    Tool(
      name: "changes", title: "Changes since a token",
      summary:
        "The store's history: transactions with author, time and changed objects, oldest first, and the token for the next call. Without 'since' only the token of now.",
      parameters: [
        ToolParameter("since", .text, "The token of an earlier answer"), ToolParameter("entity", .text),
        ToolParameter("limit", .integer(1...1000), "Transactions; 50 by default"),
      ] + common
    ) { [unowned self] arguments in
      let answer = try session(of: arguments).run(
        """
        local now = tostring(store.historyToken)
        if not a.since then return { token = now, transactions = {} } end
        local list = {}
        for t in store:history({ since = a.since, entity = a.entity, limit = a.limit or 50 }):each() do
          local changes = {}
          for i, c in ipairs(t.changes) do
            if i > 100 then break end
            local properties = table.concat(c.properties, " ")
            changes[i] = { kind = c.kind, object = tostring(c.objectID), properties = properties ~= "" and properties or nil }
          end
          list[#list + 1] = { token = tostring(t.token), time = t.time, author = t.author, context = t.context,
            changes = changes, count = #t.changes }
        end
        return { token = now, transactions = list }
        """, arguments.values)
      guard case .object(var members) = answer else { return ToolAnswer([:]) }
      guard case .array(let all)? = members["transactions"] else {
        members["transactions"] = .array([])
        return ToolAnswer(members)
      }
      Self.bound(all, &members, arguments)
      return ToolAnswer(members)
    }
  }

  /// Keeps the transactions that fit; what is left is asked for with the token of the last of them.
  private static func bound(_ all: [JSON], _ members: inout [String: JSON], _ arguments: ToolArguments) {
    var (size, kept) = (0, [JSON]())
    for transaction in all {
      size += transaction.text.count + 1
      guard kept.isEmpty || size <= characters(arguments) - 500 else { break }
      kept.append(transaction)
    }
    members["transactions"] = .array(kept)
    guard case .object(let last)? = kept.last, let token = last["token"], token != members["token"] else { return }
    members["next"] = arguments.replacing(["since": token])
  }
}
