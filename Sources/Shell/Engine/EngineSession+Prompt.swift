internal import Glibc
internal import LuaBindings
internal import Modeling

extension EngineSession {
  /// What stands before the line that is typed: the store, what may be done with it, and what is not saved.
  ///
  ///     quakes>       quakes*3>       quakes:ro>       quakes:dry*1>
  var prompt: String {
    let count = engine.unsavedChangeCount
    var text = storeName
    if let state { text += ":" + state }
    if count > 0 { text += "*\(count)" }
    return surroundings.outputStyle(.prompt, text + ">") + " "
  }

  /// The prompt of a line of a block, as wide as the one of the first.
  func continuationPrompt(line: Int) -> String {
    let count = engine.unsavedChangeCount
    let width = storeName.terminalWidth + (state.map { $0.count + 1 } ?? 0) + (count > 0 ? String(count).count + 1 : 0)
    let number = String(line)
    let space = String(repeating: " ", count: max(width - number.count, 0))
    return space + surroundings.outputStyle(.note, number + ">") + " "
  }

  /// The file and what is in it, for the banner: `quakes.sqlite (4 entities, 86 MB)`.
  var storeSummary: String? {
    guard let store = engine.store, store.path != ":memory:" else { return nil }
    var status = stat()
    let size = stat(store.path, &status) == 0 ? ", " + Quantity.bytes(Int(status.st_size)) : ""
    let count = store.model.entities.count
    let name = DisplayText(fileName(store.path), in: 60, surroundings.charset).text
    let kind = store.kind == .coreData ? "Core Data, " : ""
    let summary = "\(name) (\(kind)\(count == 1 ? "1 entity" : "\(count) entities")\(size))"
    return state.map { summary + ", " + ($0 == "ro" ? "read-only" : "nothing is kept") } ?? summary
  }

  /// What is special about the store.
  private var state: String? {
    if engine.store?.isDryRun == true { return "dry" }
    return engine.store?.isReadOnly == true ? "ro" : nil
  }

  /// The name of the store's file, without what follows its point.
  private var storeName: String {
    guard let path = engine.store?.path, path != ":memory:" else { return "perilune" }
    let name = fileName(path)
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
    let shown = DisplayText(stem.isEmpty ? name : String(stem), in: 24, surroundings.charset).text
    return shown.replacing(" ", with: "_")
  }

  private func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Whether more lines are wanted.
  func completeness(of block: String) -> Completeness {
    if SQLHabit.matches(block) { return .complete }
    return engine.isComplete(block) ? .complete : .incomplete
  }

  /// What can stand at a byte of a block.
  func completions(_ block: String, at cursor: Int) -> Completions {
    // Only to be on the safe side: no variable that is looked up runs anything.
    engine.lua.installSignalHandler()
    defer { engine.lua.uninstallSignalHandler() }
    return LuaCompleter(engine: engine).completions(block, at: cursor)
  }
}

/// Whether there is a file that can be read.
func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }
