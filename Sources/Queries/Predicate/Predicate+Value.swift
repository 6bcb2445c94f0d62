public import Modeling

extension Predicate {
  /// The predicate about a value alone: with the value in the place of SELF, as conditions on attributes are written.
  ///
  ///     try Predicate.parse("SELF CONTAINS 'title'").about(.string("A title"))     // "A title" CONTAINS "title"
  public func about(_ value: Value) -> Predicate {
    replacing { part, _ -> Expression? in
      if case .object = part { .constant(value) } else { nil }
    }
  }
}
