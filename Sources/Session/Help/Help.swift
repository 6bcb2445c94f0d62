internal import LuaBindings
internal import Modeling
internal import Presentation

/// Help on names: of functions, entities, commands and the predicate language.
package final class Help {
  let console: Console
  private let runs: GuardedRuns
  private var engine: Engine { console.engine }
  /// Returns the commands of the session.
  var commands: () -> [Command] = { [] }

  init(_ console: Console, _ runs: GuardedRuns) { (self.console, self.runs) = (console, runs) }

  /// Whether there is help on a name.
  func has(_ name: String) -> Bool { engine.store?.model.entity(named: name) != nil || text(on: name) != nil }

  /// Shows help on a name; the overview for "".
  package func show(_ name: String) {
    if let entity = engine.store?.model.entity(named: name) {
      _ = runs.guarding { try EntityHelp(console: console).show(entity) }
      return console.printText(pages.example("\(entity.name):limit(5)"))
    }
    if let text = text(on: name) {
      return console.printText(console.layout.width == nil ? text : pages.fitted(text))
    }
    var diagnostic = Diagnostic("there is no help on '\(name)'")
    let names =
      engine.catalog.entries.map(\.name) + PredicateTopic.all.flatMap(\.names) + AppleName.all.flatMap(\.names)
    diagnostic.suggestion = nearestName(to: name, in: names)
    console.report(diagnostic)
  }

  /// The names that there is help on, without those of entities.
  package var names: [String] {
    let functions = engine.catalog.entries.map { $0.owner.isEmpty ? $0.name : $0.title }
    return functions + PredicateTopic.all.flatMap(\.names) + commands().map { "." + $0.name }
  }

  /// The help on a name that is no entity, without colours; nil if there is none.
  package func plainText(on name: String) -> String? {
    text(on: name, HelpText(engine: engine, style: Style(enabled: false)))
  }

  private var pages: HelpText {
    HelpText(engine: engine, style: console.layout.style, width: console.layout.width ?? 80)
  }

  private func text(on name: String) -> String? { text(on: name, pages) }

  /// The help on a name that is no entity; nil if there is none.
  private func text(on name: String, _ pages: HelpText) -> String? {
    if name.isEmpty { return pages.overview }
    if name.hasPrefix("."), let command = commands().first(where: { "." + $0.name == name }) {
      return Self.help(on: command)
    }
    if ["predicate", "predicates"].contains(name) { return pages.predicates }
    if ["swift", "Swift"].contains(name) { return SwiftTopic.text(style: pages.style) + (pages.entries(name) ?? "") }
    let properties = pages.properties(name)
    if let entries = pages.entries(name) { return properties + entries }
    if !properties.isEmpty { return properties }
    if ["key", "keys"].contains(name) { return KeyTable.text(style: pages.style, width: pages.width) }
    // A name as Swift writes it is meant whole.
    if let apple = AppleName.named(name), apple.names.contains(name) { return pages.page(apple) }
    return PredicateTopic.topic(name).map(pages.page) ?? pages.predicateFunction(name) ?? pages.entries(beginning: name)
      ?? commands().first { $0.name == name }.map(Self.help) ?? AppleName.named(name).map(pages.page)
  }

  private static func help(on command: Command) -> String { "  \(command.usage)\n    \(command.summary)\n" }
}
