/// Sums of doubles and integers that are rounded once, when they are read.
///
///     var sums = ExactSums(count: 1)
///     for _ in 1...10 { sums.add(0.1, to: 0) }
///     sums.add(1e300, to: 0)
///     sums.subtract(1e300, from: 0)
///     sums.double(at: 0)                       // 1.0
///
/// A sum does not depend on the order of its numbers, and an added number can be subtracted again. It may leave the range
/// of doubles and come back.
///
/// # How it is kept
///
/// A sum is an integer that counts 2^-1074, the least double: it has a fixed point. Its digits have 64 bits, the last of
/// them is the sign, as in any signed integer. All doubles together need 34 digits. The sums share a window of these,
/// usually three digits; a number outside the window widens it. The highest digit of the window holds carries and the sign
/// alone, so that 2^63 numbers may be added. Infinities and NaN are counted apart.
public struct ExactSums: Sendable {
  /// How many sums there are.
  public private(set) var count: Int
  /// The digits of the first sum, the lowest first, then those of the next.
  private var digits: ContiguousArray<UInt64>
  /// The number of the lowest digit that is kept.
  private var lowest = ScaledInteger.pointDigit
  /// How many digits of each sum are kept.
  private var width = 0
  /// What has no digits, by sum.
  private var endless: [Int: EndlessTerms] = [:]

  /// Makes so many sums, each 0.
  public init(count: Int = 0) {
    self.count = count
    digits = []
  }

  /// The bytes that a sum takes.
  public var bytesEach: Int { width * 8 }

  /// Adds sums that are 0 behind the others until there are so many.
  public mutating func grow(to count: Int) {
    guard count > self.count else { return }
    digits.append(contentsOf: repeatElement(0, count: (count - self.count) * width))
    self.count = count
  }

  /// Makes a sum 0 again.
  public mutating func clear(_ index: Int) {
    for place in index * width..<(index + 1) * width { digits[place] = 0 }
    if !endless.isEmpty { endless[index] = nil }
  }

  // MARK: Terms

  /// Adds a number to a sum.
  public mutating func add(_ number: Double, to index: Int) { change(index, by: number, 1) }
  /// Adds an integer to a sum.
  public mutating func add(integer number: Int64, to index: Int) { change(index, by: ScaledInteger(number)) }
  /// Takes a number away that was added.
  public mutating func subtract(_ number: Double, from index: Int) { change(index, by: number, -1) }
  /// Takes an integer away that was added.
  public mutating func subtract(integer number: Int64, from index: Int) {
    var term = ScaledInteger(number)
    term.isNegative.toggle()
    change(index, by: term)
  }

  /// Adds a number so many times.
  public mutating func add(_ number: Double, times: Int, to index: Int) { change(index, by: number, times) }
  /// Adds an integer so many times.
  public mutating func add(integer number: Int64, times: Int, to index: Int) {
    change(index, by: ScaledInteger(number), times)
  }

  /// Adds an integer times a power of two, a part of a sum that was made elsewhere.
  ///
  /// - Precondition: the exponent is at least -1074.
  public mutating func add(_ part: ScaledPart, to index: Int) {
    var term = ScaledInteger(part.integer)
    term.bit += part.exponent
    change(index, by: term)
  }

  /// An integer times a power of two.
  public typealias ScaledPart = (integer: Int64, exponent: Int)

  private mutating func change(_ index: Int, by number: Double, _ times: Int) {
    guard number.isFinite else {
      endless[index, default: EndlessTerms()].note(number, times)
      if endless[index]?.isEmpty == true { endless[index] = nil }
      return
    }
    change(index, by: ScaledInteger(number), times)
  }

  private mutating func change(_ index: Int, by term: ScaledInteger, _ times: Int) {
    var part = term
    if times < 0 { part.isNegative.toggle() }
    let product = term.magnitude.multipliedFullWidth(by: UInt64(times.magnitude))
    part.magnitude = product.low
    change(index, by: part)
    if product.high == 0 { return }
    (part.magnitude, part.bit) = (product.high, part.bit + 64)
    change(index, by: part)
  }

