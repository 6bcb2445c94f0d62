internal import Foundation
internal import Modeling
internal import Queries

/// A comparison of a value of some Swift type with a constant, in terms of that type.
///
/// Swift compares an Int with no 2.5, and an Int16 with no 100000; what such comparisons mean is known beforehand.
enum ConstantFit {
  /// The value compares with this constant by this operator.
  case compare(Queries.Comparator, Value)
  /// The answer for every value that is there.
  case always(Bool)
  /// The two do not compare.
  case mismatch

  /// Fits `value` to the attribute type `type`.
  init(_ comparator: Queries.Comparator, _ value: Value, to type: AttributeType) {
    switch (type, value) {
    case (_, .null): self = .always(comparator == .notEqual)
    case (.boolean, .bool), (.string, .string), (.date, .date), (.uuid, .uuid), (.url, .url), (.data, .data):
      self = .compare(comparator, value)
    case (.string, .url(let text)): self = .compare(comparator, .string(text))
    case (.url, .string(let text)): self = .compare(comparator, .url(text))
    case (.uuid, .string(let text)):
      self = UUID(uuidString: text).map { .compare(comparator, .uuid($0)) } ?? .mismatch
    case (.data, .string): self = .compare(comparator, value.fitted(to: .data))
    case (.boolean, _): self = Self.boolean(comparator, value)
    case (.integer16, _), (.integer32, _), (.integer64, _):
      self = type.integerRange.map { Self.integer(comparator, value, $0) } ?? .mismatch
    case (.double, _): self = Self.double(comparator, value)
    case (.float, _): self = Self.float(comparator, value)
    case (.decimal, _): self = Self.decimal(comparator, value)
    default: self = .mismatch
    }
  }

  /// True is as 1 and false as 0.
  private static func boolean(_ comparator: Queries.Comparator, _ value: Value) -> ConstantFit {
    guard let no = answer(.bool(false), comparator, value), let yes = answer(.bool(true), comparator, value) else {
      return .mismatch
    }
    if no == yes { return .always(no) }
    // In memory nil differs from every number.
    return comparator == .notEqual ? .compare(.notEqual, .bool(!yes)) : .compare(.equal, .bool(yes))
  }

  private static func integer(
    _ comparator: Queries.Comparator, _ value: Value, _ range: ClosedRange<Int64>
  ) -> ConstantFit {
    guard let low = Value.int(range.lowerBound).compare(value), let high = Value.int(range.upperBound).compare(value)
    else { return .mismatch }
    if low > 0 || high < 0 {
      return answer(.int(range.lowerBound), comparator, value).map { .always($0) } ?? .mismatch
    }
    guard let below = floor(value) else { return .mismatch }
    if Value.int(below).compare(value) == 0 { return .compare(comparator, .int(below)) }
    switch comparator {
    case .equal: return .always(false)
    case .notEqual: return .always(true)
    case .less, .lessOrEqual: return .compare(.lessOrEqual, .int(below))
    default: return .compare(.greater, .int(below))
    }
  }

  private static func floor(_ value: Value) -> Int64? {
    switch value {
    case .bool(let flag): return flag ? 1 : 0
    case .int(let number): return number
    case .double(let number): return Int64(exactly: number.rounded(.down))
    case .decimal(var number):
      var rounded = Decimal()
      NSDecimalRound(&rounded, &number, 0, .down)
      return Int64("\(rounded)")
    default: return nil
    }
  }

  private static func double(_ comparator: Queries.Comparator, _ value: Value) -> ConstantFit {
    switch value {
    case .bool(let flag): return .compare(comparator, .int(flag ? 1 : 0))
    case .int(let number): return Int64(exactly: Double(number)) == number ? .compare(comparator, value) : .mismatch
    case .double(let number): return number.isNaN ? .always(comparator == .notEqual) : .compare(comparator, value)
    case .decimal(let number):
      guard let double = Double("\(number)"), Decimal(shortest: double) == number else { return .mismatch }
      return .compare(comparator, .double(double))
    default: return .mismatch
    }
  }

  /// A constant that no Float holds is between two that are.
  private static func float(_ comparator: Queries.Comparator, _ value: Value) -> ConstantFit {
    guard case .compare(_, let constant) = double(comparator, value) else { return double(comparator, value) }
    let number: Double
    switch constant {
    case .int(let whole): number = Double(whole)
    case .double(let real): number = real
    default: return .mismatch
    }
    let nearest = Float(number)
    if Double(nearest) == number { return .compare(comparator, constant) }
    guard nearest.isFinite else { return .mismatch }
    let isAbove = Double(nearest) > number
    let written = Value.double(Double("\(nearest)") ?? Double(nearest))
    switch comparator {
    case .equal: return .always(false)
    case .notEqual: return .always(true)
    case .less, .lessOrEqual: return .compare(isAbove ? .less : .lessOrEqual, written)
    default: return .compare(isAbove ? .greaterOrEqual : .greater, written)
    }
  }

  private static func decimal(_ comparator: Queries.Comparator, _ value: Value) -> ConstantFit {
    switch value {
    case .bool(let flag): return .compare(comparator, .int(flag ? 1 : 0))
    case .int: return .compare(comparator, value)
    case .decimal(let number):
      return .compare(comparator, Int64("\(number)").map { .int($0) } ?? value)
    case .double(let number):
      if let whole = Int64(exactly: number) { return .compare(comparator, .int(whole)) }
      return Decimal(shortest: number).map { .compare(comparator, .decimal($0)) } ?? .mismatch
    default: return .mismatch
    }
  }

  /// What the comparison of two constants answers; nil where they do not compare.
  static func answer(_ left: Value, _ comparator: Queries.Comparator, _ right: Value) -> Bool? {
    if left.isNull || right.isNull {
      let isSame = left.isNull && right.isNull
      return comparator == .equal ? isSame : comparator == .notEqual ? !isSame : false
    }
    guard let order = left.compare(right) else { return nil }
    return switch comparator {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    default: nil
    }
  }
}
