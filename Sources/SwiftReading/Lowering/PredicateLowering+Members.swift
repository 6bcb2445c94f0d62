internal import Modeling
internal import Queries
internal import SwiftParsing

extension PredicateLowering {
  mutating func lower(member name: String, of base: SwiftSyntax?, _ syntax: SwiftSyntax) -> Lowered {
    guard let base else {
      if Comparator(comparisonResult: name) != nil {
        issues.report(.memberWithoutType(source(syntax), type: "ComparisonResult"), at: syntax.range)
        return .nothing
      }
      return refuseStatic(name, syntax)
    }
    if case .name("ComparisonResult") = base.kind, let comparator = Comparator(comparisonResult: name) {
      return Lowered(meaning: .orderingCase(comparator))
    }
    if !dependsOnObject(base) {
      if surroundings != nil, name == "isEmpty" || name == "count", constants.value(of: syntax) == nil {
        return lower(size: name, of: lower(base), base)
      }
      let isCaptured = if case .name(let root) = base.kind { root.first?.isUppercase != true } else { false }
      if isCaptured, name == "isEmpty" || name == "count", case .name(let root) = base.kind, root != "self" {
        return lower(size: name, of: lower(base), base)
      }
      if case .array = base.kind, name == "isEmpty" || name == "count" {
        return lower(size: name, of: lower(base), base)
      }
      return refuseStatic(name, syntax)
    }
    let lowered = lower(base)
    if lowered.isNothing || refuseOptional(lowered, base) { return .nothing }
    var found = member(name, of: lowered, base, syntax)
    found.isChained = lowered.isChained
    return found
  }

  /// Reports an optional of which a member is asked as if it were there.
  mutating func refuseOptional(_ lowered: Lowered, _ source: SwiftSyntax) -> Bool {
    guard lowered.isOptional == true else { return false }
    issues.report(.needsUnwrapping(self.source(source)), at: source.range)
    return true
  }

  /// Refuses values that are computed outside of the object: a date of its own kind, an enumeration's case, a captured
  /// member.
  private mutating func refuseStatic(_ name: String, _ syntax: SwiftSyntax) -> Lowered {
    let known: Set<String> = ["now", "distantPast", "distantFuture", "max", "min", "pi", "zero", "infinity", "current"]
    guard case .member(let base, _) = syntax.kind else { return reportComputed(syntax) }
    let isType = if case .name(let root)? = base?.kind { root.first?.isUppercase == true } else { base == nil }
    if isType, !known.contains(name) || base == nil && name == "min" {
      issues.report(.enumerationCase(source(syntax)), at: syntax.range)
      return .nothing
    }
    return reportComputed(syntax)
  }

  /// A member of something that belongs to the object.
  private mutating func member(_ name: String, of base: Lowered, _ source: SwiftSyntax, _ syntax: SwiftSyntax)
    -> Lowered
  {
    let place = nameRange(of: syntax, name)
    switch base.type {
    case .object(let entity): return property(name, of: base, entity, place)
    case .collection: return collectionMember(name, of: base, source, place)
    case .value(.composite), .value(.transformable), .value(.any): return element(name, of: base, source, place)
    case .value(let type): return valueMember(name, of: base, type, source, place)
    case .unknown, .null: return unknownMember(name, of: base, source, place)
    }
  }

  private func nameRange(of syntax: SwiftSyntax, _ name: String) -> Range<Int> {
    let end = syntax.range.upperBound
    let isEscaped = end > syntax.range.lowerBound && bytes[end - 1] == UInt8(ascii: "`")
    return max(syntax.range.lowerBound, end - name.utf8.count - (isEscaped ? 2 : 0))..<end
  }

  /// A property of an object whose entity is known.
  private mutating func property(_ name: String, of base: Lowered, _ entity: Entity, _ place: Range<Int>) -> Lowered {
    guard let index = entity.index(of: name) else {
      if ["id", "persistentModelID", "objectID"].contains(name) { return identifier(base) }
      let nearest = nearestName(to: name, in: entity.properties.map(\.name))
      issues.report(.unknownProperty(name, entity: entity.name, nearest: nearest), at: place)
      return .nothing
    }
    guard let expression = base.expression?.member(name, of: base.subentity?.name, at: origin(place)) else {
      return .nothing
    }
    var lowered = Lowered.value(expression).optional(base.optionals)
    switch entity.properties[index] {
    case .attribute(let attribute):
      lowered.type = .value(attribute.type)
      lowered.attribute = attribute
      if knowsOptionals { lowered.isOptional = attribute.isOptional }
    case .relationship(let relationship):
      let destination = ExpressionType.object(entity.destination(at: index))
      lowered.type = relationship.isToMany ? .collection(destination) : destination
      // A list of objects may be an optional, which no model shows.
      if knowsOptionals, !relationship.isToMany { lowered.isOptional = relationship.isOptional }
    }
    return lowered
  }

  private func identifier(_ base: Lowered) -> Lowered {
    var lowered = base
    lowered.isIdentifier = true
    return lowered
  }