  private mutating func change(_ index: Int, by term: ScaledInteger) {
    if term.magnitude == 0 { return }
    if term.lowestDigit < lowest || term.highestDigit + 1 >= lowest + width { widen(for: term) }
    let shift = term.bit & 63
    let (low, high) = (term.magnitude << shift, shift == 0 ? 0 : term.magnitude >> (64 - shift))
    let (lowest, width) = (lowest, width)
    digits.withUnsafeMutableBufferPointer { digits in
      var place = index * width + (term.bit >> 6) - lowest
      let end = (index + 1) * width
      var carry: Bool
      if term.isNegative {
        (digits[place], carry) = digits[place].subtractingReportingOverflow(low)
        place += 1
        if high != 0 || carry {
          let (middle, first) = digits[place].subtractingReportingOverflow(high)
          let (rest, second) = middle.subtractingReportingOverflow(carry ? 1 : 0)
          digits[place] = rest
          carry = first || second
          place += 1
        }
        while carry, place < end {
          (digits[place], carry) = digits[place].subtractingReportingOverflow(1)
          place += 1
        }
      } else {
        (digits[place], carry) = digits[place].addingReportingOverflow(low)
        place += 1
        if high != 0 || carry {
          let (middle, first) = digits[place].addingReportingOverflow(high)
          let (rest, second) = middle.addingReportingOverflow(carry ? 1 : 0)
          digits[place] = rest
          carry = first || second
          place += 1
        }
        while carry, place < end {
          (digits[place], carry) = digits[place].addingReportingOverflow(1)
          place += 1
        }
      }
    }
  }

  /// Makes room for the digits of a number, and for one more above them.
  private mutating func widen(for term: ScaledInteger) {
    let low = width == 0 ? term.lowestDigit : Swift.min(lowest, term.lowestDigit)
    let end = Swift.max(width == 0 ? 0 : lowest + width, term.highestDigit + 2)
    let newWidth = end - low
    var wider = ContiguousArray<UInt64>(repeating: 0, count: count * newWidth)
    for index in 0..<count where width > 0 {
      let isNegative = digits[(index + 1) * width - 1] >> 63 == 1
      let start = index * newWidth + lowest - low
      for place in 0..<width { wider[start + place] = digits[index * width + place] }
      if isNegative { for place in start + width..<(index + 1) * newWidth { wider[place] = .max } }
    }
    (digits, lowest, width) = (wider, low, newWidth)
  }

  // MARK: Sums

  /// A sum as the nearest double; of two that are equally near the one with an even last bit. Infinite where it is beyond all
  /// doubles, or has an infinite term; no number where it has both infinities or a term that is no number.
  public func double(at index: Int) -> Double { endless[index]?.sum ?? size(of: index).double }

  /// A sum as an integer; nil where it has a fraction or does not fit into 64 bits.
  public func integer(at index: Int) -> Int64? { endless[index] == nil ? size(of: index).integer : nil }

  /// The finite terms of a sum in parts, which add up to it elsewhere.
  func parts(of index: Int) -> [ScaledPart] {
    let size = size(of: index)
    return size.digits.enumerated().flatMap { place, digit in
      [digit & 0xFFFF_FFFF, digit >> 32].enumerated().compactMap { half, bits -> ScaledPart? in
        if bits == 0 { return nil }
        let exponent = (size.lowest + place) * 64 + half * 32 - ScaledInteger.pointBit
        return (size.isNegative ? -Int64(bits) : Int64(bits), exponent)
      }
    }
  }

  /// How many terms of a sum are infinite, below 0 infinite, and no number.
  func endlessCounts(of index: Int) -> [Int] { endless[index]?.counts ?? [0, 0, 0] }

  private func size(of index: Int) -> SumSize {
    var size = SumSize(digits: Array(digits[index * width..<(index + 1) * width]), lowest: lowest)
    if let last = size.digits.last, last >> 63 == 1 {
      size.isNegative = true
      var carry = true
      for place in size.digits.indices {
        (size.digits[place], carry) = (~size.digits[place]).addingReportingOverflow(carry ? 1 : 0)
      }
    }
    return size
  }
}

/// A number as an integer times a power of two.
private struct ScaledInteger {
  /// The digit of a sum in which 1 stands.
  static let pointDigit = pointBit >> 6
  /// The bit of a sum that is worth 1.
  static let pointBit = 1074

