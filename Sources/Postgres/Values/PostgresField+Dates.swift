extension PostgresField {
  /// A `timestamptz` or `timestamp` as microseconds from 2000-01-01 00:00 UTC, or of no zone.
  ///
  /// The infinities are the least and the largest number.
  public var microsecondsSince2000: Int64? {
    let isTimestamp = typeOID == PostgresType.timestamptz || typeOID == PostgresType.timestamp
    return isTimestamp && !isText && bytes.count == 8 ? bytes.bigEndian(at: 0) : nil
  }

  /// A `date` as days from 2000-01-01; the infinities are the least and the largest number.
  public var daysSince2000: Int32? {
    typeOID == PostgresType.date && !isText && bytes.count == 4 ? bytes.bigEndian(at: 0) : nil
  }

  /// A `time` or `timetz` as microseconds from midnight, of its own zone.
  public var microsecondsOfDay: Int64? {
    switch typeOID {
    case PostgresType.time where !isText && bytes.count == 8: bytes.bigEndian(at: 0)
    case PostgresType.timetz where !isText && bytes.count == 12: bytes.bigEndian(at: 0)
    default: nil
    }
  }

  /// An `interval`, in the three parts that PostgreSQL keeps apart.
  public var interval: PostgresInterval? {
    guard typeOID == PostgresType.interval, !isText, bytes.count == 16,
      let microseconds: Int64 = bytes.bigEndian(at: 0),
      let days: Int32 = bytes.bigEndian(at: 8), let months: Int32 = bytes.bigEndian(at: 12)
    else { return nil }
    return PostgresInterval(months: months, days: days, microseconds: microseconds)
  }

  var dateText: String? {
    guard let days = daysSince2000 else { return nil }
    if days == .max { return "infinity" }
    if days == .min { return "-infinity" }
    let date = CalendarDay(daysSince2000: Int(days))
    return date.text + date.era
  }

  var timeText: String? { microsecondsOfDay.map(Self.clock) }

  var timetzText: String? {
    guard let clock = timeText, let west: Int32 = bytes.bigEndian(at: 8) else { return nil }
    // The server keeps seconds west of Greenwich.
    let seconds = west.magnitude
    var zone = (west > 0 ? "-" : "+") + Self.two(Int64(seconds / 3600))
    if seconds % 3600 != 0 { zone += ":" + Self.two(Int64(seconds / 60 % 60)) }
    if seconds % 60 != 0 { zone += ":" + Self.two(Int64(seconds % 60)) }
    return clock + zone
  }

  /// A point in time; one of no zone as it is, others in UTC.
  var timestampText: String? {
    guard let microseconds = microsecondsSince2000 else { return nil }
    if microseconds == .max { return "infinity" }
    if microseconds == .min { return "-infinity" }
    let (days, rest) = microseconds.flooredQuotient(by: Self.microsecondsOfDay)
    let date = CalendarDay(daysSince2000: Int(days))
    let zone = typeOID == PostgresType.timestamptz ? "+00" : ""
    return date.text + " " + Self.clock(rest) + zone + date.era
  }

  /// The day of a point in time in UTC; the infinities are the infinite days.
  public static func day(of microseconds: Int64) -> Int32 {
    if microseconds == .max { return .max }
    if microseconds == .min { return .min }
    return Int32(clamping: microseconds.flooredQuotient(by: microsecondsOfDay).0)
  }

  private static let microsecondsOfDay: Int64 = 86_400_000_000

  /// `09:05:00.25`; a day's end may be `24:00:00`.
  static func clock(_ microseconds: Int64) -> String {
    let seconds = microseconds / 1_000_000
    let whole = two(seconds / 3600) + ":" + two(seconds / 60 % 60) + ":" + two(seconds % 60)
    let fraction = microseconds % 1_000_000
    if fraction == 0 { return microseconds < 0 ? "-" + whole : whole }
    var digits = String(fraction.magnitude)
    digits = String(repeating: "0", count: 6 - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return (microseconds < 0 ? "-" : "") + whole + "." + digits
  }

  static func two(_ number: Int64) -> String { number.magnitude < 10 ? "0\(number.magnitude)" : "\(number.magnitude)" }
}

/// An `interval`: months, days and microseconds, none of which is a number of another.
public struct PostgresInterval: Hashable, Sendable {
  /// Months, twelve a year.
  public var months: Int32
  /// Days.
  public var days: Int32
  /// Microseconds.
  public var microseconds: Int64

  /// Creates an interval.
  public init(months: Int32 = 0, days: Int32 = 0, microseconds: Int64 = 0) {
    (self.months, self.days, self.microseconds) = (months, days, microseconds)
  }

  /// The interval as PostgreSQL writes it: `1 year 2 mons -3 days +04:05:06`.
  public var text: String {
    // What follows something negative has its sign in any case.
    var isAfterNegative = false
    var parts: [String] = []
    for (number, word) in [(months / 12, "year"), (months % 12, "mon"), (days, "day")] where number != 0 {
      parts.append("\(isAfterNegative && number > 0 ? "+" : "")\(number) \(word)\(number == 1 ? "" : "s")")
      isAfterNegative = number < 0
    }
    if microseconds != 0 || parts.isEmpty {
      parts.append((isAfterNegative && microseconds >= 0 ? "+" : "") + PostgresField.clock(microseconds))
    }
    return parts.joined(separator: " ")
  }
}

/// A day of the Gregorian calendar, before 1582 as well, as PostgreSQL counts.
private struct CalendarDay {
  var year: Int
  var month: Int
  var day: Int

  /// Eras of 400 years that begin in March, so that the leap day is the last of its year.
  init(daysSince2000 days: Int) {
    let (era, dayOfEra) = (days + 730_425).flooredQuotient(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// There is no year 0: it is 1 BC.
  var era: String { year <= 0 ? " BC" : "" }

  var text: String {
    let digits = String(year <= 0 ? 1 - year : year)
    let padding = String(repeating: "0", count: max(0, 4 - digits.count))
    return padding + digits + "-" + PostgresField.two(Int64(month)) + "-" + PostgresField.two(Int64(day))
  }
}

extension FixedWidthInteger {
  /// The quotient rounded down, and the remainder, which is not negative.
  fileprivate func flooredQuotient(by divisor: Self) -> (Self, Self) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
