/// Powers of ten between which the size of a double is, unless it is 0.
struct NumberSize {
  let least: Int
  let greatest: Int

  init(_ least: Int, _ greatest: Int) { (self.least, self.greatest) = (least, greatest) }

  /// An integer of 64 bits.
  static let integer = NumberSize(0, 19)

  /// A constant's.
  init(of number: Double) {
    let power = number == 0 ? 0 : Double(number.exponent) * 0.30103
    self.init(Int(power.rounded(.down)) - 1, Int(power.rounded(.up)) + 1)
  }

  /// Whether a double of this size is finite and has all its digits.
  var isNormal: Bool { least >= -300 && greatest <= 300 }

  static func * (left: NumberSize, right: NumberSize) -> NumberSize {
    NumberSize(left.least + right.least, left.greatest + right.greatest)
  }

  static func / (left: NumberSize, right: NumberSize) -> NumberSize {
    NumberSize(left.least - right.greatest, left.greatest - right.least)
  }

  /// The size of a sum or difference, of which at least the last digit of the smaller number remains.
  static func + (left: NumberSize, right: NumberSize) -> NumberSize {
    NumberSize(min(left.least, right.least) - 17, max(left.greatest, right.greatest) + 1)
  }

  /// The size of what is rounded to an integer.
  var rounded: NumberSize { NumberSize(0, max(0, greatest)) }

  var squareRoot: NumberSize { NumberSize(least / 2 - 1, greatest / 2 + 1) }
}
