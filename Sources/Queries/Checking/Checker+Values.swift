internal import Modeling

extension Checker {
  /// The type of an expression; reports its errors.
  mutating func type(of expression: Expression) -> ExpressionType {
    switch expression {
    case .constant(let value), .argument(let value, _): return ExpressionType(of: value)
    case .object: return .object(entity)
    case .path(let path): return type(of: path, in: entity)
    case .variable(let name, let origin): return type(ofVariable: name, at: origin)
    case .variablePath(let name, let path):
      guard case .object(let entity) = type(ofVariable: name, at: path.origin) else { return .unknown }
      return type(of: path, in: entity)
    case .aggregate(let elements):
      var types: [ExpressionType] = []
      // A list may contain lists, which @unionOfArrays joins.
      for element in elements { types.append(element.listElements == nil ? scalar(element) : type(of: element)) }
      return .collection(ExpressionType.common(types))
    case .function(let function, let arguments, let origin): return type(of: function, arguments, at: origin)
    case .collection(let function, let source, let key): return type(of: function, source, key)
    case .subscripted(let source, let position): return type(ofElement: position, in: source)
    case .subquery(let source, let variable, let predicate): return type(ofSubquery: source, variable, predicate)
    case .ternary(let predicate, let first, let second):
      check(predicate)
      return ExpressionType.common([scalar(first), scalar(second)])
    case .cast(let operand, let type):
      _ = scalar(operand)
      return .value(type.attributeType)
    }
  }

  // MARK: Paths

  /// The type at the end of a path; a collection if the path follows a to-many relationship.
  mutating func type(of path: PropertyPath, in entity: Entity) -> ExpressionType {
    let resolved: ResolvedPath
    do {
      resolved = try path.resolve(in: entity)
    } catch {
      report(error)
      return .unknown
    }
    let end = endType(of: resolved, path)
    return resolved.isToMany ? .collection(end) : end
  }

  private mutating func endType(of resolved: ResolvedPath, _ path: PropertyPath) -> ExpressionType {
    if purpose != .evaluation, let name = resolved.transientRelationship {
      report(.unsupported(.transient(name, isRelationship: true)), at: path.origin)
      return .unknown
    }
    guard var attribute = resolved.finalAttribute else { return .object(resolved.end) }
    if attribute.isTransient, purpose != .evaluation {
      report(.unsupported(.transient(path.text, isRelationship: false)), at: path.origin)
      return .unknown
    }
    guard attribute.type == .composite else {
      return resolved.elements.isEmpty ? .value(attribute.type) : .value(.any)
    }
    var place = "\(resolved.end.name).\(attribute.name)"
    for (position, name) in resolved.elements.enumerated() {
      // A composite without declared elements may contain any, and so may a transformable attribute.
      if attribute.type == .transformable || attribute.type == .composite && attribute.elements.isEmpty {
        return .value(.any)
      }
      let origin = path.origin(ofComponent: resolved.hops.count + 1 + position)
      guard attribute.type == .composite else {
        report(.notARelationship(attribute.name, entity: place, type: attribute.type), at: origin)
        return .unknown
      }
      guard let inner = attribute.elements.first(where: { $0.name == name }) else {
        let nearest = nearestName(to: name, in: attribute.elements.map(\.name))
        report(.unknownProperty(name, entity: place, nearest: nearest), at: origin)
        return .unknown
      }
      attribute = inner
      place += ".\(name)"
    }
    return .value(attribute.type)
  }

  private mutating func type(ofVariable name: String, at origin: Origin?) -> ExpressionType {
    if let known = scope[name] { return known }
    if purpose != .definition {
      report(.unboundVariable(name, nearest: nearestName(to: name, in: scope.keys)), at: origin)
    }
    return .unknown
  }

  // MARK: Collections

  /// The element type of a collection of values or objects; reports anything else and returns nil.
  private mutating func elementType(of source: Expression, for user: String) -> ExpressionType? {
    let type = type(of: source)
    switch type {
    case .collection(let element): return element
    case .unknown: return .unknown
    // A JSON array.
    case .value(.transformable), .value(.any): return .value(.any)
    default:
      report(
        .wrongOperand(function: user, expected: "a to-many relationship", found: describe(source, type)),
        at: source.origin)
      return nil
    }
  }

  private mutating func type(
    of function: CollectionOperator, _ source: Expression, _ key: PropertyPath?
  ) -> ExpressionType {
    guard var element = elementType(of: source, for: function.rawValue) else { return .unknown }
    if let key {
      switch element {
      case .object(let entity): element = type(of: key, in: entity)
      case .unknown: break
      default:
        report(.keyOfValue(key.text, instead: nil), at: key.origin)
        return .unknown
      }
    }
    if case .collection(let inner) = element {
      guard key != nil || function == .count || function.joinsCollections else {
        return expect(false, "values", function.rawValue, source, key, element)
      }
      // The destinations of a key from several objects are one collection.
      element = inner
    } else if function.joinsCollections, element != .unknown {
      let text = key?.text ?? source.description
      report(
        .wrongOperand(
          function: function.rawValue, expected: "a key that leads to many", found: "\(text) (\(element.name))"),
        at: key?.origin ?? source.origin)
      return .unknown
    }
    switch function {
    case .count: return .value(.integer64)
    case .unionOfObjects, .distinctUnionOfObjects, .unionOfArrays, .distinctUnionOfArrays, .unionOfSets,
      .distinctUnionOfSets:
      return .collection(element)
    case .minimum, .maximum:
      return expect(element.isOrdered, "values with an order", function.rawValue, source, key, element)
    case .sum: return expect(element.isNumber, "numbers", function.rawValue, source, key, element, .sum)
    case .average: return expect(element.isNumber, "numbers", function.rawValue, source, key, element, .average)
    }
  }

  private mutating func expect(
    _ isRight: Bool, _ expected: String, _ function: String, _ source: Expression, _ key: PropertyPath?,
    _ element: ExpressionType, _ aggregate: ExpressionFunction = .max
  ) -> ExpressionType {
    if isRight { return aggregate.resultType(ofElements: element) }
    let text = key?.text ?? source.description
    report(
      .wrongOperand(function: function, expected: expected, found: "\(text) (\(element.name))"),
      at: key?.origin ?? source.origin)
    return .unknown
  }

  private mutating func type(ofElement position: Subscript, in source: Expression) -> ExpressionType {
    if case .index(let index) = position {
      let type = scalar(index)
      if !type.isNumber {
        report(
          .wrongOperand(function: "[ ]", expected: "a number", found: describe(index, type)), at: index.origin)
      }
    }
    switch type(of: source) {
    case .collection(let element): return position == .size ? .value(.integer64) : element
    case .value(.transformable), .value(.any): return position == .size ? .value(.integer64) : .value(.any)
    case .unknown: return .unknown
    case let other:
      report(
        .wrongOperand(function: "[ ]", expected: "a to-many relationship", found: describe(source, other)),
        at: source.origin)
      return .unknown
    }
  }

  private mutating func type(
    ofSubquery source: Expression, _ variable: String, _ predicate: Predicate
  ) -> ExpressionType {
    let element = elementType(of: source, for: "SUBQUERY") ?? .unknown
    let outer = (scope, overGroup)
    scope[variable] = element
    overGroup = false
    check(predicate)
    (scope, overGroup) = outer
    return .collection(element)
  }
}
