internal import LuaBindings
internal import Modeling
internal import Terminal

/// Completes the beginning of a predicate: key paths of the entity, operators that fit the attribute's type,
/// and keywords.
struct PredicateCompleter {
  let entity: Entity
  /// Whether only a key path is expected, as in `sorted` and `sum`.
  let isPath: Bool

  private static let words = [
    "AND", "OR", "NOT", "ANY", "ALL", "NONE", "BETWEEN", "BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE", "MATCHES", "IN",
    "TRUEPREDICATE", "FALSEPREDICATE", "nil", "TRUE", "FALSE",
  ]
  private static let aggregates = ["@count", "@sum", "@avg", "@min", "@max"]

  /// Completions for `text`, the beginning of the string, which itself begins at byte `offset` of the block.
  func completions(_ text: String, at offset: Int) -> Completions {
    let word = String(text.reversed().prefix { $0.isLetter || $0.isNumber || "_.@".contains($0) }.reversed())
    let before = text.dropLast(word.count)
    let end = offset + text.utf8.count
    if word.isEmpty, !isPath, let operators = operators(after: String(before)) {
      return Completions(start: end, candidates: operators, appendCharacter: " ")
    }
    var steps = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let last = steps.popLast() ?? ""
    guard let (owner, isMany) = follow(steps) else { return Completions(start: end) }
    var candidates = Self.candidates(owner).filter { $0.text.hasPrefix(last) }
    if isMany { candidates += Self.aggregates.filter { $0.hasPrefix(last) }.map { Completions.Candidate($0) } }
    if steps.isEmpty, !isPath, !last.isEmpty {
      let upper = last.uppercased()
      candidates += Self.words.filter { $0.hasPrefix(upper) }.map { Completions.Candidate($0) }
    }
    return Completions(start: end - last.utf8.count, candidates: candidates)
  }

  /// The properties of an entity, with their types as remarks.
  static func candidates(_ entity: Entity) -> [Completions.Candidate] {
    entity.properties.map { property in
      guard let relationship = property.relationship else {
        let attribute = property.attribute
        let index = attribute?.isUnique == true ? ", unique" : attribute?.isIndexed == true ? ", indexed" : ""
        return Completions.Candidate(property.name, (attribute?.type.rawValue ?? "") + index)
      }
      return Completions.Candidate(property.name, (relationship.isToMany ? "→→ " : "→ ") + relationship.destination)
    }
  }

  /// The entity that a path of relationships leads to.
  private func follow(_ steps: [String]) -> (entity: Entity, isMany: Bool)? {
    var owner = entity
    var isMany = false
    for step in steps {
      guard let index = owner.index(of: step), let relationship = owner.properties[index].relationship else {
        return nil
      }
      owner = owner.destination(at: index)
      isMany = relationship.isToMany
    }
    return (owner, isMany)
  }

  /// The operators that fit the attribute that the text ends with; nil if it does not end with one.
  private func operators(after text: String) -> [Completions.Candidate]? {
    let words = text.split { $0.isWhitespace || $0 == "(" }
    guard text.last?.isWhitespace == true, let path = words.last else { return nil }
    var steps = path.split(separator: ".").map(String.init)
    let name = steps.popLast() ?? ""
    guard let (owner, _) = follow(steps), let property = owner.property(named: name) else { return nil }
    // After an operator the attribute is the right side.
    if words.count > 1, ["=", "==", "!=", "<", "<=", ">", ">="].contains(words[words.count - 2]) { return nil }
    var operators = ["==", "!="]
    if let type = property.attribute?.type {
      if type != .boolean { operators += ["<", "<=", ">", ">=", "BETWEEN"] }
      if type.isTextual {
        operators += ["BEGINSWITH[cd]", "CONTAINS[cd]", "ENDSWITH[cd]", "LIKE[cd]", "MATCHES"]
      }
      operators.append("IN")
    }
    return (operators + ["== nil", "!= nil"]).map { Completions.Candidate($0) }
  }
}
