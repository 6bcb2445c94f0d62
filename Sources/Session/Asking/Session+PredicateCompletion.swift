package import Modeling
package import ObjectGraph
package import Presentation
internal import Queries

extension Session {
  /// Returns the completions at the end of the beginning of a predicate: key paths, operators, functions, and values that the
  /// store has. Texts get the quotation mark `quote`.
  package func completions(
    ofPredicate text: String, of entity: Entity, in context: ObjectContext, quote: Character = "\"",
    shouldStop: @escaping () -> Bool = { false }
  ) -> Completions {
    if let entities = PredicateCompleter(entity: entity).castEntities(text) { return entities }
    let values = ValueCompleter(engine: engine, context: context, shouldStop: shouldStop, quote: quote)
    if let found = values.completions(text, in: entity) { return found }
    var completions = PredicateCompleter(entity: entity).completions(text, at: 0)
    let word = String(decoding: Array(text.utf8)[completions.start...], as: UTF8.self)
    let isPath = text.utf8.dropLast(word.utf8.count).last == UInt8(ascii: ".")
    if !word.isEmpty, !isPath {
      let names = ExpressionFunction.callableNames.filter { $0.hasPrefix(word.lowercased()) && !$0.contains(":") }
      completions.candidates += names.map { Completions.Candidate($0 + "(", "function") }
    }
    return completions
  }
}
