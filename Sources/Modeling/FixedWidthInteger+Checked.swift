infix operator +| : AdditionPrecedence
infix operator -| : AdditionPrecedence
infix operator *| : MultiplicationPrecedence

// Saturating arithmetic for numbers from scripts, files and models, which may be anything and must not end the process.
//
//     request.fetchOffset +| limit      // Int.max if the sum is greater
extension FixedWidthInteger {
  /// The sum, or the nearest limit of the type if it overflows.
  @inlinable
  public static func +| (left: Self, right: Self) -> Self {
    let (sum, isBeyond) = left.addingReportingOverflow(right)
    return isBeyond ? (right < 0 ? .min : .max) : sum
  }

  /// The difference, or the nearest limit of the type if it overflows.
  @inlinable
  public static func -| (left: Self, right: Self) -> Self {
    let (difference, isBeyond) = left.subtractingReportingOverflow(right)
    return isBeyond ? (right > 0 ? .min : .max) : difference
  }

  /// The product, or the nearest limit of the type if it overflows.
  @inlinable
  public static func *| (left: Self, right: Self) -> Self {
    let (product, isBeyond) = left.multipliedReportingOverflow(by: right)
    return isBeyond ? ((left < 0) == (right < 0) ? .max : .min) : product
  }

  /// A number without its fraction, or the nearest limit of the type; zero for NaN.
  @inlinable
  public init(saturating number: Double) {
    // The greatest of 64 bits is rounded up to a number that does not fit.
    self = number.isNaN ? 0 : number >= Double(Self.max) ? .max : number <= Double(Self.min) ? .min : Self(number)
  }
}

extension RandomAccessCollection where Index == Int {
  /// The element with a one-based number, as scripts and files count; nil if there is none.
  @inlinable
  public func element(numbered number: some BinaryInteger) -> Element? {
    guard number >= 1, number <= count else { return nil }
    return self[startIndex + Int(number) - 1]
  }
}

extension ClosedRange {
  /// The range between two bounds from a file; nil if they are in the wrong order.
  @inlinable
  public init?(from first: Bound, through last: Bound) {
    guard first <= last else { return nil }
    self = first...last
  }
}
