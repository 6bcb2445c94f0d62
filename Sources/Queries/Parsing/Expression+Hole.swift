extension Expression {
  /// A placeholder for a part that could not be parsed. Its type is unknown, so that no further errors are found in it.
  ///
  /// Only trees with errors contain holes; their other names are checked, and they never leave this module.
  static let hole = Expression.variable("")

  /// Returns a hole for an expression that could not be parsed as a whole; the names in its parts are still checked.
  static func hole(keeping parts: [Expression]) -> Expression {
    parts.isEmpty ? .hole : .ternary(.and(parts.map { Predicate.unreadable($0) }), .hole, .hole)
  }

  /// Whether it is a hole without parts.
  var isHole: Bool { self == .hole }
}

extension Predicate {
  /// Returns a condition of which only `value` could be parsed.
  static func unreadable(_ value: Expression, modifier: ComparisonModifier = .direct) -> Predicate {
    // CONTAINS accepts single values and collections.
    .comparison(Comparison(value, .contains, .hole, modifier: modifier, origin: value.origin))
  }
}
