/// A date in everyday notation, optionally with a time: `24.12.2024`, `2024/12/24`, `12/24/2024 16:30`.
///
/// Two numbers and a year with slashes are a date only if it is known which of the two is the month.
struct CalendarDate {
  private let numbers: (Int, Int, Int)
  private let separator: UInt8
  private let time: UnsafeRawBufferPointer
  private let isYearFirst: Bool

  /// Reads the numbers; returns nil if they are not a date in any order.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard (8...40).contains(bytes.count) else { return nil }
    var position = 0
    func number(_ length: ClosedRange<Int>) -> Int? {
      let start = position
      var value = 0
      while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
        guard position - start < length.upperBound else { return nil }
        value = value * 10 + Int(digit)
        position += 1
      }
      return length.contains(position - start) ? value : nil
    }
    guard let first = number(1...4), position < bytes.count else { return nil }
    isYearFirst = position == 4
    guard isYearFirst || position <= 2 else { return nil }
    separator = bytes[position]
    guard separator == UInt8(ascii: "/") || (separator == UInt8(ascii: ".") && !isYearFirst) else { return nil }
    position += 1
    guard let second = number(1...2), position < bytes.count, bytes[position] == separator else { return nil }
    position += 1
    guard let third = isYearFirst ? number(1...2) : number(4...4) else { return nil }
    numbers = (first, second, third)
    time = UnsafeRawBufferPointer(rebasing: bytes[position...])
    guard time.isEmpty || time[0] == UInt8(ascii: " ") || time[0] == UInt8(ascii: "T") else { return nil }
  }

  /// The instant; `order` decides between day and month if slashes leave it open.
  func timestamp(_ order: TextNotation.DateOrder?) -> Timestamp? {
    if isYearFirst { return timestamp(year: numbers.0, month: numbers.1, day: numbers.2) }
    if separator == UInt8(ascii: ".") { return timestamp(year: numbers.2, month: numbers.1, day: numbers.0) }
    return switch order {
    case .day: timestamp(year: numbers.2, month: numbers.1, day: numbers.0)
    case .month: timestamp(year: numbers.2, month: numbers.0, day: numbers.1)
    case nil: nil
    }
  }

  /// Whether the notation determines the order of day and month: the year comes first, or points separate the parts.
  var isOrdered: Bool { isYearFirst || separator == UInt8(ascii: ".") }

  /// Parses the date as ISO 8601.
  private func timestamp(year: Int, month: Int, day: Int) -> Timestamp? {
    func digits(_ number: Int, _ count: Int) -> [UInt8] {
      let text = Array(String(number).utf8)
      return [UInt8](repeating: UInt8(ascii: "0"), count: max(0, count - text.count)) + text
    }
    let dash = UInt8(ascii: "-")
    var text = digits(year, 4) + [dash] + digits(month, 2) + [dash] + digits(day, 2)
    var time = Array(self.time)
    // An hour of one digit: `24.12.2024 9:30`.
    if time.count > 2, time[2] == UInt8(ascii: ":") { time.insert(UInt8(ascii: "0"), at: 1) }
    text += time
    return text.withUnsafeBytes(parseTimestamp)
  }
}
