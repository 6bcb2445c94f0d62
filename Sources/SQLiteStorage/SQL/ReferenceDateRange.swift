import Modeling

/// The numbers, in a column of seconds since 2001, that are read as one date.
///
/// There are several: a date counts from 1970, so its number is larger and has fewer digits after the point.
struct ReferenceDateRange {
  /// The smallest number that is read as the date or a later one.
  let lower: Double
  /// The largest number that is read as the date or an earlier one; less than `lower` if no number is read as the date.
  let upper: Double

  /// Returns nil if the timestamp is not a date.
  init?(_ date: Timestamp) {
    guard date.seconds.isFinite else { return nil }
    let middle = date.seconds - secondsToReferenceDate
    let width = max(1, date.seconds.ulp * 4)
    let (start, end) = (Self.rank(middle - width), Self.rank(middle + width))
    lower = Self.number(Self.first(from: start, to: end) { $0 + secondsToReferenceDate >= date.seconds })
    upper = Self.number(Self.first(from: start, to: end) { $0 + secondsToReferenceDate > date.seconds } - 1)
  }

  /// The first number for which a condition is true. The condition is false for `start`, true for `end`, and stays true
  /// once it is.
  private static func first(from start: Int64, to end: Int64, where isThere: (Double) -> Bool) -> Int64 {
    var (before, after) = (start, end)
    while before < after - 1 {
      let middle = (before >> 1) + (after >> 1) + (before & after & 1)
      if isThere(number(middle)) { after = middle } else { before = middle }
    }
    return after
  }

  /// The position of a number in the order of all numbers.
  private static func rank(_ number: Double) -> Int64 {
    let bits = Int64(bitPattern: number.bitPattern)
    return bits >= 0 ? bits : .min &- bits
  }

  private static func number(_ rank: Int64) -> Double {
    Double(bitPattern: UInt64(bitPattern: rank >= 0 ? rank : .min &- rank))
  }
}
