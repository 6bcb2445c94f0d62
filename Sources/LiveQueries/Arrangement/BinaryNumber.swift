internal import Modeling

/// A number as the nearest double on one side and its distance from that: exact for all integers of 64 bits.
///
/// Where it ascends the double is the next at or below the number, where it descends the next at or above, so that in
/// either direction a number with a distance follows the one without.
struct BinaryNumber {
  private let double: Double
  /// Less than 1024.
  private let distance: Int

  /// The number that a value is; nil where it is none.
  init?(_ value: Value, roundedUp: Bool) {
    switch value {
    case .bool(let flag): self.init(flag ? 1 : 0)
    case .int(let integer): self.init(integer, roundedUp: roundedUp)
    case .object(let id): self.init(id.key, roundedUp: roundedUp)
    case .double(let double): self.init(double)
    case .date(let date): self.init(date.seconds)
    case .decimal(let decimal):
      guard let double = Double(decimal.canonicalText) else { return nil }
      self.init(double)
    default: return nil
    }
  }

  private init?(_ double: Double) {
    if double.isNaN { return nil }
    self.double = double
    distance = 0
  }

  private init(_ integer: Int64, roundedUp: Bool) {
    var double = Double(integer)
    var apart = Self.distance(from: integer, to: double)
    if apart != 0, (apart > 0) != roundedUp {
      double = roundedUp ? double.nextUp : double.nextDown
      apart = Self.distance(from: integer, to: double)
    }
    self.double = double
    distance = abs(apart)
  }

  /// The double less the integer; the double is one of the two next to it, which may be 2^63.
  private static func distance(from integer: Int64, to double: Double) -> Int {
    let whole = double >= 0x1p63 ? UInt64(1) << 63 : UInt64(bitPattern: Int64(double))
    return Int(Int64(bitPattern: whole &- UInt64(bitPattern: integer)))
  }

  /// Appends eight bytes and the distance: one byte where there is none, else two.
  func append(isAscending: Bool, to bytes: inout [UInt8]) {
    let bits = isAscending ? orderedBits(double) : ~orderedBits(double)
    for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }
    if distance == 0 { return bytes.append(0) }
    bytes.append(UInt8(1 + distance >> 8))
    bytes.append(UInt8(truncatingIfNeeded: distance))
  }
}

/// The double with these ordered bits.
func double(ofOrderedBits bits: UInt64) -> Double {
  Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
}

/// The bits of a double so that they compare as the doubles do; both zeros are the same.
func orderedBits(_ double: Double) -> UInt64 {
  let bits = (double + 0).bitPattern
  return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
}
