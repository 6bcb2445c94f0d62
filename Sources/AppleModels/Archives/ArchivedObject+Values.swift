internal import Modeling

internal import struct Foundation.Decimal
internal import struct Foundation.UUID

// The values of Foundation's classes, where they are no collections.
extension ArchivedObject {
  /// The value it is; nil for a collection and for classes that are not Foundation's.
  var value: Value? {
    if let text = text("NS.string") { return isKind(of: "NSString") ? .string(text) : nil }
    if isKind(of: "NSDecimalNumber") || isKind(of: "NSDecimalNumberPlaceholder") { return decimal.map(Value.decimal) }
    if isKind(of: "NSData"), case .value(.data(let bytes)) = self["NS.data"] { return .data(bytes) }
    if isKind(of: "NSDate"), case .value(let seconds) = self["NS.time"], let seconds = seconds.seconds {
      return .date(Timestamp(seconds + Self.referenceDate))
    }
    if isKind(of: "NSUUID"), case .value(.data(let bytes)) = self["NS.uuidbytes"] {
      return Self.uuid(bytes).map(Value.uuid)
    }
    if isKind(of: "NSURL") { return url.map(Value.url) }
    if isKind(of: "NSNull") { return .null }
    return isKind(of: "NSNumber") ? number : nil
  }

  /// Numbers as archives of old have them: by a field of their kind.
  private var number: Value? {
    for name in ["NS.intval", "NS.dblval", "NS.boolval", "NS.number"] {
      if case .value(let value) = self[name] { return value }
    }
    return nil
  }

  private var url: String? {
    guard let relative = text("NS.relative") else { return nil }
    guard let base = object("NS.base"), base.className == className, let start = base.text("NS.relative") else {
      return relative
    }
    // A relative reference is appended to its base, as written.
    return start.hasSuffix("/") || relative.hasPrefix("/") ? start + relative : "\(start)/\(relative)"
  }

  private static func uuid(_ bytes: [UInt8]) -> UUID? {
    guard bytes.count == 16 else { return nil }
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let ends = [8, 12, 16, 20, 32]
    var parts: [Substring] = []
    var rest = digits[...]
    for (start, end) in zip([0] + ends, ends) {
      parts.append(rest.prefix(end - start))
      rest = rest.dropFirst(end - start)
    }
    return UUID(uuidString: parts.joined(separator: "-"))
  }

  /// The number of NSDecimalNumber: eight digits of 16 bits, the least first, and an exponent of ten.
  private var decimal: Decimal? {
    guard case .value(.data(let mantissa)) = self["NS.mantissa"], mantissa.count == 16,
      let exponent = integer("NS.exponent"), (-128...127).contains(exponent)
    else { return nil }
    let isBigEndian = integer("NS.mantissa.bo") == 2
    let length = integer("NS.length") ?? 8
    if length == 0 { return flag("NS.negative") ? Decimal.nan : Decimal(0) }
    guard (1...8).contains(length) else { return nil }
    var number = Decimal(0)
    for index in stride(from: Int(length) - 1, through: 0, by: -1) {
      let (first, second) = (mantissa[index * 2], mantissa[index * 2 + 1])
      let digit = isBigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first)
      number = number * 65_536 + Decimal(Int(digit))
    }
    let scaled = Decimal(sign: flag("NS.negative") ? .minus : .plus, exponent: Int(exponent), significand: number)
    return scaled.isNaN ? nil : scaled
  }
}

extension Value {
  /// The number that seconds are.
  fileprivate var seconds: Double? {
    switch self {
    case .double(let number): number
    case .int(let number): Double(number)
    default: nil
    }
  }
}
