/// A day of the proleptic Gregorian calendar, for reading and printing dates.
///
/// It has its own arithmetic, because Foundation's calendars take a lock and a lookup for every date. The day counts
/// are those of Howard Hinnant's `days_from_civil`: eras of 400 years that begin in March, so that the leap day is the
/// last.
struct CivilDay: Hashable {
  var year: Int
  var month: Int
  var day: Int

  /// Returns nil if the calendar has no such day.
  init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), day >= 1, day <= Self.length(ofMonth: month, year: year) else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The day that lies `days` after 1970-01-01.
  init(daysSince1970 days: Int) {
    let shifted = days + Self.daysFromEraTo1970
    let era = Self.floorDivide(shifted, Self.daysInEra)
    let dayOfEra = shifted - era * Self.daysInEra
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The number of days from 1970-01-01.
  var daysSince1970: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = Self.floorDivide(marchYear, 400)
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * Self.daysInEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.daysFromEraTo1970
  }

  /// 1 for Sunday to 7 for Saturday; 1970-01-01 was a Thursday.
  static func weekday(daysSince1970 days: Int) -> Int {
    let days = days + 4
    return days - floorDivide(days, 7) * 7 + 1
  }

  private static let daysInEra = 146_097
  private static let daysFromEraTo1970 = 719_468

  private static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  static func floorDivide(_ value: Int, _ divisor: Int) -> Int {
    value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor)
  }
}
