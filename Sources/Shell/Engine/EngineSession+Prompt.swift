internal import Glibc
internal import LuaBindings
internal import Modeling
internal import Presentation

extension EngineSession {
  /// The prompt: the store, its access mode, and the number of unsaved changes.
  ///
  ///     quakes>       quakes*3>       quakes:ro>       quakes:dry*1>       quakes Quake us1>
  var prompt: String { surroundings.outputStyle(.prompt, promptText + ">") + " " }

  private var promptText: String {
    let count = engine.unsavedChangeCount
    var text = storeName
    if let state { text += ":" + state }
    if count > 0 { text += "*\(Quantity.grouped(count))" }
    if let label = engine.scopeLabel { text += " " + DisplayText(label, in: 24, surroundings.charset).text }
    return text
  }

  /// The continuation prompt, as wide as the first.
  func continuationPrompt(line: Int) -> String {
    let width = promptText.terminalWidth
    let number = String(line)
    let space = String(repeating: " ", count: max(width - number.count, 0))
    return space + surroundings.outputStyle(.note, number + ">") + " "
  }

  /// The store's file and contents for the banner: `quakes.sqlite (4 entities, 86 MB)`.
  var storeSummary: String? {
    guard let store = engine.store, store.path != ":memory:" else { return nil }
    var status = stat()
    let size = stat(store.path, &status) == 0 ? ", " + Quantity.bytes(Int(status.st_size)) : ""
    let count = store.model.entities.count
    let name = DisplayText(fileName(store.path), in: 60, surroundings.charset).text
    let kind = engine.sqliteStore == nil ? "PostgreSQL, " : store.kind == .coreData ? "Core Data, " : ""
    let summary = "\(name) (\(kind)\(count == 1 ? "1 entity" : "\(Quantity.grouped(count)) entities")\(size))"
    return state.map { summary + ", " + ($0 == "ro" ? "read-only" : "nothing is kept") } ?? summary
  }

  /// The store's kind and restrictions, for the banner.
  private var state: String? {
    if engine.store?.isDryRun == true { return "dry" }
    return engine.store?.isReadOnly == true ? "ro" : nil
  }

  /// The name under which the history keeps what is entered now: the whole path of the store or of the data in memory.
  var historyPlace: String {
    guard let path = engine.store?.path else { return "" }
    if engine.sqliteStore == nil { return path }
    guard let file = path == ":memory:" ? dataPath : path, let whole = realpath(file, nil) else {
      return ""
    }
    defer { free(whole) }
    return String(cString: whole)
  }

  /// The name of the store's file without its extension.
  var storeName: String {
    guard let path = engine.store?.path else { return "perilune" }
    let name = path == ":memory:" ? dataName ?? "perilune" : fileName(path)
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
    let shown = DisplayText(stem.isEmpty ? name : String(stem), in: 24, surroundings.charset).text
    return shown.replacing(" ", with: "_")
  }

  private func fileName(_ path: String) -> String {
    // Behind the question mark stand the settings of a server's address.
    let end = engine.sqliteStore == nil ? path.firstIndex(of: "?") ?? path.endIndex : path.endIndex
    return path[..<end].split(separator: "/").last.map(String.init) ?? path
  }

  /// Whether the block is incomplete and needs more lines.
  func completeness(of block: String) -> Completeness {
    if SQLHabit.matches(block) || LuaMistake.endsInMethod(block) { return .complete }
    return engine.isComplete(block) ? .complete : .incomplete
  }

  /// Returns the completions at a byte of a block.
  func completions(_ block: String, at cursor: Int) -> Completions {
    // A precaution: reading variables runs no code.
    engine.lua.installSignalHandler()
    defer { engine.lua.uninstallSignalHandler() }
    return LuaCompleter(engine: engine).completions(block, at: cursor)
  }
}

/// Whether a readable file exists at the path.
func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }
