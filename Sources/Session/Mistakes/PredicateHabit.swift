internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Queries

/// A predicate typed where Lua is expected, with the requests that it can belong to.
///
///     place CONTAINS "Chile"       Quake:where [[place CONTAINS "Chile"]]
struct PredicateHabit {
  /// The lines of Lua with it, one for each entity that it fits.
  let suggestions: [String]
  /// No typed predicate is longer, and each entity reads it.
  private static let mostBytes = 2_000
  private static let mostSuggestions = 3

  /// Recognizes a predicate about the properties of an entity; `first` is the entity that was shown last.
  init?(_ text: String, model: Model?, first: String?) {
    let text = text.trimmingSpace
    guard let model, text.utf8.count <= Self.mostBytes else { return nil }
    let fitting = model.entities.filter { entity in
      let (predicate, issues) = Predicate.diagnose(text, in: entity)
      return issues.isEmpty && predicate?.paths.isEmpty == false
    }.map(\.name)
    guard !fitting.isEmpty else { return nil }
    let names = fitting.filter { $0 == first } + fitting.filter { $0 != first }
    let quoted = text.contains("\"") || text.contains("\\") || text.contains("\n") ? "[[\(text)]]" : "\"\(text)\""
    suggestions = names.prefix(Self.mostSuggestions).map { "\($0):where \(quoted)" }
  }

  var diagnostic: Diagnostic {
    var diagnostic = Diagnostic("this is a predicate, and lines are Lua here")
    diagnostic.notes = ["the same here: " + suggestions[0]] + suggestions.dropFirst().map { "or: " + $0 }
    return diagnostic
  }
}

extension Session {
  /// The predicate that was typed in place of Lua; nil for anything that Lua can mean.
  ///
  /// Lua may read it, too: `magnitude > 5` compares a global. At the prompt it is none where no such global is there.
  func predicateHabit(_ source: String) -> PredicateHabit? {
    let tokens = LuaToken.tokens(of: source)
    guard tokens.count > 1, tokens.count < 500 else { return nil }
    if !engine.isMistake(source) {
      let hints = LuaHints(engine: engine, sources: sources)
      let words = tokens.enumerated().filter { index, token in
        token.kind == .name && (index == 0 || ![".", ":"].contains(Self.text(tokens[index - 1], source)))
      }.map { Self.text($1, source) }
      guard isAtPrompt, engine.isExpression(source), !words.isEmpty, !words.contains(where: hints.isKnown) else {
        return nil
      }
    }
    return PredicateHabit(source, model: engine.store?.model, first: settings.lastTable?.rowName)
  }

  private static func text(_ token: LuaToken, _ source: String) -> String {
    String(decoding: Array(source.utf8)[token.range], as: UTF8.self)
  }
}
