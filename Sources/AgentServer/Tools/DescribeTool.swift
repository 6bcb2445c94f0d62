internal import JSONRPC
internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Queries
internal import Stores

// The tool that tells what a store holds.
extension AgentServer {
  /// The most characters of a description of all entities.
  static let longestOverview = 4_000

  /// `describe`: the model.
  var describe: Tool {
    Tool(
      name: "describe", title: "Describe the store",
      summary:
        "The entities with counts and names of properties; with an entity, its types, rules and relationships. Begin here.",
      parameters: [
        ToolParameter("entity", .text),
        ToolParameter("values", .flag, "Ranges, nils and distinct values of each property"),
      ] + common
    ) { [unowned self] arguments in
      guard arguments.text("entity") != nil else { return try overview(arguments) }
      let session = try session(of: arguments)
      var rows: RowsAnswer?
      let count = try session.run(
        """
        local entity = store.entities[a.entity]
        describe(entity)
        if a.values then show(entity:all():summary()) end
        return entity:count()
        """, arguments.values
      ) { source in rows = try RowsAnswer(source, limit: 1000, characters: Self.characters(arguments) / 2) }
      var members: [String: JSON] = [
        "entity": arguments.values["entity"] ?? .null, "count": count,
        "properties": .array(session.printed.split(separator: "\n").map { .string(String($0)) }),
      ]
      if let rows { members["values"] = .object(rows.members) }
      return ToolAnswer(members)
    }
  }

  /// All entities: with their properties if they fit, else with their counts, else their names.
  private func overview(_ arguments: ToolArguments) throws -> ToolAnswer {
    let session = try session(of: arguments)
    guard let store = session.engine.store else { return ToolAnswer([:]) }
    var counts: [String: JSON] = [:]
    try session.call { counts = try self.counts(store) }
    let entities = store.model.entities.sorted { $0.name < $1.name }
    func described(_ isLong: Bool) -> JSON {
      .array(
        entities.map { entity in
          var members: [String: JSON] = ["name": .string(entity.name)]
          members["count"] = counts[entity.name]
          if isLong { members["properties"] = .string(entity.properties.map(\.name).joined(separator: " ")) }
          return .object(members)
        })
    }
    let all = JSON.array(entities.map { .string($0.name) })
    let fitting = [described(true), described(false)].first { $0.text.count <= Self.longestOverview }
    var members: [String: JSON] = ["entities": fitting ?? all, "readOnly": .bool(!isWriting)]
    members["kind"] = .string(store.kind.rawValue)
    if fitting == nil, all.text.count > Self.longestOverview {
      let names = entities.map(\.name).joined(separator: " ")
      members["entities"] = .string(BoundedText(names, Self.longestOverview).text)
    }
    if !store.notes.isEmpty { members["notes"] = .array(store.notes.map(JSON.string)) }
    return ToolAnswer(members)
  }

  /// The counts of entities, as far as a second suffices to count them.
  private func counts(_ store: any OpenedStore) throws -> [String: JSON] {
    var counts: [String: JSON] = [:]
    let end = monotonicSeconds() + 1
    for entity in store.model.entities {
      let rest = end - monotonicSeconds()
      guard rest > 0 else { break }
      guard let count = try? store.limiting(seconds: rest, { try store.count(FetchRequest(entity)) }) else { continue }
      counts[entity.name] = .int(Int64(count))
    }
    return counts
  }
}
