internal import Modeling

/// The value of a number literal of Swift.
enum SwiftNumber {
  /// The value of `1_000`, `0xFF`, `2.5e-3`; nil if it is not a number or does not fit in an Int.
  package static func value(_ digits: String, isNegative: Bool = false) -> Value? {
    let plain = digits.filter { $0 != "_" }
    guard let first = digits.first, first != "_", !plain.isEmpty else { return nil }
    let sign = isNegative ? "-" : ""
    for (prefix, base) in [("0x", 16), ("0o", 8), ("0b", 2)] where plain.hasPrefix(prefix) {
      let rest = plain.dropFirst(2)
      guard rest.first?.isHexDigit == true else { return nil }
      return Int64(sign + rest, radix: base).map(Value.int)
    }
    if plain.utf8.allSatisfy(\.isDecimalDigit) { return Int64(sign + plain).map(Value.int) }
    guard plain.utf8.allSatisfy({ $0.isDecimalDigit || ".eE+-".utf8.contains($0) }) else { return nil }
    guard let number = Double(sign + plain), number.isFinite else { return nil }
    return .double(number)
  }
}
