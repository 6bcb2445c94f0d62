import Modeling
import Queries
import SQLite

/// Columns whose encoding differs from our own form. Constants are converted to the column's encoding, so that a
/// comparison can use the column's index.
extension SQLCompiler {
  /// The comparison of a column with a constant; nil if neither side is a constant, or if the column's encoding has
  /// another order.
  func keptComparison(_ left: SQLOperand, _ sign: String, _ right: SQLOperand) -> SQLCondition? {
    if let kept = left.kept, let constant = right.constant { return kept.comparison(sign, constant) }
    if let kept = right.kept, let constant = left.constant { return kept.comparison(mirror(sign), constant) }
    return nil
  }

  /// The equality of an archived value with the bytes that were read from it, or else with its decoded value; nil for
  /// any other comparison.
  func archiveComparison(_ left: SQLOperand, _ sign: String, _ right: SQLOperand) -> SQLCondition? {
    guard sign == "=" || sign == "<>" else { return nil }
    guard let kept = left.kept, kept.isArchive, let constant = right.constant else {
      guard left.constant != nil, right.kept?.isArchive == true else { return nil }
      return archiveComparison(right, sign, left)
    }
    switch constant.fitted(to: .transformable) {
    case .data: return SQLCondition("\(kept.sql) \(raw: sign) \(value: constant)")
    case .json(.string(let text)):
      let json = Value.json(.string(text)).bindable
      let conditions = [
        SQLCondition("\(left.sql) \(raw: sign) \(value: json)"),
        SQLCondition("\(kept.sql) \(raw: sign) \(value: .data(Array(text.utf8)))"),
      ]
      return sign == "=" ? .any(conditions) : .all(conditions)
    default: return nil
    }
  }
}

extension KeptColumn {
  /// The comparison of the column with a constant; nil if the column's encoding has another order.
  fileprivate func comparison(_ sign: String, _ constant: Value) -> SQLCondition? {
    // All programs write a date of whole seconds as the same number. For any other date, several numbers are read as
    // it.
    if case .date(let date) = constant, date.seconds != date.seconds.rounded(),
      let dates = dates(date), dates.lower != dates.upper
    {
      return comparison(sign, dates)
    }
    return stored(constant).map { SQLCondition("\(sql) \(raw: sign) \(value: $0)") }
  }

  private func comparison(_ sign: String, _ dates: ReferenceDateRange) -> SQLCondition? {
    let (lower, upper) = (Value.double(dates.lower), Value.double(dates.upper))
    switch sign {
    case "=": return SQLCondition("\(sql) >= \(value: lower) AND \(sql) <= \(value: upper)", .and)
    case "<>": return SQLCondition("\(sql) < \(value: lower) OR \(sql) > \(value: upper)", .or)
    case "<", ">=": return SQLCondition("\(sql) \(raw: sign) \(value: lower)")
    case "<=", ">": return SQLCondition("\(sql) \(raw: sign) \(value: upper)")
    default: return nil
    }
  }
}

// Dates in texts.
extension KeptColumn {
  /// Bounds of the texts that may be dates which compare so with a constant, for the column's index; none where there are none.
  ///
  /// Every text that is read as a date begins with its day, in the time of the offset behind it, and offsets are less than
  /// a day. So the texts of a period lie between the day before it and the day after it, in any form. The comparison itself
  /// excludes other texts that lie there.
  fileprivate func bounds(from start: Timestamp?, to end: Timestamp?) -> [SQLCondition] {
    guard isDateText else { return [] }
    func day(_ date: Timestamp, _ days: Double) -> SQLFragment? {
      let text = Timestamp(date.seconds + days * 86400).dayText
      return text.utf8.count == 10 ? SQLFragment(value: .string(text)) : nil
    }
    let lower = start.flatMap { day($0, -1) }.map { SQLCondition("\(sql) >= \($0)") }
    let upper = end.flatMap { day($0, 2) }.map { SQLCondition("\(sql) < \($0)") }
    return [lower, upper].compactMap { $0 }
  }

  func bounds(_ sign: String, _ other: SQLOperand) -> [SQLCondition] {
    guard case .date(let date)? = other.constant else { return [] }
    switch sign {
    case "=": return bounds(from: date, to: date)
    case "<", "<=": return bounds(from: nil, to: date)
    case ">", ">=": return bounds(from: date, to: nil)
    default: return []
    }
  }
}

extension SQLOperand {
  /// The condition that the value lies between two dates; the second is excluded.
  func isWithin(_ start: Value, _ end: Value) -> SQLCondition {
    if let kept, let start = kept.stored(start), let end = kept.stored(end) {
      return SQLCondition("\(kept.sql) >= \(value: start) AND \(kept.sql) < \(value: end)", .and)
    }
    let within = SQLCondition("\(sql) >= \(value: start) AND \(sql) < \(value: end)", .and)
    guard let kept, case .date(let first) = start, case .date(let last) = end else { return within }
    let bounds = kept.bounds(from: first, to: last)
    return bounds.isEmpty ? within : .all(bounds + [within])
  }
}
