internal import Modeling
internal import Queries

/// The span of time that `year(time) == 2024`, `month(time) == "2024-01"` or `day(time) == "2024-01-22"` is about.
struct DateSpan {
  private let operand: Expression
  private let start: Timestamp
  /// The first instant after it.
  private let end: Timestamp

  /// The span of a comparison of one of these functions with a constant; nil for any other comparison.
  init?(_ comparison: Comparison) {
    guard comparison.modifier == .direct, comparison.options.isEmpty,
      case .function(let function, let arguments, _) = comparison.left, arguments.count == 1,
      let bounds = Self.bounds(function, comparison.right.constantValue)
    else { return nil }
    operand = arguments[0]
    (start, end) = bounds
  }

  private static func bounds(_ function: ExpressionFunction, _ value: Value?) -> (Timestamp, Timestamp)? {
    func instant(_ year: Int, _ month: Int, _ day: Int) -> Timestamp? {
      func digits(_ number: Int, _ count: Int) -> String {
        String(repeating: "0", count: max(0, count - String(number).count)) + String(number)
      }
      return Timestamp(iso8601: "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T00:00:00Z")
    }
    func bounds(_ start: Timestamp?, _ end: Timestamp?) -> (Timestamp, Timestamp)? {
      start.flatMap { start in end.map { (start, $0) } }
    }
    if function == .year {
      guard case .int(let year)? = value, (1...9998).contains(year) else { return nil }
      return bounds(instant(Int(year), 1, 1), instant(Int(year) + 1, 1, 1))
    }
    guard case .string(let text)? = value else { return nil }
    let pieces = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    let lengths = text.split(separator: "-", omittingEmptySubsequences: false).map(\.count)
    guard let year = pieces.first ?? nil, (1...9998).contains(year) else { return nil }
    switch function {
    case .month where lengths == [4, 2]:
      guard let month = pieces[1], (1...12).contains(month) else { return nil }
      return bounds(instant(year, month, 1), month == 12 ? instant(year + 1, 1, 1) : instant(year, month + 1, 1))
    case .day where lengths == [4, 2, 2]:
      guard let month = pieces[1], let day = pieces[2], let start = instant(year, month, day) else { return nil }
      return (start, Timestamp(start.seconds + 86400))
    default: return nil
    }
  }

  /// The condition on the date itself; nil for operators that are not about order.
  func condition(_ comparator: Comparator) -> Predicate? {
    func compare(_ comparator: Comparator, _ instant: Timestamp) -> Predicate {
      .comparison(Comparison(operand, comparator, .constant(.date(instant))))
    }
    return switch comparator {
    case .equal: .and([compare(.greaterOrEqual, start), compare(.less, end)])
    case .notEqual: .or([compare(.less, start), compare(.greaterOrEqual, end)])
    case .less: compare(.less, start)
    case .lessOrEqual: compare(.less, end)
    case .greater: compare(.greaterOrEqual, end)
    case .greaterOrEqual: compare(.greaterOrEqual, start)
    default: nil
    }
  }
}
