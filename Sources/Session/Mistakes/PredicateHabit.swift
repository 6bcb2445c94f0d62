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
