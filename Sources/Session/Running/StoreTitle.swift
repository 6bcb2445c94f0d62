internal import Glibc
internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Stores

/// How the open store is called: in the banner, in the prompt and in the history.
package final class StoreTitle {
  private let engine: Engine
  private let charset: Charset
  /// The data of which the store in memory was made: its name and its first file.
  var data: (name: String?, path: String?)

  init(_ console: Console) { (engine, charset) = (console.engine, console.layout.charset) }

  /// The store's file and contents for the banner: `quakes.sqlite (4 entities, 86 MB)`.
  package var summary: String? {
    guard let store = engine.store, store.path != ":memory:" else { return nil }
    var status = stat()
    let size = stat(store.path, &status) == 0 ? ", " + Quantity.bytes(Int(status.st_size)) : ""
    let count = store.model.entities.count
    let name = DisplayText(fileName(store.path), in: 60, charset).text
    let kind = (isOnServer ? StoreKind.postgres : store.kind).maker.map { $0 + ", " } ?? ""
    let text = "\(name) (\(kind)\(count == 1 ? "1 entity" : "\(Quantity.grouped(count)) entities")\(size))"
    return state.map { text + ", " + ($0 == "ro" ? "read-only" : "nothing is kept") } ?? text
  }

  private var isOnServer: Bool { engine.store.map { Engine.isServer($0.path) } ?? false }

  /// The store's restrictions, for the banner and the prompt.
  package var state: String? {
    if engine.store?.isDryRun == true { return "dry" }
    return engine.store?.isReadOnly == true ? "ro" : nil
  }

  /// The name under which the history keeps what is entered now: the whole path of the store or of the data in memory.
  package var historyPlace: String {
    guard let path = engine.store?.path else { return "" }
    if isOnServer { return path }
    guard let file = path == ":memory:" ? data.path : path, let whole = realpath(file, nil) else {
      return ""
    }
    defer { free(whole) }
    return String(cString: whole)
  }

  /// The name of the store's file without its extension.
  package var name: String {
    guard let path = engine.store?.path else { return "perilune" }
    let name = path == ":memory:" ? data.name ?? "perilune" : fileName(path)
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
    let shown = DisplayText(stem.isEmpty ? name : String(stem), in: 24, charset).text
    return shown.replacing(" ", with: "_")
  }

  private func fileName(_ path: String) -> String {
    // Behind the question mark stand the settings of a server's address.
    let end = isOnServer ? path.firstIndex(of: "?") ?? path.endIndex : path.endIndex
    return path[..<end].split(separator: "/").last.map(String.init) ?? path
  }
}
