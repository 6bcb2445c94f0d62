package import Modeling

package import struct Foundation.Decimal

extension Value {
  /// The number as a double, rounded if necessary; nil if it is not a number.
  package var doubleValue: Double? {
    switch self {
    case .bool(let flag): flag ? 1 : 0
    case .int(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): Double(number.canonicalText)
    default: nil
    }
  }

  /// The number as a decimal: integral doubles exactly, others by their shortest notation, as they were written.
  package var decimalValue: Decimal? {
    switch self {
    case .bool(let flag): flag ? 1 : 0
    case .int(let number): Decimal(number)
    case .double(let number): Int64(exactly: number).map { Decimal($0) } ?? Decimal(shortest: number)
    case .decimal(let number): number
    default: nil
    }
  }
}
