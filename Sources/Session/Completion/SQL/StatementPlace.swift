internal import Presentation
internal import RelationalStorage
internal import Stores

/// A place in a statement of SQL: what stands before the word that is being typed, and the tables that are named.
struct StatementPlace {
  /// A table with the name that the statement calls it by.
  struct Reference {
    var table: DatabaseSchema.Table
    var alias: String?
    var name: String { alias ?? table.name }
  }

  private let before: [SQLToken]
  private let schema: DatabaseSchema
  private let dialect: SQLDialect
  private let references: [Reference]

  init(before: [SQLToken], after: [SQLToken], _ schema: DatabaseSchema, _ dialect: SQLDialect) {
    (self.before, self.schema, self.dialect) = (before, schema, dialect)
    references = Self.references(in: before, schema) + Self.references(in: after, schema)
  }

  /// The possible words here that begin with the typed one; case does not count.
  func candidates(_ word: String) -> [Completions.Candidate] {
    let small = word.lowercased()
    func fitting(_ candidates: [Completions.Candidate]) -> [Completions.Candidate] {
      candidates.filter { $0.text.lowercased().drop { $0 == "\"" }.hasPrefix(small) }
    }
    /// Keywords as they are typed: small where the word is.
    func keywords(_ words: [String]) -> [Completions.Candidate] {
      let isSmall = !word.isEmpty && word == small
      return fitting(words.map { Completions.Candidate(isSmall ? $0.lowercased() : $0) })
    }
    guard let last = before.last else { return keywords(dialect.statements) }
    if last.text == ".", last.kind == .sign { return fitting(columnsBehindPoint) }
    switch last.keyword {
    case "JOIN": return fitting(relatedTables + tables)
    case "FROM", "INTO", "UPDATE", "TABLE", "VIEW": return fitting(tables)
    case "ON": return fitting(conditions + columns)
    case "ORDER", "GROUP", "PARTITION": return keywords(["BY"])
    case "DELETE": return keywords(["FROM"])
    default: if let words = dialect.followers[last.keyword] { return keywords(words) }
    }
    if last.text == ",", last.kind == .sign, clause == "FROM" { return fitting(tables) }
    if word.isEmpty { return columns }
    let functions = fitting(schema.functions.map { Completions.Candidate($0 + "(") })
    return fitting(columns) + keywords(dialect.keywords) + functions
  }

  private static let clauses: Set<String> = [
    "SELECT", "FROM", "WHERE", "GROUP", "ORDER", "HAVING", "SET", "VALUES", "LIMIT", "RETURNING", "ON",
  ]

  /// The clause that the place is in, by its first word.
  private var clause: String? { before.last { Self.clauses.contains($0.keyword) }?.keyword }

  // MARK: Tables

  private var tables: [Completions.Candidate] {
    schema.tables.map { Completions.Candidate(dialect.quote($0.name), $0.isView ? "view" : "") }
  }

  /// The tables that a foreign key joins to one that is named, with the condition.
  private var relatedTables: [Completions.Candidate] {
    schema.tables.compactMap { table in
      guard let condition = condition(joining: Reference(table: table)) else { return nil }
      return Completions.Candidate(dialect.quote(table.name), "ON " + condition)
    }
  }

  // MARK: Columns

  private var columns: [Completions.Candidate] {
    // Where no table is named yet, those of all are better than none.
    let named = references.isEmpty ? schema.tables.map { Reference(table: $0) } : references
    return named.flatMap { reference in
      reference.table.columns.map { column in
        let owner = named.count > 1 ? " of \(reference.name)" : ""
        return Completions.Candidate(dialect.quote(column.name), column.type + owner)
      }
    }
  }

  private var columnsBehindPoint: [Completions.Candidate] {
    guard let owner = before.dropLast().last, owner.isName else { return [] }
    let small = owner.text.lowercased()
    let table = references.first { $0.name.lowercased() == small }?.table ?? schema.table(owner.text)
    return (table?.columns ?? []).map { Completions.Candidate(dialect.quote($0.name), $0.type) }
  }

  /// The condition that joins the last table to those before it.
  private var conditions: [Completions.Candidate] {
    let known = Self.references(in: before, schema)
    guard let last = known.last else { return [] }
    return [condition(joining: last, to: Array(known.dropLast()))].compactMap { $0 }.map {
      Completions.Candidate($0, "foreign key")
    }
  }

  private func condition(joining new: Reference, to others: [Reference]? = nil) -> String? {
    func text(_ left: Reference, _ key: DatabaseSchema.ForeignKey, _ right: Reference) -> String {
      dialect.quote(left.name) + "." + dialect.quote(key.column) + " = " + dialect.quote(right.name) + "."
        + dialect.quote(key.target)
    }
    for other in others ?? references {
      if let key = new.table.foreignKeys.first(where: { $0.table.lowercased() == other.table.name.lowercased() }) {
        return text(new, key, other)
      }
      if let key = other.table.foreignKeys.first(where: { $0.table.lowercased() == new.table.name.lowercased() }) {
        return text(other, key, new)
      }
    }
    return nil
  }

  // MARK: Reading

  /// The tables behind FROM, JOIN, INTO and UPDATE, with their aliases.
  private static func references(in tokens: [SQLToken], _ schema: DatabaseSchema) -> [Reference] {
    var references: [Reference] = []
    var index = 0
    var expectsTable = false
    var isInFrom = false
    while index < tokens.count {
      let token = tokens[index]
      index += 1
      switch token.keyword {
      case "FROM":
        (expectsTable, isInFrom) = (true, true)
        continue
      case "JOIN", "INTO", "UPDATE":
        expectsTable = true
        continue
      case _ where clauses.contains(token.keyword): isInFrom = false
      default: break
      }
      if token.text == ",", token.kind == .sign, isInFrom { expectsTable = true }
      guard expectsTable, token.isName else { continue }
      expectsTable = false
      guard let table = schema.table(token.text) else { continue }
      if index < tokens.count, tokens[index].keyword == "AS" { index += 1 }
      var alias: String?
      if index < tokens.count, tokens[index].isName, !isKeyword(tokens[index]) {
        alias = tokens[index].text
        index += 1
      }
      references.append(Reference(table: table, alias: alias))
    }
    return references
  }

  private static func isKeyword(_ token: SQLToken) -> Bool {
    let word = token.keyword
    return clauses.contains(word) || followers.contains(word)
  }

  /// Words that can follow a table, and are no alias of it.
  private static let followers: Set<String> = [
    "JOIN", "LEFT", "RIGHT", "FULL", "INNER", "CROSS", "NATURAL", "USING", "UNION", "EXCEPT", "INTERSECT", "DEFAULT",
    "INDEXED", "NOT",
  ]
}
