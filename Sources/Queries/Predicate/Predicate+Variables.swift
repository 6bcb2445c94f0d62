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
  /// - Throws: names the predicate does not have, and keys of variables, which no value can replace.
  public func bind(_ values: [String: Value]) throws(PredicateError) -> Predicate {
    let known = variables
    var issues: [PredicateError.Issue] = []
    for name in values.keys.sorted() where !known.contains(name) {
      issues.append(PredicateError.Issue(.unknownVariable(name, nearest: nearestName(to: name, in: known))))
    }
    let bound = replacing { (part, bound) -> Expression? in
      switch part {
      case .variable(let name, _):
        guard !bound.contains(name), let value = values[name] else { return nil }
        return .constant(value)
      case .variablePath(let name, let path):
        if !bound.contains(name), values[name] != nil {
          issues.append(
            PredicateError.Issue(.unsupported("$\(name).\(path.text), a key of a bound value"), at: path.origin))
        }
        return nil
      default: return nil
      }
    }
    guard issues.isEmpty else { throw PredicateError(issues: issues) }
    return bound
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