  /// An element of a composite attribute, or a key of a transformable one.
  private mutating func element(_ name: String, of base: Lowered, _ source: SwiftSyntax, _ place: Range<Int>)
    -> Lowered
  {
    if name == "count" || name == "isEmpty" { return lower(size: name, of: base, source) }
    guard let expression = base.expression?.member(name, at: origin(place)) else {
      return refuseMember(name, of: base.type.name, place)
    }
    var lowered = Lowered.value(expression, .value(.any)).optional(base.optionals)
    if let elements = base.attribute?.elements, !elements.isEmpty {
      guard let element = elements.first(where: { $0.name == name }) else {
        let nearest = nearestName(to: name, in: elements.map(\.name))
        let owner = base.attribute?.name ?? ""
        issues.report(.unknownProperty(name, entity: owner, nearest: nearest), at: place)
        return .nothing
      }
      lowered.type = .value(element.type)
      lowered.attribute = element
    }
    return lowered
  }

  private mutating func valueMember(
    _ name: String, of base: Lowered, _ type: AttributeType, _ source: SwiftSyntax, _ place: Range<Int>
  ) -> Lowered {
    if type.isTextual, name == "count" || name == "isEmpty" { return lower(size: name, of: base, source) }
    if name == "rawValue" {
      issues.report(.enumerationCase(self.source(source.range) + ".rawValue"), at: place)
      return .nothing
    }
    return refuseMember(name, of: type.rawValue, place)
  }

  private mutating func collectionMember(
    _ name: String, of base: Lowered, _ source: SwiftSyntax, _ place: Range<Int>
  ) -> Lowered {
    switch name {
    case "count", "isEmpty": return lower(size: name, of: base, source)
    case "first", "last": return elementOf(base, name == "first" ? .first : .last)
    default:
      issues.report(.memberOfCollection(name, collection: self.source(source.range)), at: place)
      return .nothing
    }
  }

  /// Lowers a member without a known model.
  private mutating func unknownMember(
    _ name: String, of base: Lowered, _ source: SwiftSyntax, _ place: Range<Int>
  ) -> Lowered {
    let isObject = base.expression == .object
    switch name {
    case "persistentModelID", "objectID": return identifier(base)
    case "id" where isObject: return identifier(base)
    case "count" where !isObject, "isEmpty" where !isObject: return lower(size: name, of: base, source)
    case "first" where !isObject, "last" where !isObject: return elementOf(base, name == "first" ? .first : .last)
    case "rawValue": return valueMember(name, of: base, .any, source, place)
    default: break
    }
    guard let expression = base.expression?.member(name, at: origin(place)) else {
      return refuseMember(name, of: self.source(source.range), place)
    }
    return Lowered.value(expression).optional(base.optionals)
  }

  private mutating func refuseMember(_ name: String, of owner: String, _ place: Range<Int>) -> Lowered {
    issues.report(.unknownMember(name, of: owner), at: place)
    return .nothing
  }

  // MARK: Collections and texts

  /// `count` or `isEmpty` of a collection or a text.
  private mutating func lower(size name: String, of base: Lowered, _ source: SwiftSyntax) -> Lowered {
    let expression = value(base, at: source.range)
    let isText = base.isText || base.type == .unknown && isUsedAsText(base, source) && !isList(expression)
    var size = isText ? Expression.call(.length, expression) : .collection(.count, of: expression, key: nil)
    // A list from outside is no collection of the object; the function counts it.
    if !isText, base.isCaptured || base.constant != nil { size = .call(.count, expression) }
    let optionals = isText ? base.optionals : base.optionals.filter { !$0.isOf(expression) }
    if name == "count" {
      var count = Lowered.value(size, .value(.integer64)).optional(optionals)
      count.isOptional = false
      return count
    }
    var isEmpty = Lowered.condition(.comparing(size, .equal, .constant(.int(0)), at: origin(source.range)))
      .optional(optionals)
    isEmpty.isOptional = false
    return isEmpty
  }

  /// Whether it is a variable that is known to be a list.
  private func isList(_ expression: Expression) -> Bool {
    if case .variable(let name, _) = expression { surroundings?.lists.contains(name) == true } else { false }
  }

  /// Of an object's properties those without a known type are taken for collections, of other names for texts.
  private func isUsedAsText(_ base: Lowered, _ source: SwiftSyntax) -> Bool {
    if usage.isText(source) { return true }
    return base.isCaptured && !usage.isCollection(source)
  }

  private func elementOf(_ base: Lowered, _ position: Subscript) -> Lowered {
    var type = ExpressionType.unknown
    if case .collection(let element) = base.type { type = element }
    return base.expression.map { Lowered.value(.subscripted($0, position), type) } ?? .nothing
  }

  mutating func lower(subscript arguments: [SwiftArgument], of base: SwiftSyntax, _ syntax: SwiftSyntax) -> Lowered {
    guard dependsOnObject(base) else { return reportComputed(syntax) }
    let lowered = lower(base)
    guard arguments.count == 1, arguments[0].label == nil else {
      issues.report(.unexpected(found: source(syntax), expected: "one position"), at: syntax.range)
      return .nothing
    }
    if lowered.isNothing { return .nothing }
    let position = lower(arguments[0].value)
    if case .string(let key)? = position.constant, !lowered.isCollection {
      return element(key, of: lowered, base, arguments[0].value.range)
    }
    return elementOf(lowered, .index(value(position, at: arguments[0].value.range))).optional(lowered.optionals)
  }
}
