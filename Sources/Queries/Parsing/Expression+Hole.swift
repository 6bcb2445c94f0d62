extension Expression {
  /// A placeholder for a part that could not be parsed. Its type is unknown, so that no further mistakes are found in
  /// it.
  ///
  /// Only trees with mistakes hold one; they are checked for the names in the rest and never leave this layer.
  static let hole = Expression.variable("")

  /// A hole in place of something that could not be understood as a whole; the names in its parts are still checked.
  static func hole(keeping parts: [Expression]) -> Expression {
    parts.isEmpty ? .hole : .ternary(.and(parts.map { Predicate.unreadable($0) }), .hole, .hole)
  }

  /// Whether it is a hole that keeps nothing.
  var isHole: Bool { self == .hole }
}

extension Predicate {
  /// A condition of which only `value` could be read.
  static func unreadable(_ value: Expression, modifier: ComparisonModifier = .direct) -> Predicate {
    // CONTAINS takes one value and many.
    .comparison(Comparison(value, .contains, .hole, modifier: modifier, origin: value.origin))
  }
}
