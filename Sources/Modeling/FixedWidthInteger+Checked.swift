infix operator +| : AdditionPrecedence
infix operator -| : AdditionPrecedence
infix operator *| : MultiplicationPrecedence

// What is computed with numbers that scripts, files and models give: any number may come, and none may end the process.
//
//     request.fetchOffset +| limit      // Int.max where the sum is beyond it
extension FixedWidthInteger {
  /// The sum, or the end of the type that it is beyond.
  @inlinable
  public static func +| (left: Self, right: Self) -> Self {
    let (sum, isBeyond) = left.addingReportingOverflow(right)
    return isBeyond ? (right < 0 ? .min : .max) : sum
  }

  /// The difference, or the end of the type that it is beyond.
  @inlinable
  public static func -| (left: Self, right: Self) -> Self {
    let (difference, isBeyond) = left.subtractingReportingOverflow(right)
    return isBeyond ? (right > 0 ? .min : .max) : difference
  }

  /// The product, or the end of the type that it is beyond.
  @inlinable
  public static func *| (left: Self, right: Self) -> Self {
    let (product, isBeyond) = left.multipliedReportingOverflow(by: right)
    return isBeyond ? ((left < 0) == (right < 0) ? .max : .min) : product
  }
}

extension RandomAccessCollection where Index == Int {
  /// The element with a number, counted from 1 as scripts and files count; nil where there is none.
  @inlinable
  public func element(numbered number: some BinaryInteger) -> Element? {
    guard number >= 1, number <= count else { return nil }
    return self[startIndex + Int(number) - 1]
  }
}

extension ClosedRange {
  /// The range between two bounds that a file gives; nil where they are the wrong way round.
  @inlinable
  public init?(from first: Bound, through last: Bound) {
    guard first <= last else { return nil }
    self = first...last
  }
}
