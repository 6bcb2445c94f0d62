/// What a statement of SQL deletes, changes or drops, and the question how many rows that are.
///
///     SQLChange("DELETE FROM quake WHERE depth > 5")     // deletes, quake, SELECT count(*) FROM quake WHERE depth > 5
struct SQLChange: Equatable {
  /// What happens to the rows: `deletes`, `changes`, `drops`.
  var verb: String
  var table: String
  /// A query of one number.
  var count: String

  /// Reads a statement; nil for one that harms nothing, or whose rows cannot be counted before.
  init?(_ text: String) {
    guard let tokens = SQLToken.tokens(of: text), let first = tokens.first else { return nil }
    let words = tokens.map(\.keyword)
    let place: Int
    switch first.keyword {
    case "DELETE" where words.dropFirst().first == "FROM": (verb, place) = ("deletes", 2)
    // UPDATE OR IGNORE t
    case "UPDATE": (verb, place) = ("changes", words.dropFirst().first == "OR" ? 3 : 1)
    case "DROP" where words.dropFirst().first == "TABLE":
      (verb, place) = ("drops", words.dropFirst(2).first == "IF" ? 4 : 2)
    default: return nil
    }
    guard tokens.indices.contains(place), tokens[place].isName else { return nil }
    // What is joined to the table would change the count.
    guard !words.contains("FROM") || first.keyword == "DELETE" else { return nil }
    var target = tokens[place...].prefix { !["SET", "WHERE", "RETURNING", "ORDER", "LIMIT"].contains($0.keyword) }
    if let semicolon = target.firstIndex(where: { $0.text == ";" && $0.kind == .sign }) {
      target = target[..<semicolon]
    }
    guard let last = target.last else { return nil }
    table = tokens[place].text
    let end = tokens.indices.contains(target.endIndex) ? tokens[target.endIndex].start : text.endIndex
    let name = text[tokens[place].start..<max(end, last.start)]
    count = "SELECT count(*) FROM " + name + Self.condition(tokens, from: target.endIndex, in: text)
  }

  /// The text from WHERE to the end of the statement's condition.
  private static func condition(_ tokens: [SQLToken], from start: Int, in text: String) -> Substring {
    var depth = 0
    var begin: String.Index?
    for token in tokens[start...] {
      if token.kind == .sign { depth += token.text == "(" ? 1 : token.text == ")" ? -1 : 0 }
      guard depth == 0 else { continue }
      if begin == nil, token.keyword == "WHERE" { begin = token.start }
      let isEnd = ["RETURNING", "ORDER", "LIMIT"].contains(token.keyword) || (token.text == ";" && token.kind == .sign)
      if isEnd { return begin.map { text[$0..<token.start] } ?? "" }
    }
    return begin.map { text[$0...] } ?? ""
  }
}
