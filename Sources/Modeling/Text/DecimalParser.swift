public import struct Foundation.Decimal

/// Reads a decimal number from bytes, exactly; see `Decimal.init(exactly:)`.
public func parseDecimal(_ bytes: UnsafeRawBufferPointer) -> Decimal? {
  guard let number = DecimalNotation(bytes) else { return nil }
  if number.digits == 0 { return 0 }
  let sign: FloatingPointSign = number.isNegative ? .minus : .plus
  if number.digitCount <= 19 {
    return decimal(sign, number.digits, exponent: number.exponent)
  }
  return parseLongDecimal(bytes, sign, number)
}

/// Reads more than 19 digits, in two parts unless the rest are zeros.
private func parseLongDecimal(
  _ bytes: UnsafeRawBufferPointer, _ sign: FloatingPointSign, _ number: DecimalNotation
) -> Decimal? {
  let mantissa = bytes.prefix { $0 | 0x20 != UInt8(ascii: "e") }
  let written = mantissa.map { $0 &- UInt8(ascii: "0") }.filter { $0 < 10 }.drop { $0 == 0 }
  guard let last = written.lastIndex(where: { $0 != 0 }) else { return 0 }
  let significant = Array(written[...last])
  guard significant.count <= 38 else { return nil }
  let high = significant.prefix(19)
  let low = significant.dropFirst(19)
  // The exponent of the number is that of its 19th digit.
  let highExponent = number.exponent + 19 - high.count
  guard let high = decimal(sign, integer(high), exponent: highExponent),
    let low = decimal(sign, integer(low), exponent: highExponent - low.count)
  else { return nil }
  return high + low
}

private func integer(_ digits: ArraySlice<UInt8>) -> UInt64 { digits.reduce(0) { $0 * 10 + UInt64($1) } }

/// `digits` times ten to the power `exponent`, if a Decimal can hold it.
private func decimal(_ sign: FloatingPointSign, _ digits: UInt64, exponent: Int) -> Decimal? {
  if digits == 0 { return 0 }
  var (digits, exponent) = (digits, exponent)
  while exponent < -127, digits % 10 == 0 { (digits, exponent) = (digits / 10, exponent + 1) }
  guard (-127...127).contains(exponent) else { return nil }
  return Decimal(sign: sign, exponent: exponent, significand: Decimal(digits))
}
