internal import LuaBindings
package import Modeling
package import Presentation
internal import Queries

/// Completes the beginning of a predicate, or of an expression: key paths of the entity, operators that fit the
/// attribute's type, and keywords.
package struct PredicateCompleter {
  /// What the text is.
  package enum Kind {
    case predicate
    /// A key path, or an expression of some.
    case keyPath
    /// An aggregate over the objects of a group: `count`, `max(magnitude)`.
    case aggregate
  }

  /// Nil if it is not known; then only the words of the language are offered.
  var entity: Entity?
  var kind = Kind.predicate

  package init(entity: Entity? = nil, kind: Kind = Kind.predicate) {
    self.entity = entity
    self.kind = kind
  }

  private static let beginnings = ["NOT", "ANY", "ALL", "NONE", "SUBQUERY(", "TRUEPREDICATE", "FALSEPREDICATE"]
  private static let constants = ["nil", "TRUE", "FALSE", "%@"]
  private static let connectives = ["AND", "OR"]

  /// Completions for `text`, the beginning of the string, which itself begins at byte `offset` of the block.
  package func completions(_ text: String, at offset: Int) -> Completions {
    let end = offset + text.utf8.count
    if let entities = castEntities(text, at: offset) { return entities }
    let typed = CastText(text)
    let word = String(typed.text.reversed().prefix { $0.isLetter || $0.isNumber || "_.@%:".contains($0) }.reversed())
    let before = String(typed.text.dropLast(word.count))
    switch kind {
    case .keyPath: return paths(word, [], before: end)
    case .aggregate: return aggregates(before, word, before: end)
    case .predicate: break
    }
    guard let expected = PredicatePlace(behind: before)?.expected else { return Completions(start: end) }
    switch expected {
    case .left:
      let casts = entity?.subentities.isEmpty == false ? ["CAST("] : []
      return paths(word, Self.beginnings + casts, before: end)
    case .right: return paths(word, Self.constants, before: end)
    case .connective: return words(Self.connectives, word, before: end)
    case .comparator:
      let fitting = operators(after: before) ?? Comparator.allCases.map(\.rawValue)
      return words(fitting, word, before: end)
    }
  }

  /// The entities that an object may be taken as, in `CAST(owner, "`; nil where the text does not end so.
  package func castEntities(_ text: String, at offset: Int = 0) -> Completions? {
    guard let open = CastText(text).open, let owner = owner(of: open.path) else { return nil }
    let names = owner.family.dropFirst().map(\.name).filter { $0.hasPrefix(open.name) }
    return Completions(
      start: offset + text.utf8.count - open.name.utf8.count, candidates: names.map { Completions.Candidate($0) })
  }

  // MARK: Words

  /// The words that begin with the typed one, in either case.
  private func words(_ words: [String], _ word: String, before end: Int) -> Completions {
    let upper = word.uppercased()
    let candidates = words.filter { $0.hasPrefix(upper) || $0.hasPrefix(word) }.map { Completions.Candidate($0) }
    return Completions(start: end - word.utf8.count, candidates: candidates, appendCharacter: " ")
  }

  private func aggregates(_ before: String, _ word: String, before end: Int) -> Completions {
    if before.contains("(") { return paths(word, [], before: end) }
    let functions = ExpressionFunction.allCases.filter(\.isAggregate).map(\.rawValue)
    let candidates = functions.filter { $0.hasPrefix(word) }.map { name in
      Completions.Candidate(name == ExpressionFunction.count.rawValue ? name : name + "(")
    }
    return Completions(start: end - word.utf8.count, candidates: candidates)
  }

  // MARK: Key paths

  /// The properties that can follow what a dotted path leads to; `words` only where it has no point.
  private func paths(_ word: String, _ words: [String], before end: Int) -> Completions {
    var steps = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let last = steps.popLast() ?? ""
    let start = end - last.utf8.count
    guard let reached = follow(steps) else { return Completions(start: end) }
    var candidates = reached.candidates.filter { $0.text.hasPrefix(last) }
    if steps.isEmpty {
      let upper = last.uppercased()
      candidates += words.filter { $0.hasPrefix(upper) || $0.hasPrefix(last) }.map { Completions.Candidate($0) }
    }
    if candidates.isEmpty {
      let small = last.lowercased()
      candidates = reached.candidates.filter { $0.text.lowercased().hasPrefix(small) }
    }
    return Completions(start: start, candidates: candidates)
  }

  /// The destination of a path of relationships, or of one into a composite.
  private func follow(_ steps: [String]) -> (candidates: [Completions.Candidate], isMany: Bool)? {
    var owner = entity
    var isMany = false
    for (position, step) in steps.enumerated() {
      if step.hasPrefix(":") {
        guard let taken = owner?.taken(as: step) else { return nil }
        owner = taken
        continue
      }
      if let attribute = owner?.property(named: step)?.attribute {
        let elements = attribute.element(at: steps[(position + 1)...])?.elements ?? []
        return (elements.map { Self.candidate(.attribute($0)) }, false)
      }
      guard let index = owner?.index(of: step), let relationship = owner?.properties[index].relationship else {
        return nil
      }
      owner = owner?.destination(at: index)
      isMany = relationship.isToMany
    }
    var candidates = owner.map { Self.candidates($0) } ?? []
    if isMany { candidates += CollectionOperator.allCases.map { Completions.Candidate($0.rawValue) } }
    return (candidates, isMany)
  }

  /// The properties of an entity, with their types as remarks.
  package static func candidates(_ entity: Entity, where isWanted: (Property) -> Bool = { _ in true })
    -> [Completions.Candidate]
  {
    entity.properties.filter(isWanted).map(candidate)
  }

  private static func candidate(_ property: Property) -> Completions.Candidate {
    guard let relationship = property.relationship else {
      let attribute = property.attribute
      let index = attribute?.isUnique == true ? ", unique" : attribute?.isIndexed == true ? ", indexed" : ""
      return Completions.Candidate(property.name, (attribute?.type.rawValue ?? "") + index)
    }
    return Completions.Candidate(property.name, (relationship.isToMany ? "→→ " : "→ ") + relationship.destination)
  }

  // MARK: Operators

  /// The operators that fit the attribute that the text ends with; nil if it does not end with one.
  private func operators(after text: String) -> [String]? {
    let words = text.split { $0.isWhitespace || $0 == "(" }
    guard let path = words.last, let attribute = attribute(at: path.split(separator: ".").map(String.init)) else {
      return nil
    }
    var operators = ["==", "!="]
    if attribute.type != .boolean { operators += ["<", "<=", ">", ">=", "BETWEEN"] }
    if attribute.type.isTextual {
      operators += ["BEGINSWITH[cd]", "CONTAINS[cd]", "ENDSWITH[cd]", "LIKE[cd]", "MATCHES"]
    }
    return operators + ["IN", "== nil", "!= nil"]
  }

  /// The entity that a path of relationships and casts leads to.
  private func owner(of steps: [String]) -> Entity? {
    steps.reduce(entity) { owner, step in
      owner?.taken(as: step)
        ?? owner?.index(of: step).flatMap {
          owner?.properties[$0].relationship == nil ? nil : owner?.destination(at: $0)
        }
    }
  }

  private func attribute(at steps: [String]) -> Attribute? {
    var owner = entity
    for (position, step) in steps.enumerated() {
      if let taken = owner?.taken(as: step) {
        owner = taken
        continue
      }
      if let attribute = owner?.property(named: step)?.attribute {
        return attribute.element(at: steps[(position + 1)...])
      }
      owner = owner?.index(of: step).flatMap { owner?.destination(at: $0) }
    }
    return nil
  }
}

extension Entity {
  /// The entity that a step `:Car` names.
  fileprivate func taken(as step: String) -> Entity? {
    step.hasPrefix(":") ? root.family.first { $0.name == step.dropFirst() } : nil
  }
}
