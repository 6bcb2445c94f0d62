internal import Modeling
internal import Queries
internal import SwiftParsing

extension PredicateLowering {
  mutating func lower(_ string: SwiftString, at range: Range<Int>) -> Lowered {
    if let place = string.interpolation {
      issues.report(.interpolation, at: place)
      return .nothing
    }
    return .value(.constant(.string(string.content)), .value(.string))
  }

  mutating func lower(elements: [SwiftSyntax]) -> Lowered {
    var types: [ExpressionType] = []
    var expressions: [Expression] = []
    for element in elements {
      let lowered = lower(element)
      types.append(lowered.type)
      expressions.append(value(lowered, at: element.range))
    }
    let type = types.dropFirst().allSatisfy { $0 == types[0] } ? types.first ?? .unknown : .unknown
    return .value(.list(expressions), .collection(type))
  }

  mutating func lower(tuple syntax: SwiftSyntax) -> Lowered {
    guard case .tuple(let elements) = syntax.kind, elements.count == 1, elements[0].label == nil else {
      issues.report(.unexpected(found: source(syntax), expected: "a value"), at: syntax.range)
      return .nothing
    }
    // Parentheses end a chain.
    var lowered = lower(elements[0].value)
    if lowered.isChained { (lowered.isOptional, lowered.isChained) = (true, false) }
    return lowered
  }

  /// A parameter, a value bound by `if let`, or something from outside.
  mutating func lower(name: String, at range: Range<Int>) -> Lowered {
    if let known = scope[name] { return known }
    if name.hasPrefix("$") || name == "_" {
      let expected = scope.keys.sorted().first.map { "\($0), the object" } ?? "a name"
      issues.report(.unexpected(found: name, expected: expected), at: range)
      return .nothing
    }
    if name == "self" || name == "Self", surroundings == nil {
      issues.report(.computedInside(name, constant: "value"), at: range)
      return .nothing
    }
    switch constants[name] {
    case .value(let value):
      // A literal gets the declared type.
      let declared = constants.declared[name].flatMap(AttributeType.init(swiftName:))
      let isNumber = if case .value(let own) = ExpressionType(of: value) { own.isNumeric } else { false }
      let type = isNumber ? declared.map { ExpressionType.value($0) } : nil
      return Lowered(
        meaning: .value(.argument(value, name: name)), type: type ?? ExpressionType(of: value), isCaptured: true)
    case .range(let lower, let upper, let isClosed):
      let ends = [lower, upper].map { $0.map { Expression.argument($0, name: nil) } }
      return Lowered(meaning: .range(ends[0], ends[1], isClosed: isClosed))
    case .pattern(let pattern): return Lowered(meaning: .pattern(pattern, []))
    case .ordering(let comparator): return Lowered(meaning: .orderingCase(comparator), isCaptured: true)
    case .variable(let other):
      return Lowered(meaning: .value(.variable(other, origin(range))), isCaptured: true)
    case .predicate, .predicates, .expression, .request, .sortKeys, .transaction, .entity, .column, .columnExpression,
      nil:
      return Lowered(meaning: .value(.variable(name, origin(range))), isCaptured: true)
    }
  }

  mutating func lower(chain base: SwiftSyntax) -> Lowered {
    var lowered = lower(base)
    if lowered.isNothing { return lowered }
    if lowered.isOptional == false {
      issues.report(.notOptional(source(base)), at: base.range)
      return .nothing
    }
    (lowered.isChained, lowered.isOptional) = (true, false)
    // What `as?` makes nil is known already.
    guard let presence = lowered.presence, !lowered.isCollection, lowered.subentity == nil else { return lowered }
    return lowered.optional([presence])
  }

  // MARK: Casts

  /// `as` changes nothing but the type of a value, `as?` of an object which of its properties can be asked for.
  mutating func lower(
    cast operand: SwiftSyntax, _ word: String, _ type: TypeSyntax, _ syntax: SwiftSyntax
  ) -> Lowered {
    let lowered = lower(operand)
    if case .object(let entity) = lowered.type, lowered.subentity == nil {
      guard let wanted = subentity(type, of: entity) else { return .nothing }
      if word == "is" { return lower(isKind: lowered, wanted, at: operand.range) }
      if entity.isKind(of: wanted) { return lowered }
      if word != "as" { return lower(object: lowered, as: wanted, isForced: word == "as!") }
    }
    guard word != "is", let target = CastType(named: type.name), !isObjectValue(lowered) else {
      issues.report(.typeTest("\(word) \(type.name)"), at: syntax.range)
      return .nothing
    }
    guard !lowered.isNothing else { return lowered }
    let expression = value(lowered, at: operand.range)
    let result: ExpressionType = .value(target.attributeType)
    if lowered.type == result || lowered.constant != nil { return lowered }
    return Lowered.value(.cast(expression, to: target), result).optional(lowered.optionals)
  }

  private mutating func subentity(_ type: TypeSyntax, of entity: Entity) -> Entity? {
    if let wanted = entity.root.family.first(where: { $0.name == type.name }) { return wanted }
    let nearest = nearestName(to: type.name, in: entity.root.family.map(\.name))
    issues.report(.unknownSubentity(type.name, of: entity.root.name, nearest: nearest), at: type.range)
    return nil
  }

  /// `$0 is Car`: the name of the object's entity is that of Car, or of one that inherits from it.
  private mutating func lower(isKind object: Lowered, _ wanted: Entity, at range: Range<Int>) -> Lowered {
    let operand = value(object, at: range)
    // Nothing is of no kind, which matters where it must be false.
    return .condition(Presence(of: operand, as: wanted).isThere(isExact: isExact))
  }

  /// `$0 as? Car`: the same object, of which the keys are Car's.
  private func lower(object: Lowered, as wanted: Entity, isForced: Bool) -> Lowered {
    var taken = object
    taken.type = .object(wanted)
    taken.subentity = wanted
    taken.isOptional = !isForced
    taken.isChained = false
    if !isForced, let presence = taken.presence { taken = taken.optional([presence]) }
    return taken
  }

  private func isObjectValue(_ lowered: Lowered) -> Bool {
    if case .object = lowered.type { true } else { lowered.expression == .object }
  }

  // MARK: What does not depend on the object

  /// Whether a value has to do with the object, or with an element of its collections.
  func dependsOnObject(_ syntax: SwiftSyntax) -> Bool {
    if case .name(let name) = syntax.kind { return scope[name] != nil || name.hasPrefix("$") }
    return syntax.children.contains { dependsOnObject($0) }
  }

  /// Reports a value that belongs before the predicate, with a name for it.
  mutating func reportComputed(_ syntax: SwiftSyntax) -> Lowered {
    if let known = surrounding(syntax) { return known }
    issues.report(.computedInside(source(syntax), constant: OutsideNames.stem(syntax)), at: syntax.range)
    return .nothing
  }

  /// A value of the program around, where a condition of that is read: a constant, or a variable with a name of its own.
  private mutating func surrounding(_ syntax: SwiftSyntax) -> Lowered? {
    guard surroundings != nil else { return nil }
    if let value = constants.value(of: syntax) {
      return Lowered(meaning: .value(.argument(value, name: nil)), type: ExpressionType(of: value), isCaptured: true)
    }
    if case .member(let base?, let name) = syntax.kind, case .name("self") = base.kind {
      return lower(name: name, at: syntax.range)
    }
    let text = source(syntax)
    guard let name = surroundings?.names.name(for: syntax, text) else { return nil }
    return Lowered(meaning: .value(.variable(name, origin(syntax.range))), isCaptured: true)
  }
}
