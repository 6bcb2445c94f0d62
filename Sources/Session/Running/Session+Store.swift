internal import Glibc
internal import LuaBindings
internal import LuaRuntime
internal import Modeling
package import Presentation

extension Session {
  /// The store's file and contents for the banner: `quakes.sqlite (4 entities, 86 MB)`.
  package var storeSummary: String? {
    guard let store = engine.store, store.path != ":memory:" else { return nil }
    var status = stat()
    let size = stat(store.path, &status) == 0 ? ", " + Quantity.bytes(Int(status.st_size)) : ""
    let count = store.model.entities.count
    let name = DisplayText(fileName(store.path), in: 60, layout.charset).text
    let kind = engine.sqliteStore == nil ? "PostgreSQL, " : store.kind == .coreData ? "Core Data, " : ""
    let summary = "\(name) (\(kind)\(count == 1 ? "1 entity" : "\(Quantity.grouped(count)) entities")\(size))"
    return state.map { summary + ", " + ($0 == "ro" ? "read-only" : "nothing is kept") } ?? summary
  }

  /// The store's restrictions, for the banner and the prompt.
  package var state: String? {
    if engine.store?.isDryRun == true { return "dry" }
    return engine.store?.isReadOnly == true ? "ro" : nil
  }

  /// The name under which the history keeps what is entered now: the whole path of the store or of the data in memory.
  package var historyPlace: String {
    guard let path = engine.store?.path else { return "" }
    if engine.sqliteStore == nil { return path }
    guard let file = path == ":memory:" ? dataPath : path, let whole = realpath(file, nil) else {
      return ""
    }
    defer { free(whole) }
    return String(cString: whole)
  }

  /// The name of the store's file without its extension.
  package var storeName: String {
    guard let path = engine.store?.path else { return "perilune" }
    let name = path == ":memory:" ? dataName ?? "perilune" : fileName(path)
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
    let shown = DisplayText(stem.isEmpty ? name : String(stem), in: 24, layout.charset).text
    return shown.replacing(" ", with: "_")
  }

  private func fileName(_ path: String) -> String {
    // Behind the question mark stand the settings of a server's address.
    let end = engine.sqliteStore == nil ? path.firstIndex(of: "?") ?? path.endIndex : path.endIndex
    return path[..<end].split(separator: "/").last.map(String.init) ?? path
  }

  /// Whether the block is incomplete and needs more lines.
  package func completeness(of block: String) -> Completeness {
    if SQLHabit.matches(block) || LuaMistake.endsInMethod(block) { return .complete }
    return engine.isComplete(block) ? .complete : .incomplete
  }

  /// Returns the completions at a byte of a block.
  package func completions(_ block: String, at cursor: Int) -> Completions {
    // A precaution: reading variables runs no code.
    engine.lua.installSignalHandler()
    defer { engine.lua.uninstallSignalHandler() }
    return LuaCompleter(engine: engine).completions(block, at: cursor)
  }
}

extension Session {
  /// Refuses a name alone that is neither a global nor a local.
  func refuseUnknownName(_ source: String, _ values: [LuaReference]) throws {
    let name = source.trimmingSpace
    guard Naming.isLuaIdentifier(name), values.count == 1 else { return }
    let hints = LuaHints(engine: engine, sources: sources)
    guard !hints.isKnown(name) else { return }
    var unknown = UnknownName(name: name, nearest: hints.nearestKnown(to: name))
    let entities = engine.store?.model.entities ?? []
    if commands.contains(where: { $0.name == name }) {
      unknown.elsewhere = "the command is .\(name)"
    } else if let entity = entities.first(where: { $0.name.lowercased() == name.lowercased() }) {
      unknown.nearest = entity.name
    } else if let entity = engine.store?.model.entities.first(where: { $0.index(of: name) != nil }) {
      unknown.elsewhere = "it is a property of \(entity.name)"
    }
    throw unknown
  }
}
