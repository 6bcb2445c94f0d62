internal import Modeling

extension PredicateCompiler {
  /// The elements of a collection; nil for an expression with a single value.
  mutating func elements(_ expression: Expression) throws(PredicateError) -> ElementsEvaluator? {
    switch expression {
    case .constant(.list(let values)):
      let elements = values.map(Element.value)
      return { _ in elements }
    case .aggregate(let parts):
      var values: [Evaluator] = []
      for part in parts { values.append(try value(part)) }
      return { [values] frame in try values.map { .value(try $0(frame)) } }
    case .path(let path): return try elements(of: path, from: .subject, in: entity)
    case .variablePath(let name, let path):
      let variable = try variable(name, path.origin)
      guard let entity = variable.entity else { return nil }
      return try elements(of: path, from: .element(variable.index), in: entity)
    case .subquery(let source, let name, let predicate): return try subquery(source, name, predicate)
    case .collection(let function, let source, let key) where function.isUnion:
      var elements = try keyed(source, key)
      if function.joinsCollections {
        let collections = elements
        elements = { frame in try collections(frame).flatMap(Self.members) }
      }
      guard function.isDistinct else { return elements }
      return { [elements] frame in Self.distinct(try elements(frame)) }
    default: return nil
    }
  }

  /// The type of a part of the tree, which was checked as a whole.
  func type(of expression: Expression) -> ExpressionType {
    var checker = Checker(entity: entity, purpose: .evaluation)
    for (name, variable) in scope { checker.scope[name] = variable.entity.map(ExpressionType.object) ?? .value(.any) }
    return checker.type(of: expression)
  }

  /// The entity of the objects in a collection; nil for values.
  private func elementEntity(_ expression: Expression) -> Entity? {
    guard case .collection(.object(let entity)) = type(of: expression) else { return nil }
    return entity
  }

  /// Whether the expression may be a JSON array.
  func mayBeJSON(_ expression: Expression) -> Bool {
    switch type(of: expression) {
    case .value(.transformable), .value(.any): true
    default: false
    }
  }

  /// The elements of a collection or of a JSON array; nil for an expression that is neither.
  mutating func collected(_ expression: Expression) throws(PredicateError) -> ElementsEvaluator? {
    if let elements = try elements(expression) { return elements }
    return mayBeJSON(expression) ? try required(expression) : nil
  }

  private mutating func required(_ expression: Expression) throws(PredicateError) -> ElementsEvaluator {
    if let elements = try elements(expression) { return elements }
    // A JSON array is the only value that is a collection.
    let value = try value(expression)
    return { frame in
      guard case .json(.array(let elements)) = try value(frame) else { return [] }
      return elements.map { .value(Value(plain: $0)) }
    }
  }

  /// The elements for which a condition is true.
  private mutating func subquery(
    _ source: Expression, _ name: String, _ predicate: Predicate
  ) throws(PredicateError) -> ElementsEvaluator {
    let elements = try required(source)
    let entity = elementEntity(source)
    let outer = scope
    scope[name] = (outer.values.map { $0.index + 1 }.max() ?? 0, entity)
    let index = scope[name]?.index ?? 0
    let condition = try condition(predicate)
    scope = outer
    return { frame in
      var inner = frame
      inner.elements = Array(frame.elements.prefix(index))
      return try elements(frame).filter { element in
        inner.elements.append(element)
        defer { inner.elements.removeLast() }
        return try condition(inner) == true
      }
    }
  }

  /// The elements of a collection, or the destinations of a key from each.
  private mutating func keyed(_ source: Expression, _ key: PropertyPath?) throws(PredicateError) -> ElementsEvaluator {
    let elements = try required(source)
    guard let key, let entity = elementEntity(source) else { return elements }
    let resolved = try key.resolve(in: entity)
    if resolved.isToMany {
      let walk = Self.walk(resolved)
      return { frame in
        var result: [Element] = []
        for case .object(let object) in try elements(frame) { try walk(object, &result) }
        return result
      }
    }
    let walk = Self.walk(resolved)
    return { frame in
      var result: [Element] = []
      for element in try elements(frame) {
        let count = result.count
        if case .object(let object) = element { try walk(object, &result) }
        // A to-one relationship on the path that is nil contributes nil.
        if result.count == count { result.append(.value(.null)) }
      }
      return result
    }
  }

  /// The members of an element that is a list. The destinations of a to-many relationship are single elements already.
  private static func members(_ element: Element) -> [Element] {
    if case .value(.list(let values)) = element { values.map(Element.value) } else { [element] }
  }

  /// The distinct values without nil, in the order of their first occurrence.
  private static func distinct(_ elements: [Element]) -> [Element] {
    var seen: Set<ValueKey> = []
    return elements.filter { element in
      let value = element.value
      return !value.isNull && seen.insert(ValueKey(value)).inserted
    }
  }

  /// An operator over a collection.
  mutating func aggregate(
    _ function: CollectionOperator, _ source: Expression, _ key: PropertyPath?
  ) throws(PredicateError) -> Evaluator {
    let aggregate: ExpressionFunction
    switch function {
    case .count:
      let elements = try required(source)
      return { frame in .int(Int64(try elements(frame).count)) }
    case .unionOfObjects, .distinctUnionOfObjects, .unionOfArrays, .distinctUnionOfArrays, .unionOfSets,
      .distinctUnionOfSets:
      return try valueOrList(.collection(function, of: source, key: key))
    case .sum: aggregate = .sum
    case .average: aggregate = .average
    case .minimum: aggregate = .min
    case .maximum: aggregate = .max
    }
    let elements = try keyed(source, key)
    return { frame in aggregate.aggregate(try elements(frame).map(\.value)) }
  }

  /// One element of a collection by its zero-based index, or the number of elements.
  mutating func element(_ position: Subscript, of source: Expression) throws(PredicateError) -> Evaluator {
    let elements = try required(source)
    switch position {
    case .first: return { frame in try elements(frame).first?.value ?? .null }
    case .last: return { frame in try elements(frame).last?.value ?? .null }
    case .size: return { frame in .int(Int64(try elements(frame).count)) }
    case .index(let index):
      let index = try value(index)
      return { frame in
        let elements = try elements(frame)
        guard case .int(let place)? = CastType.integer.convert(try index(frame)), place >= 0, place < elements.count
        else { return .null }
        return elements[Int(place)].value
      }
    }
  }
}
