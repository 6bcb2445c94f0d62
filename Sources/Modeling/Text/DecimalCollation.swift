/// Compares two numbers in plain digits exactly; returns a negative number, zero or a positive number, as `left` is
/// less than, equal to or greater than `right`.
///
/// As a collation it orders every text: numbers (`[+-] digits [. digits]`, `1.10` equal to `1.1` and `-0` to `0`) by
/// value, then everything else by its bytes.
public func compareDecimalText(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  switch (PlainNumber(left), PlainNumber(right)) {
  case (let left?, let right?): return left.compare(right)
  case (.some, nil): return -1
  case (nil, .some): return 1
  case (nil, nil): return compareBytes(left[...], right[...], padding: nil)
  }
}

/// Compares two numbers in plain digits; see the comparison of bytes.
public func compareDecimalText(_ left: String, _ right: String) -> Int {
  var (left, right) = (left, right)
  return left.withUTF8 { left in
    right.withUTF8 { compareDecimalText(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer($0)) }
  }
}

/// A number as slices of its text: digits before the point without leading zeros, digits after it.
private struct PlainNumber {
  private var isNegative: Bool
  private var whole: Slice<UnsafeRawBufferPointer>
  private var fraction: Slice<UnsafeRawBufferPointer>

  init?(_ bytes: UnsafeRawBufferPointer) {
    isNegative = bytes.first == UInt8(ascii: "-")
    let digits = isNegative || bytes.first == UInt8(ascii: "+") ? bytes.dropFirst() : bytes[...]
    let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
    whole = digits[..<point]
    fraction = digits[point...].dropFirst()
    guard !(whole.isEmpty && fraction.isEmpty), whole.allSatisfy(Self.isDigit), fraction.allSatisfy(Self.isDigit) else {
      return nil
    }
    whole = whole.drop { $0 == UInt8(ascii: "0") }
    if isNegative, whole.isEmpty, fraction.allSatisfy({ $0 == UInt8(ascii: "0") }) { isNegative = false }
  }

  func compare(_ other: PlainNumber) -> Int {
    guard isNegative == other.isNegative else { return isNegative ? -1 : 1 }
    let magnitude = compareMagnitude(other)
    return isNegative ? -magnitude : magnitude
  }

  private func compareMagnitude(_ other: PlainNumber) -> Int {
    if whole.count != other.whole.count { return whole.count < other.whole.count ? -1 : 1 }
    let order = compareBytes(whole, other.whole, padding: nil)
    return order != 0 ? order : compareBytes(fraction, other.fraction, padding: UInt8(ascii: "0"))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

/// Compares byte by byte; the shorter text is continued with `padding`, or comes first without one.
private func compareBytes(
  _ left: Slice<UnsafeRawBufferPointer>, _ right: Slice<UnsafeRawBufferPointer>, padding: UInt8?
) -> Int {
  for offset in 0..<max(left.count, right.count) {
    guard let leftByte = offset < left.count ? left[left.startIndex + offset] : padding else { return -1 }
    guard let rightByte = offset < right.count ? right[right.startIndex + offset] : padding else { return 1 }
    if leftByte != rightByte { return leftByte < rightByte ? -1 : 1 }
  }
  return 0
}
