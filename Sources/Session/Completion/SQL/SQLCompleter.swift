internal import LuaBindings
internal import Modeling
package import Presentation
internal import RelationalStorage

/// Completes SQL: statements, tables, columns of the tables that the statement names, and the conditions that join them.
package struct SQLCompleter {
  let engine: Engine

  /// Completions at the end of `text`, with the text behind the cursor.
  package func completions(_ text: String, behind: String = "") -> Completions {
    let word = String(text.reversed().prefix(while: SQLToken.isPart).reversed())
    let start = text.utf8.count - word.utf8.count
    guard let store = engine.store, word.first?.isNumber != true,
      var before = SQLToken.tokens(of: String(text.dropLast(word.count)))
    else { return Completions(start: text.utf8.count) }
    if let end = before.lastIndex(where: { $0.text == ";" && $0.kind == .sign }) {
      before = Array(before[(end + 1)...])
    }
    let after = SQLToken.tokens(of: String(behind.prefix { $0 != ";" })) ?? []
    let place = StatementPlace(before: before, after: after, store.databaseSchema(), store.dialect)
    var known: Set<String> = []
    let candidates = place.candidates(word).filter { known.insert($0.text).inserted }
    return Completions(start: start, candidates: candidates)
  }
}
