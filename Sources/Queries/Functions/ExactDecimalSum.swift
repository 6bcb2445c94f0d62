internal import Modeling

public import struct Foundation.Decimal

/// A sum of decimals that is rounded once, when it is read, to the 38 digits that a decimal has.
///
/// A sum does not depend on the order of its numbers, and an added number can be subtracted again.
public struct ExactDecimalSum: Hashable, Sendable {
  /// Digits to the base 10^18, the lowest first, each with a sign of its own.
  private var digits: [Int64] = []
  /// The power of 10^18 that the first digit counts.
  private var lowest = 0

  private static let base: Int64 = 1_000_000_000_000_000_000
  private static let places = 18
  /// So many places a decimal holds.
  private static let precision = 38

  /// Makes a sum that is 0.
  public init() {}

  /// Adds a number.
  public mutating func add(_ number: Decimal) { change(by: number, isAdded: true) }
  /// Takes a number away that was added.
  public mutating func subtract(_ number: Decimal) { change(by: number, isAdded: false) }

  /// The sum as integers, which `add(state:)` adds elsewhere.
  var state: [Int64] { [Int64(lowest)] + digits }

  /// Adds a sum by its state.
  mutating func add(state: some Collection<Int64>) {
    guard let start = state.first else { return }
    for (place, digit) in state.dropFirst().enumerated() { change(Int(start) + place, by: digit) }
  }

  private mutating func change(by number: Decimal, isAdded: Bool) {
    if number.isZero || number.isNaN { return }
    let exponent = number.exponent
    let zeros = ((exponent % Self.places) + Self.places) % Self.places
    var text = Array("\(number.significand)".utf8)
    text.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: zeros))
    var power = (exponent - zeros) / Self.places
    let sign: Int64 = number.isSignMinus == isAdded ? -1 : 1
    while !text.isEmpty {
      let part = text.suffix(Self.places).reduce(Int64(0)) { $0 * 10 + Int64($1 &- UInt8(ascii: "0")) }
      change(power, by: sign * part)
      text.removeLast(Swift.min(Self.places, text.count))
      power += 1
    }
  }

  private mutating func change(_ power: Int, by part: Int64) {
    var (power, carry) = (power, part)
    while carry != 0 {
      makeRoom(for: power)
      let sum = digits[power - lowest] + carry
      carry = sum >= Self.base ? 1 : sum <= -Self.base ? -1 : 0
      digits[power - lowest] = sum - carry * Self.base
      power += 1
    }
  }

  private mutating func makeRoom(for power: Int) {
    if digits.isEmpty { lowest = power }
    while power < lowest {
      digits.insert(0, at: 0)
      lowest -= 1
    }
    while power >= lowest + digits.count { digits.append(0) }
  }

  /// The sum; no number where it is beyond all decimals.
  public var total: Decimal {
    guard let last = digits.last(where: { $0 != 0 }) else { return 0 }
    let sign: Int64 = last < 0 ? -1 : 1
    // Digits of the other sign borrow from the next.
    var sizes = digits.map { $0 * sign }
    for place in sizes.indices where sizes[place] < 0 {
      sizes[place] += Self.base
      sizes[place + 1] -= 1
    }
    var text: [UInt8] = []
    for size in sizes.reversed() {
      let part = Array("\(size)".utf8)
      if !text.isEmpty { text.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: Self.places - part.count)) }
      if !text.isEmpty || size != 0 { text += part }
    }
    var exponent = lowest * Self.places
    if text.count > Self.precision {
      exponent += text.count - Self.precision
      let isRoundedUp = text[Self.precision] >= UInt8(ascii: "5")
      text.removeLast(text.count - Self.precision)
      if isRoundedUp { Self.increment(&text) }
    }
    let written = (sign < 0 ? "-" : "") + String(decoding: text, as: UTF8.self) + "e\(exponent)"
    return Array(written.utf8).withUnsafeBytes { parseDecimal($0) } ?? .nan
  }

  private static func increment(_ text: inout [UInt8]) {
    for place in text.indices.reversed() {
      if text[place] < UInt8(ascii: "9") {
        text[place] += 1
        return
      }
      text[place] = UInt8(ascii: "0")
    }
    text.insert(UInt8(ascii: "1"), at: 0)
  }
}
