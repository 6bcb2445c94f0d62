import SQLite

extension SQLFragment {
  /// The text with the values written in, with each clause and each term of an AND on its own line.
  var layoutText: String {
    let clauses = ["FROM ", "LEFT JOIN ", "JOIN ", "WHERE ", "GROUP BY ", "HAVING ", "ORDER BY ", "LIMIT "]
    let text = displayText
    var breaks: [(place: String.Index, separator: String)] = []
    var conjunctions: [String.Index] = []
    var isInWhere = false
    var isAlternative = false
    for place in text.outerSpaces {
      let next = text[text.index(after: place)...]
      if let clause = clauses.first(where: { next.hasPrefix($0) }) {
        // LEFT may precede JOIN.
        let isJoined = clause == "JOIN " && text[..<place].hasSuffix("LEFT")
        if !isJoined { breaks.append((place, "\n")) }
        isInWhere = clause == "WHERE "
      } else if isInWhere, next.hasPrefix("AND ") {
        conjunctions.append(place)
      } else if isInWhere, next.hasPrefix("OR ") {
        isAlternative = true
      }
    }
    // Within alternatives, the terms of an AND stay on one line.
    if !isAlternative { breaks += conjunctions.map { ($0, "\n  ") } }
    var result = ""
    var start = text.startIndex
    for (place, separator) in breaks.sorted(by: { $0.place < $1.place }) {
      result += text[start..<place] + separator
      start = text.index(after: place)
    }
    return result + text[start...]
  }
}

extension String {
  /// The positions of spaces outside of quotes and parentheses.
  fileprivate var outerSpaces: [String.Index] {
    var places: [String.Index] = []
    var depth = 0
    var quote: Character?
    for place in indices {
      let character = self[place]
      if let open = quote {
        if character == open { quote = nil }
        continue
      }
      switch character {
      case "'", "\"": quote = character
      case "(": depth += 1
      case ")": depth -= 1
      case " " where depth == 0: places.append(place)
      default: break
      }
    }
    return places
  }
}
