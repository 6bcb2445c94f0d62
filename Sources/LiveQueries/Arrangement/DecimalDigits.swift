internal import Modeling

/// A number as its decimal digits, for an exact order of decimals, integers and doubles together.
///
///     -0.05   →   negative, exponent -1, digits 5          // -0.5 × 10^-1
struct DecimalDigits {
  private var isNegative = false
  /// The power of ten of the digits, which are read as a fraction after the point.
  private var exponent = 0
  /// The digits from the first to the last that is not zero; empty for zero.
  private var digits: [UInt8] = []
  private var isInfinite = false

  /// The digits of a value; for a double, the shortest that read back as it. Returns nil if the value is not a number.
  init?(_ value: Value) {
    switch value {
    case .bool(let flag): self.init(text: flag ? "1" : "0")
    case .int(let integer): self.init(text: "\(integer)")
    case .object(let id): self.init(text: "\(id.key)")
    case .decimal(let decimal):
      if decimal.isNaN { return nil }
      self.init(text: decimal.canonicalText)
    case .double(let double): self.init(double)
    case .date(let date): self.init(date.seconds)
    default: return nil
    }
  }

  private init?(_ double: Double) {
    if double.isNaN { return nil }
    self.init(text: double.isFinite ? "\(double)" : "0")
    if double.isInfinite {
      isInfinite = true
      isNegative = double < 0
    }
  }

  /// Reads digits with a sign, a point and an exponent, all of which may be absent.
  private init(text: String) {
    var pointSeen = false
    var characters = text.utf8.makeIterator()
    while let character = characters.next() {
      switch character {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): pointSeen = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        exponent += Int(String(decoding: Array(IteratorSequence(characters)), as: UTF8.self)) ?? 0
        finish()
        return
      case UInt8(ascii: "0") where digits.isEmpty: if pointSeen { exponent -= 1 }
      default:
        digits.append(character & 0x0F)
        if !pointSeen { exponent += 1 }
      }
    }
    finish()
  }

  private mutating func finish() {
    while digits.last == 0 { digits.removeLast() }
    if digits.isEmpty { (isNegative, exponent) = (false, 0) }
  }

  /// Appends the encoding: two bytes of sign and exponent, then two digits per byte and a zero; all inverted for
  /// negative numbers.
  func append(to bytes: inout [UInt8]) {
    let start = bytes.count
    let zero = 0x8000
    // Exponents of doubles and decimals lie within ±400.
    let lead = isInfinite ? zero + 2000 : digits.isEmpty ? zero : zero + 1000 + exponent
    bytes += [UInt8(lead >> 8), UInt8(lead & 0xFF)]
    if !isInfinite, !digits.isEmpty {
      for index in stride(from: 0, to: digits.count, by: 2) {
        bytes.append(1 + digits[index] * 10 + (index + 1 < digits.count ? digits[index + 1] : 0))
      }
      bytes.append(0)
    }
    if isNegative { for index in start..<bytes.count { bytes[index] = ~bytes[index] } }
  }
}
