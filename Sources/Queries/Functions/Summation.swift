public import Modeling

internal import struct Foundation.Decimal

/// A sum whose result does not depend on the order in which its numbers come.
///
///     var summation = Summation()
///     for value in [Value.int(.max), .int(1), .int(-1)] { summation.add(value) }
///     summation.total                                                      // .int(.max)
///
/// Integers add up exactly and become a double only if the sum does not fit in 64 bits; doubles are added from the
/// least to the greatest; with a decimal the sum is one. What is no number is passed over. Storage's SQL functions
/// run it, too.
public struct Summation {
  private var (high, low): (Int64, UInt64) = (0, 0)
  private var doubles: [Double] = []
  private var decimals: Decimal?

  /// Begins with 0.
  public init() {}

  /// Adds a number.
  public mutating func add(_ value: Value) {
    switch value {
    case .bool(let flag): add(flag ? 1 : 0)
    case .int(let number): add(number)
    case .double(let number): doubles.append(number)
    case .decimal(let number): decimals = (decimals ?? 0) + number
    default: break
    }
  }

  private mutating func add(_ number: Int64) {
    let (sum, carry) = low.addingReportingOverflow(UInt64(bitPattern: number))
    low = sum
    high &+= (number < 0 ? -1 : 0) + (carry ? 1 : 0)
  }

  /// The sum of the numbers.
  public var total: Value {
    let integers: Value =
      high == (Int64(bitPattern: low) < 0 ? -1 : 0)
      ? .int(Int64(bitPattern: low)) : .double(Double(high) * 0x1p64 + Double(low))
    let real = doubles.isEmpty ? nil : doubles.sorted().reduce(0, +)
    if let decimals {
      let whole = ExpressionFunction.add.arithmetic(.decimal(decimals), integers)
      return real.map { ExpressionFunction.add.arithmetic(whole, .double($0)) } ?? whole
    }
    return real.map { ExpressionFunction.add.arithmetic(integers, .double($0)) } ?? integers
  }
}
