/// The meaning of comparisons with nil.
///
/// | | `store` | `memory` |
/// |---|---|---|
/// | answers | true, false, or nil for neither | true or false |
/// | `x == nil`, `x != nil`, with a literal or bound nil | true or false | true or false |
/// | `x == y`, `x < y`, `x CONTAINS y` with a nil operand | neither | `==` of two nils is true, `!=` with one nil is true, all else false |
/// | values of types that do not compare, such as text and number | neither | `!=` is true, all else false |
/// | the same, if a side has no declared type | numbers before text before bytes, as in SQLite | as above |
/// | `x IN {1, nil}` | true if found, else neither; false for an empty list | true if found, nil too |
/// | `x BETWEEN {a, b}` | as `x >= a AND x <= b` | the same |
/// | AND, OR, NOT | Kleene's: neither AND false is false, NOT neither is neither | two-valued |
/// | ANY, NONE, IN and CONTAINS over a to-many | whether the test is true for some element | the same |
/// | ALL over a to-many | false if the test is not true for some element, else true; so true without elements | the same |
/// | ANY, ALL, NONE over a literal list | OR, AND, AND of NOT of its elements | the same |
/// | TERNARY | the first value if the condition is true, else the second | the same |
/// | arithmetic and functions | nil of nil | the same |
///
/// A path through a to-one that is nil, or whose destination was deleted, has the value nil. `Value.compare` lists the
/// types that compare.
public enum EvaluationSemantics: String, CaseIterable, Hashable, Sendable {
  /// The store's answer, in SQL's three-valued logic.
  case store
  /// The answer of Foundation's NSPredicate in memory.
  case memory
}
