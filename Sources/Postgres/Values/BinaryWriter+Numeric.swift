internal import StoreErrors

extension BinaryWriter {
  /// The most digits that the server keeps before the point, and after it.
  private static let mostDigits = (before: 131_072, after: 16_383)

  /// Writes decimal text, as `-12.50`, `1e100`, `NaN` or `-Infinity`, as a `numeric` of all its digits.
  mutating func append(numeric text: String) throws(StoreError) {
    switch text.lowercased() {
    case "nan": return append(special: 0xC000)
    case "infinity", "inf", "+infinity", "+inf": return append(special: 0xD000)
    case "-infinity", "-inf": return append(special: 0xF000)
    default: break
    }
    guard let number = NumericDigits(text), number.integers.count <= Self.mostDigits.before,
      number.fraction.count <= Self.mostDigits.after
    else { throw StoreError(.wrongNumber(text)) }
    // Groups of four digits, counted from the point.
    let front = (4 - number.integers.count % 4) % 4
    var digits = [UInt8](repeating: 0, count: front) + number.integers + number.fraction
    let groupsBefore = (front + number.integers.count) / 4
    digits += [UInt8](repeating: 0, count: (4 - digits.count % 4) % 4)
    var groups = stride(from: 0, to: digits.count, by: 4).map { place in
      digits[place..<place + 4].reduce(0 as Int16) { $0 * 10 + Int16($1) }
    }[...]
    var weight = groupsBefore - 1
    while groups.first == 0 {
      groups.removeFirst()
      weight -= 1
    }
    while groups.last == 0 { groups.removeLast() }
    if groups.isEmpty { weight = 0 }
    append(Int16(clamping: groups.count))
    append(Int16(clamping: weight))
    append(number.isNegative && !groups.isEmpty ? 0x4000 : 0 as UInt16)
    append(UInt16(clamping: number.fraction.count))
    for group in groups { append(group) }
  }

  private mutating func append(special sign: UInt16) {
    append(0 as Int32)
    append(sign)
    append(0 as UInt16)
  }
}

/// The digits of a decimal number on both sides of its point, the exponent applied.
private struct NumericDigits {
  var isNegative = false
  var integers: [UInt8] = []
  var fraction: [UInt8] = []

  /// Reads `[+-]digits[.digits][e[+-]digits]`; nil for anything else.
  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      rest.removeFirst()
    }
    integers = Self.digits(&rest)
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = Self.digits(&rest)
    }
    if integers.isEmpty && fraction.isEmpty { return nil }
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      guard let exponent = Int(String(decoding: rest, as: UTF8.self)), (-1_000_000...1_000_000).contains(exponent)
      else {
        return nil
      }
      rest = []
      shift(by: exponent)
    }
    if !rest.isEmpty { return nil }
    integers = Array(integers.drop { $0 == 0 })
  }

  private mutating func shift(by exponent: Int) {
    if exponent >= 0 {
      integers += fraction.prefix(exponent) + [UInt8](repeating: 0, count: max(0, exponent - fraction.count))
      fraction = Array(fraction.dropFirst(exponent))
    } else {
      let moved = integers.suffix(-exponent)
      fraction = [UInt8](repeating: 0, count: max(0, -exponent - integers.count)) + moved + fraction
      integers = Array(integers.dropLast(-exponent))
    }
  }

  private static func digits(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest = rest[digits.endIndex...]
    return digits.map { $0 - UInt8(ascii: "0") }
  }
}
