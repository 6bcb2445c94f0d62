/// A unit of the calendar, in UTC, by which dates are counted.
public enum CalendarUnit: String, CaseIterable, Sendable {
  case second, minute, hour, day, week, month, quarter, year

  /// How many months it has; nil for units of a fixed length.
  var months: Int? {
    switch self {
    case .month: 1
    case .quarter: 3
    case .year: 12
    default: nil
    }
  }

  /// The length of a unit that has a fixed one.
  var seconds: Double {
    switch self {
    case .second: 1
    case .minute: 60
    case .hour: 3_600
    case .week: 604_800
    default: 86_400
    }
  }

  /// The seconds from 1970 to the first day of a month, counted from January of the year 0.
  static func seconds(ofMonth month: Int) -> Double {
    // Years that begin in March end with the day that some years lack.
    let shifted = month - 2
    let year = shifted >= 0 ? shifted / 12 : (shifted - 11) / 12
    let sinceMarch = shifted - year * 12
    let era = year >= 0 ? year / 400 : (year - 399) / 400
    let yearOfEra = year - era * 400
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + (153 * sinceMarch + 2) / 5
    return Double(days - 719_468) * 86_400
  }
}
