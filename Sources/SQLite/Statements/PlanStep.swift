/// A parsed line of SQLite's query plan; an unknown line keeps its text.
///
///     PlanStep("SEARCH t0 USING INDEX quake_time (time>?)")
///     // .access(subject "t0", isSearch, by .index("quake_time"), terms ["time>?"])
package enum PlanStep: Hashable, Sendable {
  /// Rows are read: all rows, or the rows that a look-up finds.
  case access(PlanAccess)
  /// Rows are put into a tree in memory.
  case tree(TreePurpose)
  /// The union of the rows of several look-ups; each look-up is a `branch`.
  case union
  case branch(Int)
  case subquery(isCorrelated: Bool, isList: Bool)
  /// An inner query whose rows are read one by one, or stored.
  case routine(String, isKept: Bool)
  /// A Bloom filter over the keys of a table that is read often.
  case filter(String)
  case constantRows
  case other(String)

  /// The purpose of a tree of rows.
  package enum TreePurpose: Hashable, Sendable {
    case order
    /// The order among rows that are equal in the index.
    case restOfOrder
    case groups
    case distinct
    case other(String)
  }

  /// Parses a line.
  package init(_ line: String) {
    self = Self.access(line) ?? Self.tree(line) ?? Self.inner(line) ?? .other(line)
  }

  private static func tree(_ line: String) -> PlanStep? {
    let prefix = "USE TEMP B-TREE FOR "
    guard line.hasPrefix(prefix) else { return nil }
    let purpose = String(line.dropFirst(prefix.count))
    switch purpose {
    case "ORDER BY": return .tree(.order)
    case "GROUP BY": return .tree(.groups)
    case "DISTINCT": return .tree(.distinct)
    case let part where part.hasSuffix("OF ORDER BY"): return .tree(.restOfOrder)
    default: return .tree(.other(purpose))
    }
  }

  private static func inner(_ line: String) -> PlanStep? {
    var words = line.split(separator: " ", omittingEmptySubsequences: false)
    if line == "MULTI-INDEX OR" { return .union }
    if words.count == 2, words[0] == "INDEX", let number = Int(words[1]) { return .branch(number) }
    if words.count >= 2, words[0] == "CO-ROUTINE" || words[0] == "MATERIALIZE" {
      return .routine(words.dropFirst().joined(separator: " "), isKept: words[0] == "MATERIALIZE")
    }
    if line.hasPrefix("BLOOM FILTER ON "), words.count >= 4 { return .filter(String(words[3])) }
    let isCorrelated = words[0] == "CORRELATED"
    if isCorrelated { words.removeFirst() }
    guard words.count == 3, words[1] == "SUBQUERY", words[0] == "SCALAR" || words[0] == "LIST" else { return nil }
    return .subquery(isCorrelated: isCorrelated, isList: words[0] == "LIST")
  }

  private static func access(_ line: String) -> PlanStep? {
    let isSearch = line.hasPrefix("SEARCH ")
    guard isSearch || line.hasPrefix("SCAN ") else { return nil }
    var rest = line.dropFirst(isSearch ? 7 : 5)
    if rest == "CONSTANT ROW" || rest.hasSuffix(" CONSTANT ROWS") { return .constantRows }
    let isOuter = rest.hasSuffix(" LEFT-JOIN")
    if isOuter { rest = rest.dropLast(10) }
    guard !rest.isEmpty else { return nil }
    var access = PlanAccess(subject: String(rest), isSearch: isSearch, isOuter: isOuter)
    if let place = rest.firstRange(of: " VIRTUAL TABLE INDEX ") {
      access.subject = String(rest[..<place.lowerBound])
      access.path = .virtualTable
    } else if let place = rest.firstRange(of: " USING ") {
      access.subject = String(rest[..<place.lowerBound])
      guard access.read(using: rest[place.upperBound...]) else { return nil }
    }
    return .access(access)
  }
}

/// The way in which the rows of a table, or of an inner query, are read.
package struct PlanAccess: Hashable, Sendable {
  /// The alias or table.
  package var subject: String
  /// Whether rows are looked up; otherwise all rows are read.
  package var isSearch: Bool
  /// Whether a row without a match is kept (an outer join).
  package var isOuter: Bool
  package var path = Path.table
  /// The conditions of the look-up, as SQLite writes them: `time>?`.
  package var terms: [String] = []

  package init(subject: String, isSearch: Bool, isOuter: Bool, path: Path = .table, terms: [String] = []) {
    self.subject = subject
    self.isSearch = isSearch
    self.isOuter = isOuter
    self.path = path
    self.terms = terms
  }

  /// The access path to the rows.
  package enum Path: Hashable, Sendable {
    case table
    case key
    case index(String, isCovering: Bool)
    /// An index that SQLite creates for one run of the statement.
    case automaticIndex
    case virtualTable
  }

  /// The name of the index, if it has one.
  package var indexName: String? { if case .index(let name, _) = path { name } else { nil } }

  /// Parses the text after USING; returns false if it is unknown.
  fileprivate mutating func read(using text: Substring) -> Bool {
    let (name, terms) = Self.split(text)
    self.terms = terms
    if name == "INTEGER PRIMARY KEY" || name == "PRIMARY KEY" {
      path = .key
    } else if name.hasPrefix("AUTOMATIC ") {
      path = .automaticIndex
    } else if name.hasPrefix("COVERING INDEX ") {
      path = .index(String(name.dropFirst(15)), isCovering: true)
    } else if name.hasPrefix("INDEX ") {
      path = .index(String(name.dropFirst(6)), isCovering: false)
    } else {
      return false
    }
    return true
  }

  /// Removes the list in parentheses from the end; names of indexes and columns may contain spaces and parentheses.
  private static func split(_ text: Substring) -> (name: Substring, terms: [String]) {
    guard text.last == ")" else { return (text, []) }
    var depth = 0
    for index in text.indices.reversed() {
      if text[index] == ")" { depth += 1 }
      if text[index] == "(" { depth -= 1 }
      if depth == 0 {
        let name = text[..<index]
        guard name.last == " " else { return (text, []) }
        let list = text[text.index(after: index)..<text.index(before: text.endIndex)]
        let terms = list.split(separator: " AND ").map(String.init)
        // The name of an index may be `a (b)`; a term contains a comparison.
        guard terms.allSatisfy({ $0.contains("?") || $0.hasPrefix("ANY(") }) else { return (text, []) }
        return (name.dropLast(), terms)
      }
    }
    return (text, [])
  }
}
