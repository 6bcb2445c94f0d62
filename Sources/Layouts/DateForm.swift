public import Modeling

/// How a column keeps dates as text, such as `2024-03-01 12:30:00`.
///
///     DateForm(of: "2024-03-01T12:30:00.123Z")?.text(of: Timestamp(0))     // "1970-01-01T00:00:00.000Z"
///
/// Any text of ISO 8601 in such a column is read as its date; the form says how dates are written.
public struct DateForm: Hashable, Sendable {
  /// What stands between the day and the time; nil for days alone.
  public var separator: Character?
  /// Whether seconds are written where they are 0.
  public var hasSeconds = true
  /// How many digits follow the point, at least.
  public var fractionDigits = 0
  /// Whether a fraction of 0 is left out, as Python does.
  public var omitsZeroFraction = false
  /// What stands behind the time: `Z`, an offset with the blank before it, or nothing, which means UTC.
  public var zone = ""

  /// Days alone: `2024-03-01`.
  public static let day = DateForm(separator: nil)
  /// As `CURRENT_TIMESTAMP` of SQLite writes: `2024-03-01 12:30:00`.
  public static let dayAndTime = DateForm(separator: " ")

  private init(separator: Character?) { self.separator = separator }

  /// Reads the form of a date; nil for a text that is no date of ISO 8601.
  public init?(of text: String) {
    guard Timestamp(iso8601: text) != nil else { return nil }
    let characters = Array(text)
    guard characters.count > 10 else {
      self = .day
      return
    }
    self.init(separator: characters[10])
    var rest = characters[11...].dropFirst(5)
    hasSeconds = rest.first == ":"
    if hasSeconds { rest = rest.dropFirst(3) }
    if rest.first == "." || rest.first == "," {
      // A comma is read as well, and becomes a point.
      let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      fractionDigits = digits.count
      rest = rest.dropFirst(1 + digits.count)
    }
    zone = String(rest)
  }

  /// The form of both, where they differ in their fractions at most; nil for others.
  public func joined(with other: DateForm) -> DateForm? {
    var (one, two) = (self, other)
    (one.fractionDigits, two.fractionDigits) = (0, 0)
    (one.omitsZeroFraction, two.omitsZeroFraction) = (false, false)
    guard one == two else { return nil }
    one.fractionDigits = max(fractionDigits, other.fractionDigits)
    one.omitsZeroFraction = omitsZeroFraction || other.omitsZeroFraction || fractionDigits != other.fractionDigits
    return one
  }

  /// A date in the form, to the microsecond; with seconds and a fraction where it has them, whether the form does or not.
  ///
  /// Nil where no such text is the date: for a time in a form of days, and outside the years 1 to 9999.
  public func text(of date: Timestamp) -> String? {
    let local = Timestamp(date.seconds + Double(offset))
    // 2024-03-01T12:30:00.123456Z
    let parts = Array(local.iso8601)
    guard parts.count >= 20, parts[4] == "-", parts[10] == "T", date.iso8601.utf8.count >= 20 else { return nil }
    var fraction = parts.count > 20 ? parts[20..<parts.count - 1].map { $0 } : []
    let isMidnight = fraction.isEmpty && String(parts[11..<19]) == "00:00:00"
    guard let separator else { return isMidnight ? String(parts[..<10]) : nil }
    var text = String(parts[..<10]) + String(separator) + String(parts[11..<16])
    let needsFraction = !fraction.isEmpty || (fractionDigits > 0 && !omitsZeroFraction)
    if hasSeconds || needsFraction || parts[17] != "0" || parts[18] != "0" { text += String(parts[16..<19]) }
    if needsFraction {
      while fraction.count < fractionDigits { fraction.append("0") }
      text += "." + String(fraction)
    }
    return text + zone
  }

  /// The form as people read it: a moment in it.
  public var sample: String { text(of: Timestamp(separator == nil ? 1_709_251_200 : 1_709_296_200)) ?? "" }

  /// The seconds by which local time is ahead of UTC.
  private var offset: Int {
    guard let date = Timestamp(iso8601: "2024-03-01 00:00:00" + zone) else { return 0 }
    return 1_709_251_200 - Int(date.seconds)
  }
}
