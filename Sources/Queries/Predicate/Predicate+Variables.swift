public import Modeling

extension Predicate {
  /// The names of the unbound variables, in alphabetical order; SUBQUERY binds its own.
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

  /// Returns the predicate with variables replaced by values.
  ///
  ///     try predicate.bind(["since": .date(midnight)])
  ///
  /// Variables without a value stay; with the value `.null`, `x == $v` asks whether x is nil.
  /// - Throws: names that the predicate does not have, and keys of variables, which only an object can replace.
  public func bind(_ values: [String: Value]) throws(PredicateError) -> Predicate {
    var binder = Binder(values)
    let bound = replacing { binder.replace($0, $1) }
    try binder.finish(known: variables)
    return bound
  }
}

extension Predicate {
  /// Returns the predicate with variables replaced by values; keys of variables that are objects are replaced by the
  /// objects' values.
  ///
  ///     try predicate.bind(["quake": .object(quake.objectID)], objects: ["quake": quake])     // magnitude > $quake.magnitude
  ///
  /// - Throws: the errors of `bind(_:)`, keys that the object's entity does not have, and errors of reading it.
  public func bind(_ values: [String: Value], objects: [String: any PredicateSubject]) throws -> Predicate {
    // Binding removes variables that occur only before keys; they are still known names.
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
  /// The names of the unbound variables, in alphabetical order; SUBQUERY binds its own.
  public var variables: [String] { Predicate.expression(self).variables }

  /// Returns the expression with variables replaced by values; see `Predicate.bind(_:)`.
  public func bind(_ values: [String: Value]) throws(PredicateError) -> Expression {
    var binder = Binder(values)
    let bound = replacing { binder.replace($0, $1) }
    try binder.finish(known: variables)
    return bound
  }
}

/// Replaces variables and collects errors.
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

  /// Throws the errors, and the names that are not `known`.
  func finish(known: [String]) throws(PredicateError) {
    let unknown = values.keys.sorted().filter { !known.contains($0) }.map { name in
      PredicateError.Issue(.unknownVariable(name, nearest: nearestName(to: name, in: known)))
    }
    guard issues.isEmpty, unknown.isEmpty else { throw PredicateError(issues: issues + unknown) }
  }
}

extension Predicate {
  /// Joins two conditions by AND; nested conjunctions become one.
  public static func & (left: Predicate, right: Predicate) -> Predicate {
    .and([left, right].flatMap { if case .and(let terms) = $0 { terms } else { [$0] } })
  }

  /// Joins two conditions by OR; nested disjunctions become one.
  public static func | (left: Predicate, right: Predicate) -> Predicate {
    .or([left, right].flatMap { if case .or(let terms) = $0 { terms } else { [$0] } })
  }

  /// Negates the condition; a second negation cancels the first.
  public static prefix func ~ (predicate: Predicate) -> Predicate {
    if case .not(let inner) = predicate { inner } else { .not(predicate) }
  }
}
