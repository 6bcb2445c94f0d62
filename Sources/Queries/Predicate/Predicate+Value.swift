public import Modeling

extension Predicate {
  /// Returns the predicate about a value, which replaces SELF, as in conditions on attributes.
  ///
  ///     try Predicate.parse("SELF CONTAINS 'title'").about(.string("A title"))     // "A title" CONTAINS "title"
  public func about(_ value: Value) -> Predicate {
    replacing { part, _ -> Expression? in
      if case .object = part { .constant(value) } else { nil }
    }
  }
}
