extension Timestamp {
  /// The components of an instant in UTC, to the microsecond.
  public struct Components: Hashable, Sendable {
    /// 1 to 9999.
    public var year: Int
    /// 1 to 12.
    public var month: Int
    /// The day of the month, from 1.
    public var day: Int
    /// 0 to 23.
    public var hour: Int
    /// 0 to 59.
    public var minute: Int
    /// The whole second of the minute, 0 to 59.
    public var second: Int
    /// The millionths of the second.
    public var microsecond: Int
    /// 1 for Sunday to 7 for Saturday.
    public var weekday: Int

    /// The second with its fraction.
    public var fractionalSecond: Double { Double(second * 1_000_000 + microsecond) / 1e6 }
  }

  /// Year, month, day, time and weekday in UTC; nil outside the years 1 to 9999.
  public var components: Components? {
    guard let instant = wholeAndMicroseconds else { return nil }
    let days = CivilDay.floorDivide(instant.seconds, 86400)
    let date = CivilDay(daysSince1970: days)
    let time = instant.seconds - days * 86400
    return Components(
      year: date.year, month: date.month, day: date.day, hour: time / 3600, minute: time / 60 % 60, second: time % 60,
      microsecond: instant.microseconds, weekday: CivilDay.weekday(daysSince1970: days))
  }

  /// The first instant of the year 1 and the first after the year 9999, in seconds.
  static let calendarRange = -62_135_596_800..<253_402_300_800

  /// Whole seconds, rounded down, and the rest in microseconds; nil outside the calendar's range.
  ///
  /// The rest is exact in a Double, so that rounding it to microseconds finds the written fraction.
  private var wholeAndMicroseconds: (seconds: Int, microseconds: Int)? {
    let floor = seconds.rounded(.down)
    guard floor >= Double(Self.calendarRange.lowerBound), floor < Double(Self.calendarRange.upperBound) else {
      return nil
    }
    let microseconds = Int(((seconds - floor) * 1e6).rounded())
    guard microseconds == 1_000_000 else { return (Int(floor), microseconds) }
    return Self.calendarRange.contains(Int(floor) + 1) ? (Int(floor) + 1, 0) : nil
  }
}
