package import Modeling

/// The rows that a statement of SQL deletes, changes or drops, and the query that counts them.
///
///     SQLChange.changes(of: "DELETE FROM quake WHERE depth > 5")
///     // [deletes, quake, SELECT count(*) FROM quake WHERE depth > 5]
package struct SQLChange {
  /// What a statement does with rows.
  package enum Verb: String, Sendable {
    case deletes, changes, drops, empties
  }

  /// The effect on the rows.
  package var verb: Verb
  package var table: String
  /// The tables that are dropped or emptied, as the statement writes them.
  package var tables: [String] = []
  /// A query of one number.
  package var count: String
  /// The arguments of the query.
  package var arguments: [Value]

  /// The effects of a text's statements, in their order. Harmless ones are left out, and those whose rows cannot be counted
  /// beforehand.
  ///
  /// Each statement takes as many of the arguments as it has parameters.
  package static func changes(of text: String, _ arguments: [Value] = []) -> [SQLChange] {
    guard let tokens = SQLToken.tokens(of: text) else { return [] }
    var changes: [SQLChange] = []
    var rest = arguments[...]
    var isTrigger = false
    for statement in tokens.split(whereSeparator: { $0.isSign(";") }) {
      let end = statement.endIndex < tokens.endIndex ? tokens[statement.endIndex].start : text.endIndex
      // Statements between CREATE TRIGGER and END run at another time.
      isTrigger = isTrigger || (statement.first?.keyword == "CREATE" && statement.contains { $0.keyword == "TRIGGER" })
      guard !isTrigger else {
        isTrigger = statement.last?.keyword != "END"
        continue
      }
      let (numbered, parameterCount) = SQLClauses.numbered(statement, in: text[..<end])
      if let change = SQLChange(SQLClauses(numbered), rest) { changes.append(change) }
      rest = rest.dropFirst(parameterCount)
    }
    return changes
  }

  private init?(_ clauses: SQLClauses, _ values: ArraySlice<Value>) {
    let tokens = clauses.tokens
    var words = tokens[clauses.verb...].map(\.keyword)[...]
    switch words.popFirst() {
    case "DELETE" where words.first == "FROM":
      verb = .deletes
      words.removeFirst()
    case "UPDATE":
      verb = .changes
      // UPDATE OR IGNORE t
      if words.first == "OR" { words = words.dropFirst(2) }
    case "DROP" where words.first == "TABLE":
      verb = .drops
      words = words.dropFirst(words.dropFirst().first == "IF" ? 3 : 1)
    case "TRUNCATE":
      verb = .empties
      if words.first == "TABLE" { words.removeFirst() }
      if words.first == "ONLY" { words.removeFirst() }
    default: return nil
    }
    let target = tokens[(clauses.verb + words.startIndex)...].prefix { !Self.endOfTarget.contains($0.keyword) }
    guard let first = target.first, first.isName else { return nil }
    let isInSchema = target.dropFirst().first?.isSign(".") == true
    table = isInSchema ? target.dropFirst(2).first?.text ?? "" : first.text
    if [.drops, .empties].contains(verb) {
      tables = target.split { $0.isSign(",") }.map { clauses.text($0.indices) }
    }
    let joined = clauses.clause("FROM", from: target.endIndex).map { ", " + clauses.text($0.dropFirst()) }
    let tail = ["WHERE", "ORDER", "LIMIT"].compactMap { clauses.clause($0, from: target.endIndex).map(clauses.text) }
    let rows = (["FROM " + clauses.text(target.indices) + (joined ?? "")] + tail).joined(separator: " ")
    // The limit applies to the counted rows, not to the one row with their number.
    let isLimited = tail.last?.uppercased().hasPrefix("LIMIT") == true
    let what = joined == nil ? "count(*)" : "count(DISTINCT \(clauses.text(target.indices.suffix(1))).rowid)"
    let query = isLimited ? "SELECT count(*) FROM (SELECT 1 \(rows))" : "SELECT \(what) \(rows)"
    count = clauses.with + query
    arguments = Array(values.prefix(SQLClauses.parameterCount(of: count)))
  }

  private static let endOfTarget: Set = [
    "SET", "WHERE", "RETURNING", "ORDER", "LIMIT", "INDEXED", "NOT", "CASCADE", "RESTRICT", "RESTART", "CONTINUE",
  ]
}
