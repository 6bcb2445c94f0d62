internal import Comparison
internal import JSONRPC
internal import LuaBindings
internal import Modeling

// The tool that compares two stores of the server.
extension AgentServer {
  /// `compare`: what another store has.
  var compare: Tool {
    Tool(
      name: "compare", title: "Compare two stores",
      summary:
        "What another store has: counts by entity, and its inserted, updated and missing objects, a line for each.",
      parameters: [
        ToolParameter("with", .choice(stores.map(\.name)), "The other store", isRequired: true),
        ToolParameter("entities", .texts, "Without them, all"),
        ToolParameter("by", .texts, "The properties that identify objects, where the model has no unique ones"),
        ToolParameter("limit", .integer(1...1000), "50 by default"),
        ToolParameter("offset", .integer(0...1_000_000_000)),
      ] + common
    ) { [unowned self] arguments in
      let session = try store(of: arguments).session(.reading)
      attend(to: session)
      defer { session.close() }
      try compare(with: stores.first { $0.name == arguments.text("with") } ?? stores[0], arguments, in: session)
      let answer = try session.run(
        """
        local lines, n, offset = {}, 0, a.offset or 0
        for change in difference:each() do
          n = n + 1
          if n > offset and #lines < (a.limit or 50) then lines[#lines + 1] = tostring(change) end
        end
        return { counts = difference.counts, model = table.concat(difference.model, "; "), total = n,
          changes = table.concat(lines, "\\n") }
        """, arguments.values)
      guard case .object(let members) = answer else { return ToolAnswer([:]) }
      return ToolAnswer(Self.page(members, arguments))
    }
  }

  /// Makes the comparison of a session's store with another the global `difference`.
  private func compare(
    with other: ServedStore, _ arguments: ToolArguments, in session: ToolSession
  ) throws(ToolFailure) {
    try session.call {
      let engine = session.engine
      guard let first = engine.store else { return }
      var options = StoreComparison.Options()
      (options.entities, options.by) = (arguments.texts("entities"), arguments.texts("by"))
      let second = try engine.stores.openToRead(other.path, isRows: false)
      guard let difference = engine.reference(to: try StoreComparison(first, second, options)) else { return }
      engine.lua.stack.push(difference)
      engine.lua.setGlobal("difference")
    }
  }

  /// The members of an answer with the changes that fit, and the call for the next page.
  private static func page(_ members: [String: JSON], _ arguments: ToolArguments) -> [String: JSON] {
    var (members, size, kept) = (members, 0, [JSON]())
    guard case .string(let text)? = members["changes"], case .int(let total)? = members["total"] else { return members }
    for line in text.split(separator: "\n") {
      let change = JSON.string(BoundedText(String(line), 1_000).text)
      size += change.text.count + 1
      guard kept.isEmpty || size <= characters(arguments) - 2_000 else { break }
      kept.append(change)
    }
    members["changes"] = .array(kept)
    if members["model"] == .string("") { members["model"] = nil }
    let end = (arguments.integer("offset") ?? 0) + kept.count
    if Int64(end) < total, !kept.isEmpty { members["next"] = arguments.replacing(["offset": .int(Int64(end))]) }
    return members
  }
}
