/// Reads an ISO 8601 instant from UTF-8 bytes; see `Timestamp.init(iso8601:)` for the forms.
public func parseTimestamp(_ bytes: UnsafeRawBufferPointer) -> Timestamp? {
  var parser = TimestampParser(bytes)
  return parser.parse()
}

/// A cursor over the text of a date.
private struct TimestampParser {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func parse() -> Timestamp? {
    guard let year = digits(4), skip("-"), let month = digits(2), skip("-"), let day = digits(2) else { return nil }
    guard year >= 1, let date = CivilDay(year: year, month: month, day: day) else { return nil }
    let midnight = date.daysSince1970 * 86400
    if isAtEnd { return Timestamp(Double(midnight)) }
    guard skip("T") || skip("t") || skip(" "), let time = timeOfDay(), let offset = offset(), isAtEnd else {
      return nil
    }
    let seconds = midnight + time.seconds - offset
    guard Timestamp.calendarRange.contains(seconds) else { return nil }
    return time.fraction.added(to: seconds)
  }

  private var isAtEnd: Bool { position == bytes.count }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func digit() -> Int? {
    guard position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 else { return nil }
    position += 1
    return Int(digit)
  }

  private mutating func digits(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Hours, minutes and optional seconds with a fraction.
  private mutating func timeOfDay() -> (seconds: Int, fraction: Fraction)? {
    guard let hour = digits(2), hour < 24, skip(":"), let minute = digits(2), minute < 60 else { return nil }
    let seconds = hour * 3600 + minute * 60
    guard skip(":") else { return (seconds, Fraction()) }
    guard let second = digits(2), second < 60 else { return nil }
    var fraction = Fraction()
    if skip(".") || skip(",") {
      guard let first = digit() else { return nil }
      fraction.append(first)
      while let next = digit() { fraction.append(next) }
    }
    return (seconds + second, fraction)
  }

  /// `Z`, `+01:00`, `+0100`, `+01`, one space before them, or nothing, in seconds.
  private mutating func offset() -> Int? {
    if isAtEnd { return 0 }
    _ = skip(" ")
    if skip("Z") || skip("z") { return 0 }
    let sign: Int
    if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
    guard let hours = digits(2), hours < 24 else { return nil }
    if isAtEnd { return sign * hours * 3600 }
    _ = skip(":")
    guard let minutes = digits(2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}

/// The significant digits after the decimal point.
private struct Fraction {
  private var value = 0
  private var places = 0
  private static let powersOfTen = [
    1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  mutating func append(_ digit: Int) {
    guard places < 15 else { return }
    value = value * 10 + digit
    places += 1
  }

  /// The nearest Double to `seconds` with this fraction.
  func added(to seconds: Int) -> Timestamp {
    guard value != 0 else { return Timestamp(Double(seconds)) }
    let scale = Self.powersOfTen[places]
    let (product, overflow) = seconds.multipliedReportingOverflow(by: Int(scale))
    let (sum, carried) = product.addingReportingOverflow(value)
    // One division of exact numbers rounds once, so that every text of up to microseconds has exactly one Double.
    if !overflow, !carried, sum.magnitude <= 1 << 53 { return Timestamp(Double(sum) / scale) }
    return Timestamp(Double(seconds) + Double(value) / scale)
  }
}
