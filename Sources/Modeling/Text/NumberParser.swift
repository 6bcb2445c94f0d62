/// Reads a decimal integer that fills `bytes`: an optional sign and digits; nil for anything else, and beyond 64 bits.
public func parseInt64(_ bytes: UnsafeRawBufferPointer) -> Int64? {
  var position = 0
  let isNegative = bytes.first == UInt8(ascii: "-")
  if isNegative || bytes.first == UInt8(ascii: "+") { position = 1 }
  guard position < bytes.count else { return nil }
  // Counted downwards, because the negative range is larger; 18 digits cannot overflow.
  var value: Int64 = 0
  let isShort = bytes.count - position <= 18
  while position < bytes.count {
    let digit = Int64(bytes[position] &- UInt8(ascii: "0"))
    guard digit < 10 else { return nil }
    if isShort {
      value = value &* 10 &- digit
    } else {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (difference, carried) = product.subtractingReportingOverflow(digit)
      guard !overflow, !carried else { return nil }
      value = difference
    }
    position += 1
  }
  if isNegative { return value }
  return value == .min ? nil : -value
}

/// Reads a decimal number that fills `bytes` as the nearest Double: `-12`, `1.5`, `.5`, `1.`, `6.02e23`, `inf`,
/// `-Infinity`.
///
/// Returns nil for anything else, for NaN, and for finite numbers out of range. Numbers of up to 19 digits with a small
/// exponent, which are nearly all, need one exact multiplication or division (Clinger); the standard library reads the
/// rest.
public func parseDouble(_ bytes: UnsafeRawBufferPointer) -> Double? {
  guard let number = DecimalNotation(bytes) else { return parseInfinity(bytes) }
  if let exact = number.exactDouble { return exact }
  guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else { return nil }
  return value
}

private func parseInfinity(_ bytes: UnsafeRawBufferPointer) -> Double? {
  guard (3...9).contains(bytes.count) else { return nil }
  switch String(decoding: bytes, as: UTF8.self).lowercased() {
  case "inf", "+inf", "infinity", "+infinity": return .infinity
  case "-inf", "-infinity": return -.infinity
  default: return nil
  }
}

/// A written decimal number: sign, digits and power of ten.
struct DecimalNotation {
  var isNegative = false
  /// The first 19 significant digits.
  var digits: UInt64 = 0
  /// The number of significant digits.
  var digitCount = 0
  /// The power of ten of the last of `digits`.
  var exponent = 0

  /// Reads `[+-] digits [. digits] [e [+-] digits]` with at least one digit before the exponent.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var position = 0
    isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { position = 1 }
    var sawDigit = false
    var point: Int?
    scan: while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        sawDigit = true
        append(byte &- UInt8(ascii: "0"), isFraction: point != nil)
      case UInt8(ascii: ".") where point == nil: point = position
      case UInt8(ascii: "e"), UInt8(ascii: "E"): break scan
      default: return nil
      }
      position += 1
    }
    guard sawDigit else { return nil }
    guard position < bytes.count else { return }
    guard let written = parseInt64(UnsafeRawBufferPointer(rebasing: bytes[(position + 1)...])) else { return nil }
    exponent += Int(min(max(written, -100_000), 100_000))
  }

  private mutating func append(_ digit: UInt8, isFraction: Bool) {
    if digitCount == 0, digit == 0 {
      if isFraction { exponent -= 1 }
    } else if digitCount < 19 {
      digits = digits &* 10 &+ UInt64(digit)
      digitCount += 1
      if isFraction { exponent -= 1 }
    } else {
      digitCount += 1
      if !isFraction { exponent += 1 }
    }
  }

  /// The value, if digits and power of ten are exact Doubles, so that a single operation rounds correctly.
  var exactDouble: Double? {
    guard digits <= 1 << 53, digitCount <= 19 else { return nil }
    var value = Double(digits)
    if value != 0 {
      guard -22...22 ~= exponent else { return nil }
      value = exponent < 0 ? value / Self.powersOfTen[-exponent] : value * Self.powersOfTen[exponent]
    }
    return isNegative ? -value : value
  }

  private static let powersOfTen = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}

/// The value of a hexadecimal digit.
func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
