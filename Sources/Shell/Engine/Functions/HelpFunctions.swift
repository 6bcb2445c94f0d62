internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Terminal

/// `help "topic"` and `describe(x)`.
struct HelpFunctions {
  private unowned let session: EngineSession

  init(_ session: EngineSession) { self.session = session }

  func install() {
    session.engine.define(
      "help", "help([topic])", "Tells about a function, a method, an entity, or everything that begins so.",
      inSandbox: true
    ) { [unowned session] stack in
      if stack.isNoneOrNil(at: 1) {
        session.showHelp(on: "")
      } else if case .entity(let entity, _) = try session.engine.engineValue(at: 1, on: stack) {
        session.showHelp(on: entity.name)
      } else if let name = stack.string(at: 1) {
        session.showHelp(on: name)
      } else {
        throw ArgumentFailure(function: "help", message: "expected a name, got \(stack.typeName(at: 1))")
      }
      return 0
    }
    session.engine.define(
      "describe", "describe(value)",
      "Shows what a value is: an entity with its properties, a model, a store, an object.",
      inSandbox: true
    ) { [unowned session] stack in
      guard stack.count > 0 else { throw ArgumentFailure(function: "describe", message: "a value is missing") }
      try session.describe(at: 1, on: stack)
      return 0
    }
  }
}

extension EngineSession {
  /// Shows help on a name; the overview for "".
  func showHelp(on name: String) {
    let text = HelpText(engine: engine, style: surroundings.outputStyle, width: surroundings.window?.columns ?? 80)
    if name.isEmpty { return printText(text.overview) }
    if name.hasPrefix("."), let command = commands.first(where: { "." + $0.name == name }) {
      return printText("  \(command.usage)\n    \(command.summary)\n")
    }
    if let entity = engine.store?.model.entity(named: name) {
      _ = guarding { try describe(entity) }
      return
    }
    if let entries = text.entries(name) { return printText(entries) }
    var diagnostic = Diagnostic("there is no help on '\(name)'")
    diagnostic.suggestion = nearestName(to: name, in: engine.catalog.entries.map(\.name))
    report(diagnostic)
  }

  /// Writes text to standard output.
  func printText(_ text: String) {
    surroundings.show(text)
  }
}

/// The text of help, made from the catalog.
struct HelpText {
  let engine: Engine
  let style: Style
  var width = 80

  /// The overview: how to begin, and all names.
  var overview: String {
    var text = """
      Lines are Lua; the value of an expression is shown, and stays in _ and _1, _2, ...
        Quake:where("magnitude > %@", 6):sorted("-time"):limit(5)
        ?name     help on a function, an entity or a kind of thing      .help     the dot commands
        Ctrl-C    drops the line, stops what runs                       Ctrl-D    leaves


      """
    let entities = engine.store?.model.entities.map(\.name) ?? []
    if !entities.isEmpty { text += section("Entities", entities) }
    text += section("Functions", engine.catalog.members(of: "").filter { $0.kind == .function }.map(\.name))
    text += section("Kinds", kinds)
    return text
  }

  /// The types with members: a store, a request, a date.
  private var kinds: [String] {
    var kinds: [String] = []
    for entry in engine.catalog.entries where entry.kind == .method || entry.kind == .property {
      if !kinds.contains(entry.owner) { kinds.append(entry.owner) }
    }
    return kinds
  }

  /// A titled list of names, wrapped to the window.
  private func section(_ title: String, _ names: [String]) -> String {
    let indent = 13
    var lines = [""]
    for name in names {
      let last = lines[lines.count - 1]
      if !last.isEmpty, last.count + 2 + name.count > max(width - indent - 1, 20) {
        lines.append(name)
      } else {
        lines[lines.count - 1] = last.isEmpty ? name : last + "  " + name
      }
    }
    let label = title + String(repeating: " ", count: max(indent - 2 - title.count, 1))
    return "  " + style(.name, label) + lines.joined(separator: "\n" + String(repeating: " ", count: indent)) + "\n"
  }

  /// Returns the help entries for a name; nil if there are none.
  func entries(_ name: String) -> String? {
    let found = engine.catalog.entries(named: name)
    if !found.isEmpty { return found.map(entry).joined() }
    let beginning = engine.catalog.entries.filter { $0.name.hasPrefix(name) }
    return beginning.isEmpty ? nil : beginning.map(entry).joined()
  }

  private func entry(_ entry: CatalogEntry) -> String {
    let option = entry.kind == .option ? style(.note, " (option of \(entry.owner))") : ""
    return "  " + style(.name, entry.signature) + option + "\n    " + entry.summary + "\n"
  }
}