  var magnitude: UInt64
  /// The bit of a sum in which the lowest bit of the magnitude stands.
  var bit: Int
  var isNegative: Bool

  /// A number that is finite.
  init(_ number: Double) {
    let pattern = number.bitPattern
    let exponent = Int(pattern >> 52 & 0x7FF)
    let fraction = pattern & (1 << 52 - 1)
    isNegative = pattern >> 63 == 1
    // Below the least normal number all have the exponent of the least.
    (magnitude, bit) = exponent == 0 ? (fraction, 0) : (fraction | 1 << 52, exponent - 1)
    dropZeros()
  }

  init(_ number: Int64) {
    (magnitude, bit, isNegative) = (number.magnitude, Self.pointBit, number < 0)
    dropZeros()
  }

  /// So that round numbers need no digits for their fractions.
  private mutating func dropZeros() {
    if magnitude == 0 { return }
    let zeros = magnitude.trailingZeroBitCount
    (magnitude, bit) = (magnitude >> zeros, bit + zeros)
  }

  var lowestDigit: Int { bit >> 6 }
  var highestDigit: Int { (bit + 63 - magnitude.leadingZeroBitCount) >> 6 }
}

/// A sum without its sign, to be rounded.
private struct SumSize {
  var digits: [UInt64]
  var lowest: Int
  var isNegative = false

  init(digits: [UInt64], lowest: Int) { (self.digits, self.lowest) = (digits, lowest) }

  /// The number of the highest bit that is set, from that of the least double; nil for 0.
  private var highestBit: Int? {
    digits.lastIndex { $0 != 0 }.map { (lowest + $0) * 64 + 63 - digits[$0].leadingZeroBitCount }
  }

  /// The 64 bits from a bit on; those that are not kept are 0.
  private func bits(from bit: Int) -> UInt64 {
    func digit(_ number: Int) -> UInt64 { digits.indices.contains(number - lowest) ? digits[number - lowest] : 0 }
    let (number, shift) = (bit >> 6, bit & 63)
    return shift == 0 ? digit(number) : digit(number) >> shift | digit(number + 1) << (64 - shift)
  }

  /// Whether a bit below this one is set.
  private func hasBits(below bit: Int) -> Bool {
    for (place, digit) in digits.enumerated() where digit != 0 {
      let start = (lowest + place) * 64
      if start + digit.trailingZeroBitCount < bit { return true }
    }
    return false
  }

  var double: Double {
    guard let highest = highestBit else { return 0 }
    // A normal number is 53 bits; those below the least normal one are all their bits.
    let first = Swift.max(highest - 52, 0)
    var pattern = bits(from: first) & (1 << 53 - 1)
    if highest >= 52 {
      guard highest - 51 < 0x7FF else { return isNegative ? -.infinity : .infinity }
      pattern = pattern & (1 << 52 - 1) | UInt64(highest - 51) << 52
    }
    if first > 0, bits(from: first - 1) & 1 == 1, pattern & 1 == 1 || hasBits(below: first - 1) {
      // A carry runs into the exponent, and out of the greatest number into infinity, as it must.
      pattern += 1
    }
    let size = Double(bitPattern: pattern)
    return isNegative ? -size : size
  }

  var integer: Int64? {
    guard let highest = highestBit else { return 0 }
    if highest >= ScaledInteger.pointBit + 64 || hasBits(below: ScaledInteger.pointBit) { return nil }
    let size = bits(from: ScaledInteger.pointBit)
    return isNegative ? Int64(exactly: -Int128(size)) : Int64(exactly: size)
  }
}

/// Terms of a sum that are infinite or no number.
private struct EndlessTerms {
  private var positive = 0
  private var negative = 0
  private var undefined = 0

  mutating func note(_ number: Double, _ times: Int) {
    if number.isNaN { undefined += times } else if number > 0 { positive += times } else { negative += times }
  }

  var counts: [Int] { [positive, negative, undefined] }

  var isEmpty: Bool { positive == 0 && negative == 0 && undefined == 0 }

  var sum: Double {
    if undefined > 0 || positive > 0 && negative > 0 { return .nan }
    return positive > 0 ? .infinity : -.infinity
  }
}
