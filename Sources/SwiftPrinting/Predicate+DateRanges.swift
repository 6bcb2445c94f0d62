internal import Modeling
internal import Queries

extension Queries.Predicate {
  /// The predicate with comparisons of years, months and days replaced by comparisons of dates, which Apple's
  /// frameworks have: `year(time) == 2024` is `time >= start AND time < end`.
  ///
  /// Functions compared with anything but a constant are left as they are.
  var withDateRanges: Queries.Predicate {
    switch self {
    case .constant: self
    // A range is two terms more of the conjunction around.
    case .and(let terms): terms.map(\.withDateRanges).reduce(.and([]), &)
    case .or(let terms): .or(terms.map(\.withDateRanges))
    case .not(let inner): .not(inner.withDateRanges)
    case .comparison(let comparison): comparison.dateRange ?? .comparison(comparison.withDateRangesInside)
    case .expression(let expression): .expression(expression.withDateRanges)
    }
  }
}

extension Queries.Expression {
  fileprivate var withDateRanges: Queries.Expression {
    switch self {
    case .subquery(let source, let name, let predicate):
      .subquery(source.withDateRanges, variable: name, predicate.withDateRanges)
    case .ternary(let predicate, let first, let second):
      .ternary(predicate.withDateRanges, first.withDateRanges, second.withDateRanges)
    case .collection(let function, let source, let key): .collection(function, of: source.withDateRanges, key: key)
    default: self
    }
  }
}

extension Comparison {
  fileprivate var withDateRangesInside: Comparison {
    var result = self
    (result.left, result.right) = (left.withDateRanges, right.withDateRanges)
    return result
  }

  /// The comparison in terms of dates; nil if it does not compare a part of a date with a constant.
  fileprivate var dateRange: Queries.Predicate? {
    guard modifier == .direct, case .function(let function, let arguments, _) = left, arguments.count == 1
    else { return nil }
    let date = arguments[0]
    if comparator == .between, let ends = right.elementsOfList, ends.count == 2 {
      let above = Comparison(left, .greaterOrEqual, ends[0]).dateRange
      let below = Comparison(left, .lessOrEqual, ends[1]).dateRange
      if let above, let below { return .and([above, below]) }
    }
    guard let constant = right.givenValue, let period = DatePeriod(function, constant) else { return nil }
    func bound(_ comparator: Queries.Comparator, _ limit: Timestamp) -> Queries.Predicate {
      .comparison(Comparison(date, comparator, .constant(.date(limit))))
    }
    switch comparator {
    case .equal: return .and([bound(.greaterOrEqual, period.start), bound(.less, period.end)])
    // Of no date it is not known, and in memory true, that it is in another year.
    case .notEqual: return .not(.and([bound(.greaterOrEqual, period.start), bound(.less, period.end)]))
    case .less: return bound(.less, period.start)
    case .lessOrEqual: return bound(.less, period.end)
    case .greater: return bound(.greaterOrEqual, period.end)
    case .greaterOrEqual: return bound(.greaterOrEqual, period.start)
    default: return nil
    }
  }
}

extension Queries.Expression {
  /// The value of a constant, written or given.
  var givenValue: Value? {
    switch self {
    case .constant(let value), .argument(let value, _): value
    default: nil
    }
  }
}

/// A year, month or day in UTC.
private struct DatePeriod {
  var start: Timestamp
  /// The beginning of the next one.
  var end: Timestamp

  /// The period that `function` answers `value` for.
  init?(_ function: ExpressionFunction, _ value: Value) {
    let texts: (String, String)
    switch (function, value) {
    case (.year, .int(let year)) where (1...9998).contains(year):
      texts = ("\(Self.padded(year, 4))-01-01", "\(Self.padded(year + 1, 4))-01-01")
    case (.month, .string(let text)):
      let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let year = Int64(parts[0]), let month = Int64(parts[1]), year < 9999 else { return nil }
      let (nextYear, next) = month == 12 ? (year + 1, 1) : (year, month + 1)
      texts = ("\(text)-01", "\(Self.padded(nextYear, 4))-\(Self.padded(next, 2))-01")
    case (.day, .string(let text)):
      guard let start = Timestamp(iso8601: text + "T00:00:00Z"), start.dayText == text else { return nil }
      (self.start, end) = (start, Timestamp(start.seconds + 86_400))
      return
    default: return nil
    }
    guard let start = Timestamp(iso8601: texts.0 + "T00:00:00Z"), let end = Timestamp(iso8601: texts.1 + "T00:00:00Z")
    else { return nil }
    if case .string(let text) = value, start.monthText != text { return nil }
    (self.start, self.end) = (start, end)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
