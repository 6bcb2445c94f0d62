internal import Modeling

/// A number as the nearest double on one side and the distance from it: exact for all 64-bit integers.
///
/// In ascending order the double is the greatest that is not above the number, in descending order the smallest that is
/// not below it. In either order a number with a distance therefore follows the one without.
struct BinaryNumber {
  private let double: Double
  /// Less than 1024.
  private let distance: Int

  /// Returns nil if the value is not a number.
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

  /// The difference between the double and the integer; the double is one of its two neighbours, possibly 2^63.
  private static func distance(from integer: Int64, to double: Double) -> Int {
    let whole = double >= 0x1p63 ? UInt64(1) << 63 : UInt64(bitPattern: Int64(double))
    return Int(Int64(bitPattern: whole &- UInt64(bitPattern: integer)))
  }

  /// Appends eight bytes and the distance: one byte if it is zero, otherwise two.
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

/// The bits of a double, arranged to compare as doubles do; both zeros are equal.
func orderedBits(_ double: Double) -> UInt64 {
  let bits = (double + 0).bitPattern
  return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
}
