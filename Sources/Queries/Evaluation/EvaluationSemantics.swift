/// The meaning of comparisons with nil.
///
/// | | `store` | `memory` |
/// |---|---|---|
/// | answers | true, false, or nil for neither | true or false |
/// | `x == nil`, `x != nil`, the nil written or bound | true or false | true or false |
/// | `x == y`, `x < y`, `x CONTAINS y` with a nil in it | neither | `==` of two nils is true, `!=` with one nil is true, all else false |
/// | values of classes that do not compare, such as text and number | neither | `!=` is true, all else false |
/// | the same, where a side has no declared type | numbers before text before bytes, as in SQLite | as above |
/// | `x IN {1, nil}` | true if found, else neither; of an empty list false | true if found, nil too |
/// | `x BETWEEN {a, b}` | as `x >= a AND x <= b` | the same |
/// | AND, OR, NOT | Kleene's: neither AND false is false, NOT neither is neither | two-valued |
/// | ANY, NONE, IN and CONTAINS over a to-many | whether there is an element for which it is true | the same |
/// | ALL over a to-many | whether there is no element for which it is not true; so true of none | the same |
/// | ANY, ALL, NONE over a list written out | OR, AND, AND of NOT of its elements | the same |
/// | TERNARY | the first value if the condition is true, else the second | the same |
/// | arithmetic and functions | nil of nil | the same |
///
/// A path through a to-one that is nil, or leads to an object that is gone, has the value nil. The classes that compare
/// are told at `Value.compare`.
public enum EvaluationSemantics: String, CaseIterable, Hashable, Sendable {
  /// The answer the store gives, in SQL's three-valued logic.
  case store
  /// The answer Foundation's NSPredicate gives in memory.
  case memory
}
