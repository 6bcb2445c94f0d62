extension Attribute {
  /// The rules that `value` violates; none for a value that `coerce` returned and that is within the attribute's
  /// bounds.
  ///
  /// A rule ignores values of other kinds, so that values of a plain SQLite file stay unchanged.
  public func violations(of value: Value, in entity: String = "") -> [Violation] {
    if value.isNull {
      guard !isOptional, !isDerived else { return [] }
      return [Violation(entity: entity, property: name, kind: .missingMandatory, value: .null)]
    }
    switch value {
    case .string(let text), .url(let text): return hasTextRules ? textViolations(of: text, value, entity) : []
    case .json(.object(let members)): return elements.isEmpty ? [] : elementViolations(of: members, entity)
    default: return hasBounds ? boundViolations(of: value, entity) : []
    }
  }

  /// Whether a value of the type can violate a rule other than being missing.
  public var hasRules: Bool { hasBounds || hasTextRules || elements.contains { $0.hasRules || !$0.isOptional } }

  private var hasBounds: Bool { !minimum.isNull || !maximum.isNull }

  private var hasTextRules: Bool { minimumLength != nil || maximumLength != nil || regularExpression != nil }

  private func boundViolations(of value: Value, _ entity: String) -> [Violation] {
    let isDate = type == .date
    var found: [Violation] = []
    if let order = value.order(to: minimum), order < 0 {
      let kind: Violation.Kind = isDate ? .dateTooSoon : .numberTooSmall
      found.append(Violation(entity: entity, property: name, kind: kind, value: value, bound: minimum))
    }
    if let order = value.order(to: maximum), order > 0 {
      let kind: Violation.Kind = isDate ? .dateTooLate : .numberTooLarge
      found.append(Violation(entity: entity, property: name, kind: kind, value: value, bound: maximum))
    }
    return found
  }

  private func textViolations(of text: String, _ value: Value, _ entity: String) -> [Violation] {
    var found: [Violation] = []
    func report(_ kind: Violation.Kind, _ bound: Value) {
      found.append(Violation(entity: entity, property: name, kind: kind, value: value, bound: bound))
    }
    if minimumLength != nil || maximumLength != nil {
      let length = text.count
      if let minimumLength, length < minimumLength { report(.stringTooShort, .int(Int64(minimumLength))) }
      if let maximumLength, length > maximumLength { report(.stringTooLong, .int(Int64(maximumLength))) }
    }
    if let regularExpression, !Pattern.named(regularExpression).matchesWhole(text) {
      report(.patternMismatch, .string(regularExpression))
    }
    return found
  }

  private func elementViolations(of members: [String: JSON], _ entity: String) -> [Violation] {
    elements.flatMap { element in
      var inner = element
      inner.name = "\(name).\(element.name)"
      let value = (try? inner.value(from: members[element.name] ?? .null)) ?? .null
      return inner.violations(of: value, in: entity)
    }
  }
}

extension Relationship {
  /// The rules that a relationship to `count` objects violates.
  ///
  /// As in Core Data, an optional to-many relationship may be empty even if it has a minimum count.
  public func violations(count: Int, in entity: String = "") -> [Violation] {
    func report(_ kind: Violation.Kind, _ bound: Int?) -> [Violation] {
      let bound = bound.map { Value.int(Int64($0)) } ?? .null
      return [Violation(entity: entity, property: name, kind: kind, value: .int(Int64(count)), bound: bound)]
    }
    if count == 0, isOptional { return [] }
    if count == 0, minimumCount ?? 1 <= 1 {
      return [Violation(entity: entity, property: name, kind: .missingMandatory, value: .null)]
    }
    if let minimumCount, count < minimumCount { return report(.tooFewObjects, minimumCount) }
    if let maximumCount, count > maximumCount { return report(.tooManyObjects, maximumCount) }
    return []
  }
}
