import Foundation
import Modeling

extension Value {
  /// The number as a decimal, by its shortest notation; nil if the value is not a number or no Decimal can hold it.
  var decimal: Decimal? {
    switch self {
    case .bool(let flag): flag ? 1 : 0
    case .int(let number): Decimal(number)
    case .double(let number): Int64(exactly: number).map { Decimal($0) } ?? Decimal(shortest: number)
    case .decimal(let number): number
    default: nil
    }
  }

  /// The number as plain digits, which the collation `decimal` orders; nil if the value is not a number.
  var decimalText: String? {
    if let decimal { return decimal.canonicalText }
    // Too large or too small for a Decimal, but still compared with decimals.
    if case .double(let number) = self { return plainDigits(number) }
    return nil
  }
}

/// The digits of a double without an exponent; an infinity is a number greater than all others.
private func plainDigits(_ number: Double) -> String? {
  if number.isNaN { return nil }
  let sign = number < 0 ? "-" : ""
  if number.isInfinite { return sign + "1" + String(repeating: "0", count: 400) }
  let parts = "\(number.magnitude)".split(separator: "e")
  let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
  let mantissa = parts[0].split(separator: ".")
  let fraction = mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : ""
  let digits = mantissa[0] + fraction
  // The position of the point, counted from the first digit.
  let point = mantissa[0].count + exponent
  if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
  if point >= digits.count { return sign + digits + String(repeating: "0", count: point - digits.count) }
  return sign + digits.prefix(point) + "." + digits.dropFirst(point)
}
