public import Modeling

extension Predicate {
  /// The names of the variables that need a value, in alphabetical order; those of SUBQUERY need none.
  public var variables: [String] {
    var names: Set<String> = []
    _ = replacing { (part, bound) -> Expression? in
      switch part {
      case .variable(let name, _), .variablePath(let name, _): if !bound.contains(name) { names.insert(name) }
      default: break
      }
      return nil
    }
    return names.sorted()
  }

  /// The predicate with values in the place of variables.
  ///
  ///     try predicate.bind(["since": .date(midnight)])
  ///
  /// Variables that are given no value stay; a value of `.null` makes `x == $v` ask whether x is nil.
  /// - Throws: names the predicate does not have, and keys of variables, which only an object can replace.
  public func bind(_ values: [String: Value]) throws(PredicateError) -> Predicate {
    var binder = Binder(values)
    let bound = replacing { binder.replace($0, $1) }
    try binder.finish(known: variables)
    return bound
  }
}

extension Predicate {
  /// The predicate with values in the place of variables; keys of those that stand for an object are read from it.
  ///
  ///     try predicate.bind(["quake": .object(quake.objectID)], objects: ["quake": quake])     // magnitude > $quake.magnitude
  ///
  /// - Throws: what `bind(_:)` throws, keys that the object's entity does not have, and errors of reading it.
  public func bind(_ values: [String: Value], objects: [String: any PredicateSubject]) throws -> Predicate {
    // Binding removes the variables that stand before keys only; they are known nevertheless.
    let known = variables
    var predicate = self
    for (name, object) in objects.sorted(by: { $0.key < $1.key }) where known.contains(name) {
      predicate = try predicate.bindingKeys(of: name, to: object)
    }
    let remaining = predicate.variables
    return try predicate.bind(values.filter { remaining.contains($0.key) || !known.contains($0.key) })
  }
}

extension Expression {
  /// The names of the variables that need a value, in alphabetical order; those of SUBQUERY need none.
  public var variables: [String] { Predicate.expression(self).variables }

  /// The expression with values in the place of variables; see `Predicate.bind(_:)`.
  public func bind(_ values: [String: Value]) throws(PredicateError) -> Expression {
    var binder = Binder(values)
    let bound = replacing { binder.replace($0, $1) }
    try binder.finish(known: variables)
    return bound
  }
}

/// Replaces variables and remembers what could not be done.
private struct Binder {
  private let values: [String: Value]
  private var issues: [PredicateError.Issue] = []

  init(_ values: [String: Value]) { self.values = values }

  mutating func replace(_ part: Expression, _ bound: Set<String>) -> Expression? {
    switch part {
    case .variable(let name, _):
      guard !bound.contains(name), let value = values[name] else { return nil }
      return .argument(value, name: name)
    case .variablePath(let name, let path):
      if !bound.contains(name), values[name] != nil {
        issues.append(
          PredicateError.Issue(.unsupported(.keyOfBoundValue("$\(name).\(path.text)")), at: path.origin))
      }
      return nil
    default: return nil
    }
  }

  /// Reports what went wrong, and the names that are not `known`.
  func finish(known: [String]) throws(PredicateError) {
    let unknown = values.keys.sorted().filter { !known.contains($0) }.map { name in
      PredicateError.Issue(.unknownVariable(name, nearest: nearestName(to: name, in: known)))
    }
    guard issues.isEmpty, unknown.isEmpty else { throw PredicateError(issues: issues + unknown) }
  }
}

extension Predicate {
  /// Both conditions hold; conjunctions become one.
  public static func & (left: Predicate, right: Predicate) -> Predicate {
    .and([left, right].flatMap { if case .and(let terms) = $0 { terms } else { [$0] } })
  }

  /// At least one of the conditions holds; disjunctions become one.
  public static func | (left: Predicate, right: Predicate) -> Predicate {
    .or([left, right].flatMap { if case .or(let terms) = $0 { terms } else { [$0] } })
  }

  /// The condition does not hold; a second negation takes back the first.
  public static prefix func ~ (predicate: Predicate) -> Predicate {
    if case .not(let inner) = predicate { inner } else { .not(predicate) }
  }
}
