/// The types as which one field can be read without loss.
struct FieldReadings: OptionSet {
  var rawValue: UInt16

  static let bool = FieldReadings(rawValue: 1)
  static let integer = FieldReadings(rawValue: 2)
  static let double = FieldReadings(rawValue: 4)
  static let decimal = FieldReadings(rawValue: 8)
  /// A double with a decimal comma.
  static let commaDouble = FieldReadings(rawValue: 16)
  static let commaDecimal = FieldReadings(rawValue: 32)
  /// A date with a known order of its parts.
  static let date = FieldReadings(rawValue: 64)
  /// A date with slashes, with the day or the month first.
  static let dayFirst = FieldReadings(rawValue: 128)
  static let monthFirst = FieldReadings(rawValue: 256)
  static let text = FieldReadings(rawValue: 512)
  /// Any value of JSON.
  static let json = FieldReadings(rawValue: 1024)

  static let all = FieldReadings(rawValue: 2047)
  private static let numbers: FieldReadings = [.integer, .double, .decimal, .commaDouble, .commaDecimal]
  private static let dates: FieldReadings = [.date, .dayFirst, .monthFirst]

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The readings of a field of a delimited text; only those in `within` are examined.
  init(_ bytes: UnsafeRawBufferPointer, _ hasDecimalComma: Bool, within wanted: FieldReadings) {
    self = .text
    guard let first = bytes.first else { return }
    let isDigit = first &- UInt8(ascii: "0") < 10
    if isDigit || first == UInt8(ascii: "-") || first == UInt8(ascii: ".") {
      if !wanted.isDisjoint(with: Self.numbers) { formUnion(Self.numbers(bytes, hasDecimalComma)) }
      if isDigit, !wanted.isDisjoint(with: Self.dates) { formUnion(Self.dates(bytes)) }
    } else if wanted.contains(.bool), Self.isBool(bytes) {
      insert(.bool)
    }
  }

  /// The readings of a value of JSON.
  init(_ json: JSON) {
    switch json {
    case .null: self = .all
    case .bool: self = [.bool, .json]
    case .int(let number): self = number.magnitude <= 1 << 53 ? [.integer, .double, .json] : [.integer, .json]
    case .double: self = [.double, .json]
    case .string(var text):
      let isDate = text.withUTF8 { parseTimestamp(UnsafeRawBufferPointer($0)) } != nil
      self = isDate ? [.date, .text, .json] : [.text, .json]
    case .array, .object: self = .json
    }
  }

  private static func numbers(_ bytes: UnsafeRawBufferPointer, _ hasDecimalComma: Bool) -> FieldReadings {
    if hasPaddingZero(bytes) { return [] }
    if let number = parseInt64(bytes) {
      // Only a double preserves negative zero.
      if number == 0, bytes.count > 1 { return [.double, .commaDouble] }
      let isExact = number.magnitude <= 1 << 53
      return isExact ? numbers : [.integer, .decimal, .commaDecimal]
    }
    let plain = fractions(bytes)
    if !plain.isEmpty { return plain }
    guard hasDecimalComma, let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else { return [] }
    var text = Array(bytes)
    guard !text.contains(UInt8(ascii: ".")) else { return [] }
    text[comma] = UInt8(ascii: ".")
    let found = text.withUnsafeBytes(fractions)
    var readings: FieldReadings = []
    if found.contains(.double) { readings.insert(.commaDouble) }
    if found.contains(.decimal) { readings.insert(.commaDecimal) }
    return readings
  }

  /// The readings of a number with a fraction or an exponent, or of an integer that is too large for 64 bits.
  private static func fractions(_ bytes: UnsafeRawBufferPointer) -> FieldReadings {
    guard let number = DecimalNotation(bytes) else { return [] }
    var found: FieldReadings = []
    // A double preserves fifteen digits, and more if a program printed them from a double.
    if let double = parseDouble(bytes), number.digitCount <= 15 || "\(double)".utf8.elementsEqual(bytes) {
      found.insert(.double)
    }
    if number.digitCount <= 38, parseDecimal(bytes) != nil { found.insert(.decimal) }
    return found
  }

  /// Whether the number has a leading zero, as the postal code `01067`.
  private static func hasPaddingZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let start = bytes[0] == UInt8(ascii: "-") ? 1 : 0
    return start + 1 < bytes.count && bytes[start] == UInt8(ascii: "0") && bytes[start + 1] &- UInt8(ascii: "0") < 10
  }

  private static func dates(_ bytes: UnsafeRawBufferPointer) -> FieldReadings {
    if parseTimestamp(bytes) != nil { return .date }
    guard let date = CalendarDate(bytes) else { return [] }
    if date.isOrdered { return date.timestamp(nil) == nil ? [] : .date }
    var readings: FieldReadings = []
    if date.timestamp(.day) != nil { readings.insert(.dayFirst) }
    if date.timestamp(.month) != nil { readings.insert(.monthFirst) }
    return readings
  }

  private static func isBool(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard (2...5).contains(bytes.count) else { return false }
    return ["true", "false", "yes", "no"].contains(String(decoding: bytes, as: UTF8.self).lowercased())
  }
}
