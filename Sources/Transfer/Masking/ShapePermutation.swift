import Modeling

/// Replaces the letters and digits of texts by others of their kind; all else stays in its place.
///
/// Texts of one shape are permuted among themselves, so that different texts get different masks of the same length. It
/// is a Feistel network over the digits of a number with mixed radices: ten rounds, each of which adds a hash of one half
/// to the other.
struct ShapePermutation {
  let secret: MaskSecret
  private static let rounds = 10
  private var alphabets = ScalarAlphabets()

  init(_ secret: MaskSecret) { self.secret = secret }

  /// The mask of a text. With `keepsZeros`, zeros at the beginning stay and no other digit there becomes one.
  mutating func masked(_ text: String, keepsZeros: Bool = false) -> String {
    var scalars = Array(text.unicodeScalars)
    var places: [Int] = []
    var digits: [Int] = []
    var radices: [Int] = []
    var ranges: [ScalarAlphabets.Range] = []
    var isAtStart = keepsZeros
    for (place, scalar) in scalars.enumerated() {
      guard var range = alphabets.range(of: scalar) else { continue }
      if isAtStart, range.isDigits {
        if scalar == "0" { continue }
        range = .firstDigit
      }
      isAtStart = false
      places.append(place)
      digits.append(alphabets.index(of: scalar, in: range))
      radices.append(alphabets.count(range))
      ranges.append(range)
    }
    permute(&digits, radices)
    for (index, place) in places.enumerated() { scalars[place] = alphabets.scalar(digits[index], in: ranges[index]) }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  /// The mask of a number, which has as many digits.
  func masked(_ number: UInt64) -> UInt64 {
    var digits = String(number).utf8.map { Int($0) - 48 }
    if number == 0 { return 0 }
    digits[0] -= 1
    permute(&digits, [9] + [Int](repeating: 10, count: digits.count - 1))
    digits[0] += 1
    // Twenty digits may be more than fit; these wrap around, as rarely as numbers of that size occur.
    return digits.reduce(0) { $0 &* 10 &+ UInt64($1) }
  }

  private func permute(_ digits: inout [Int], _ radices: [Int]) {
    let middle = digits.count / 2
    var bytes: [UInt8] = []
    for round in 0..<Self.rounds {
      let (changed, other) = round & 1 == 0 ? (middle..<digits.count, 0..<middle) : (0..<middle, middle..<digits.count)
      bytes.removeAll(keepingCapacity: true)
      bytes += [UInt8(round), UInt8(truncatingIfNeeded: digits.count), UInt8(truncatingIfNeeded: digits.count >> 8)]
      for index in other { bytes += [UInt8(truncatingIfNeeded: digits[index]), UInt8(digits[index] >> 8)] }
      var stream = secret.hash(bytes)
      for index in changed {
        stream = Self.next(stream)
        digits[index] = (digits[index] + Int(stream >> 33) % radices[index]) % radices[index]
      }
    }
  }

  /// The next number of a stream that begins with a hash.
  private static func next(_ state: UInt64) -> UInt64 {
    var mixed = state &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
