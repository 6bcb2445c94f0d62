import Modeling
import Queries

/// Columns that keep values in a form of their own, compared with constants brought into that form, so that their
/// indexes can be used.
extension SQLCompiler {
  /// The comparison of a column with a constant; nil where neither side is one, or the column's order is another.
  func keptComparison(_ left: SQLOperand, _ sign: String, _ right: SQLOperand) -> SQLCondition? {
    if let kept = left.kept, let constant = right.constant.flatMap(kept.stored) {
      return SQLCondition("\(kept.sql) \(raw: sign) \(value: constant)")
    }
    if let kept = right.kept, let constant = left.constant.flatMap(kept.stored) {
      return SQLCondition("\(kept.sql) \(raw: mirror(sign)) \(value: constant)")
    }
    return nil
  }
}

extension SQLOperand {
  /// The condition that it lies in a period: from a date on, and before another.
  func isWithin(_ start: Value, _ end: Value) -> SQLCondition {
    if let kept, let start = kept.stored(start), let end = kept.stored(end) {
      return SQLCondition("\(kept.sql) >= \(value: start) AND \(kept.sql) < \(value: end)", .and)
    }
    return SQLCondition("\(sql) >= \(value: start) AND \(sql) < \(value: end)", .and)
  }
}
