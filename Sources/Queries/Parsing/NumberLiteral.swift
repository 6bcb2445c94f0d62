internal import Modeling

internal import struct Foundation.Decimal

/// The value of a written number: `12`, `0x1F`, `0o17`, `0b101`, `1.5`, `6e23`; nil if it is not a number.
///
/// Integers beyond 64 bits become decimals, so that no digit is lost; beyond 38 digits they become doubles.
func numberValue(_ digits: String, isNegative: Bool) -> Value? {
  let sign = isNegative ? "-" : ""
  let prefixes = ["0x": 16, "0o": 8, "0b": 2]
  if let base = prefixes[digits.prefix(2).lowercased()] {
    let rest = digits.dropFirst(2)
    guard rest.first != "-", rest.first != "+" else { return nil }
    if let integer = Int64(sign + rest, radix: base) { return .int(integer) }
    guard let magnitude = UInt64(rest, radix: base) else { return nil }
    return .decimal(isNegative ? -Decimal(magnitude) : Decimal(magnitude))
  }
  if let integer = Int64(sign + digits) { return .int(integer) }
  guard digits.utf8.allSatisfy({ $0.isDigit || ".eE+-".utf8.contains($0) }) else { return nil }
  if digits.utf8.allSatisfy(\.isDigit), let decimal = Decimal(exactly: sign + digits) {
    return .decimal(decimal)
  }
  guard let double = Double(sign + digits), double.isFinite else { return nil }
  return .double(double)
}
