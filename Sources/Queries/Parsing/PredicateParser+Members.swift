internal import Modeling

extension PredicateParser {
  /// Reads the member after a point: a key, a collection operator or `%K`. With `entity`, a key applies only to objects
  /// of that entity.
  mutating func member(of expression: Expression, in entity: String? = nil) -> Expression {
    let start = current.range.lowerBound
    switch current.kind {
    case .word(let word) where next().kind == .sign("("): return methodCall(word, of: expression)
    case .word(let word):
      advance()
      return append(word, of: entity, isEscaped: false, to: expression, from: start)
    case .escapedKey(let key):
      advance()
      return append(key, of: entity, isEscaped: true, to: expression, from: start)
    case .collectionOperator(let name):
      advance()
      return collection(name, of: expression, from: start)
    case .placeholder(let specification, let ordinal) where PlaceholderKind(specification) == .keyPath:
      advance()
      return appendKeys(of: ordinal, in: entity, to: expression, from: start)
    default:
      unexpected("a key")
      recover()
      return .hole(keeping: [expression])
    }
  }

  /// Appends one key; `self` after another key changes nothing.
  mutating func append(
    _ key: String, of entity: String? = nil, isEscaped: Bool, to expression: Expression, from start: Int
  ) -> Expression {
    if !isEscaped, key.lowercased() == "self" { return expression }
    let place = origin(from: start)
    if let longer = expression.member(key, of: entity, at: place) { return longer }
    report(.keyOfValue(key, instead: KeySynonyms.call(for: key, of: expression)), at: place)
    return .hole(keeping: [expression])
  }

  /// Reads the key after a collection operator; `self` means the elements themselves.
  private mutating func collection(_ name: String, of expression: Expression, from start: Int) -> Expression {
    guard let function = collectionOperator(name, from: start) else {
      // The keys that follow belong to elements of an unknown type.
      while accept(".") { advance() }
      return .hole(keeping: [expression])
    }
    guard deepen() else { return .hole }
    if function != .count, !isSign(".") { unexpected("a key after \(function.rawValue), or .self") }
    return .collection(function, of: expression, key: nil)
  }

  /// Returns the operator with a name; reports an unknown name and returns the nearest operator.
  mutating func collectionOperator(_ name: String, from start: Int) -> CollectionOperator? {
    let known = { (name: String) in CollectionOperator.allCases.first { $0.rawValue.lowercased() == name.lowercased() }
    }
    if let function = known(name) { return function }
    let nearest =
      KeySynonyms.collectionOperators[name.lowercased()]
      ?? nearestName(to: name, in: CollectionOperator.allCases.map(\.rawValue))
    report(.unknownFunction(name, nearest: nearest), at: origin(from: start))
    return nearest.flatMap(known)
  }

  /// Reads `@sum.items.price`, the older spelling of `items.@sum.price`; the postfix level continues with the key.
  mutating func legacyCollection(_ name: String) -> Expression {
    let start = current.range.lowerBound
    advance()
    startValue()
    let function = collectionOperator(name, from: start)
    guard accept(".") else {
      unexpected("a key after \(name)")
      return .hole
    }
    var source = member(of: .object)
    while function == .count, accept(".") { source = member(of: source) }
    guard let function, deepen() else { return .hole(keeping: [source]) }
    return .collection(function, of: source, key: nil)
  }

  /// Appends the keys of a dotted text for `%K`, which may contain collection operators: `reports.@count`.
  mutating func appendKeys(
    of ordinal: Int, in entity: String? = nil, to expression: Expression, from start: Int
  ) -> Expression {
    guard ordinal < arguments.count else { return .hole(keeping: [expression]) }
    guard case .value(.string(let text)) = arguments[ordinal], !text.isEmpty else {
      report(.wrongArgument(placeholder: "%K", found: arguments[ordinal].kindName), at: origin(from: start))
      return .hole(keeping: [expression])
    }
    var components = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if expression == .object, components.count > 1, components[0].hasPrefix("@") { components.swapAt(0, 1) }
    guard components.count <= Self.heightLimit else {
      giveUp()
      return .hole
    }
    var result = expression
    var entity = entity
    for component in components {
      if component.hasPrefix("@") {
        guard let function = collectionOperator(component, from: start), deepen() else {
          return .hole(keeping: [result])
        }
        result = .collection(function, of: result, key: nil)
      } else {
        // A key path copied from a format string may still have its `#`.
        let isEscaped = component.count > 1 && component.hasPrefix("#")
        let key = isEscaped ? String(component.dropFirst()) : component
        result = append(key, of: entity, isEscaped: isEscaped, to: result, from: start)
        entity = nil
      }
    }
    return result
  }

  /// Reads `name.hasPrefix('x')`, which the format language lacks, and reports the equivalent.
  private mutating func methodCall(_ name: String, of expression: Expression) -> Expression {
    let start = current.range.lowerBound
    advance()
    let place = origin(from: start)
    report(.methodCall(name, instead: KeySynonyms.meaning(ofMethod: name, of: expression)), at: place)
    advance()
    let arguments = nested(otherwise: []) { $0.callArguments() }
    // Only the method's meaning could tell whether a comparison is missing.
    markReported()
    return .hole(keeping: [expression] + arguments)
  }
}
