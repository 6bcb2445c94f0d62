internal import LuaBindings
internal import LuaRuntime
internal import Modeling

struct TransferCommands: CommandGroup {
  let tools: CommandTools

  var all: [Command] { [exportCommand, importCommand] }

  /// `.export FILE [EXPRESSION]`
  var exportCommand: Command {
    Command(
      name: "export", arguments: "[--force] FILE [EXPRESSION]",
      summary: "write a value, or the last one, to a new file of rows; --force replaces one that is there",
      parameters: [.file, codeParameter], flags: ["--force"],
      changesThings: true, inSandbox: .allowed
    ) {
      (invocation) throws(CommandFailure) in
      let skipped = invocation.arguments.first == "--force" ? 1 : 0
      guard let path = invocation.arguments.dropFirst(skipped).first else { throw .usage(invocation.command.usage) }
      let expression = invocation.text(behind: skipped + 1)
      try perform {
        try callGlobal("export", with: expression.isEmpty ? "_" : expression, path, replaces: skipped > 0)
      }
    }
  }

  /// `.import FILE [ENTITY] [--upsert ATTRIBUTE] [--map COLUMN=ATTRIBUTE ...]`
  var importCommand: Command {
    Command(
      name: "import", arguments: "FILE [ENTITY] [--upsert ATTRIBUTE] [--map COLUMN=ATTRIBUTE]...",
      summary: "read a file of rows into an entity, which is made where there is none",
      parameters: [.file, .words { tools.entityCandidates }], flags: ["--upsert", "--map"],
      changesThings: true, inSandbox: .refused(because: "scripts have no files in it"),
      run: { (invocation) throws(CommandFailure) in
        guard let words = ImportArguments(invocation.arguments) else { throw .usage(invocation.command.usage) }
        let name = words.entity.map(entityName) ?? Naming.entity(file: words.file)
        try perform { try importRows(words, into: entityName(name)) }
      })
  }

  /// The entity of a name: the entity's name in any case, or the name of its table.
  private func entityName(_ name: String) -> String {
    guard let store = engine.store, store.model.entity(named: name) == nil else { return name }
    let wanted = name.lowercased()
    let found = store.model.entities.first { $0.name.lowercased() == wanted || store.layout(of: $0).table == wanted }
    return found?.name ?? name
  }

  /// Calls `import`, and says how many rows there were.
  private func importRows(_ arguments: ImportArguments, into name: String) throws {
    let isNew = engine.store?.model.entity(named: name) == nil
    let stack = engine.lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    stack.reserve(8)
    stack.pushGlobal("import")
    stack.push(name)
    stack.push(arguments.file)
    stack.pushTable(hash: 2)
    if let upsert = arguments.upsert {
      stack.push(upsert)
      stack.rawSet(field: "upsert", at: -2)
    }
    if !arguments.map.isEmpty {
      stack.pushTable(hash: Int32(clamping: arguments.map.count))
      for (column, attribute) in arguments.map {
        if attribute.isEmpty { stack.push(false) } else { stack.push(attribute) }
        stack.rawSet(field: column, at: -2)
      }
      stack.rawSet(field: "map", at: -2)
    }
    try stack.call(arguments: 3, results: 1)
    // A new entity was described when it was made.
    guard isAtPrompt, !isNew, stack.type(at: -1) == .table else { return }
    let inserted = count("inserted", on: stack)
    let updated = count("updated", on: stack)
    let updates = updated == 0 ? "" : ", \(Quantity.grouped(updated)) updated"
    tellDone("\(Quantity.count(inserted, "row")) \(updated == 0 ? "→" : "new\(updates) →") \(name)")
  }

  private func count(_ name: String, on stack: LuaStack) -> Int {
    defer { stack.pop() }
    stack.rawGet(field: name, at: -1)
    return stack.integer(at: -1).map { Int($0) } ?? 0
  }

  /// Calls a function with the value of an expression and the name of a file, and prints the number of rows.
  private func callGlobal(_ name: String, with expression: String, _ path: String, replaces: Bool) throws {
    let stack = engine.lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    let values = try engine.evaluate(expression, name: "=\(name)")
    guard let value = values.first else { throw ArgumentFailure(function: name, message: "a value is missing") }
    stack.pushGlobal(name)
    stack.push(value)
    stack.push(path)
    stack.pushTable()
    stack.push(replaces)
    stack.rawSet(field: "force", at: -2)
    try stack.call(arguments: 3, results: 1)
    if isAtPrompt, let rows = stack.integer(at: -1) {
      tellDone(Quantity.count(Int(rows), "row"))
    }
  }
}

/// The words behind `.import`.
private struct ImportArguments {
  private(set) var file = ""
  private(set) var entity: String?
  private(set) var upsert: String?
  /// The columns with the attributes that they go to; an empty one leaves the column out.
  private(set) var map: [(column: String, attribute: String)] = []

  init?(_ words: [String]) {
    var names: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--upsert":
        guard let key = rest.popFirst() else { return nil }
        upsert = key
      case "--map":
        guard let pair = rest.popFirst(), let equals = pair.lastIndex(of: "=") else { return nil }
        map.append((String(pair[..<equals]), String(pair[pair.index(after: equals)...])))
      default:
        if word.hasPrefix("--") { return nil }
        names.append(word)
      }
    }
    guard (1...2).contains(names.count) else { return nil }
    file = names[0]
    entity = names.dropFirst().first
  }
}
