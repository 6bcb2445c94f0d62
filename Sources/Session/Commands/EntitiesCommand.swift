internal import Modeling
internal import Presentation
internal import Queries

struct EntitiesCommand: CommandGroup {
  let tools: CommandTools

  var all: [Command] { [entitiesCommand, describeCommand, describeShortCommand, schemaCommand] }

  /// `.entities`
  var entitiesCommand: Command {
    Command(
      name: "entities", arguments: "", summary: "the entities, and how many objects each has", isPaged: true,
      inSandbox: .allowed
    ) {
      (invocation) throws(CommandFailure) in
      guard invocation.arguments.isEmpty else { throw .usage(invocation.command.usage) }
      try perform {
        let columns = [
          TabularColumn("entity"), TabularColumn("objects", alignment: .trailing),
          TabularColumn("attributes", alignment: .trailing), TabularColumn("relationships"),
        ]
        let rows = try (engine.store?.model.entities ?? []).map { entity in
          let relationships = entity.relationships.map { "\($0.name) \($0.isToMany ? "→→" : "→") \($0.destination)" }
          return [
            Cell.text(entity.name), .integer(Int64(try engine.store?.count(FetchRequest(entity)) ?? 0)),
            .integer(Int64(entity.attributes.count)), .text(relationships.joined(separator: ", ")),
          ]
        }
        try console.render(MemoryRows(columns: columns, rows: rows, rowName: rows.count == 1 ? "entity" : "entities"))
      }
    }
  }

  /// `.describe NAME`
  var describeCommand: Command {
    Command(
      name: "describe", arguments: "ENTITY", summary: "the properties of an entity",
      parameters: [.words { tools.entityCandidates }],
      isPaged: true, inSandbox: .allowed,
      run: { (invocation) throws(CommandFailure) in
        let entity = try tools.entity(try invocation.requiredArgument())
        try perform { try EntityHelp(console: console).show(entity) }
      })
  }

  /// `.d NAME`
  var describeShortCommand: Command {
    var command = describeCommand
    command.name = "d"
    command.summary = "short for .describe"
    return command
  }

  /// `.schema [ENTITY]`
  var schemaCommand: Command {
    Command(
      name: "schema", arguments: "[ENTITY]", summary: "the tables behind the entities, as SQL",
      parameters: [.words { tools.entityCandidates }],
      isPaged: true, inSandbox: .allowed,
      run: { (invocation) throws(CommandFailure) in
        let entity: Entity? = if let name = try invocation.optionalArgument() { try tools.entity(name) } else { nil }
        try perform { try printSchema(of: entity) }
      })
  }

  private func printSchema(of entity: Entity?) throws {
    guard let store = engine.store else { return }
    let table = entity.map { store.layout(of: $0).table }
    for statement in try store.schemaStatements(of: table) {
      let shown = DisplayText.picturingControls(in: statement, layout.charset, keepingLines: true)
      printText(statement.hasPrefix("-- ") ? shown + "\n" : shown + ";\n")
    }
    // Fetch request templates have no tables.
    var requests: [(String, FetchRequestTemplate)] = []
    for owner in entity.map({ [$0] }) ?? store.model.entities {
      requests += owner.description.fetchedProperties.map { ("\(owner.name).\($0.name)", $0.fetchRequest) }
    }
    if entity == nil {
      requests += store.model.fetchRequestTemplates.sorted { $0.key < $1.key }.map { ("template \($0)", $1) }
    }
    for (place, request) in requests {
      let text = "-- \(place): \(request.entity) \(EntityHelp.notes(on: request).joined(separator: ", "))"
      printText(DisplayText.picturingControls(in: text, layout.charset) + "\n")
    }
  }
}
