public import Modeling

/// Ranges of time that cover all dates of an attribute: so many seconds, days, months or years, in UTC.
public struct DateBins {
  /// How wide a range is.
  private enum Step: Equatable {
    case seconds(Double)
    case months(Int)
  }

  /// How many ranges there are.
  public let count: Int
  private let step: Step
  /// Seconds since 1970, or months since the year 0.
  private let lower: Double

  private static let day = 86_400.0
  private static let secondSteps: [Double] = [
    1, 5, 15, 30, 60, 300, 900, 1_800, 3_600, 10_800, 21_600, 43_200, day, 2 * day, 7 * day, 14 * day,
  ]
  private static let monthSteps = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1_200, 12_000]

  /// Covers `least` to `greatest` with ranges of a unit of the calendar; nil where these would be more than `limit`.
  public init?(from least: Timestamp, to greatest: Timestamp, unit: CalendarUnit, atMost limit: Int) {
    let (from, to): (Double, Double)
    if let months = unit.months {
      step = .months(months)
      from = (Self.months(least) / Double(months)).rounded(.down)
      to = (Self.months(greatest) / Double(months)).rounded(.down)
      lower = from * Double(months)
    } else {
      step = .seconds(unit.seconds)
      // Weeks begin on Mondays; the first day of 1970 was a Thursday.
      let origin = unit == .week ? -3 * Self.day : 0
      from = ((least.seconds - origin) / unit.seconds).rounded(.down)
      to = ((greatest.seconds - origin) / unit.seconds).rounded(.down)
      lower = from * unit.seconds + origin
    }
    guard to - from < Double(limit) else { return nil }
    count = max(Int(saturating: to - from) + 1, 1)
  }

  /// Covers `least` to `greatest` with no more than `limit` ranges, fewer than ten thousand years apart.
  public init(from least: Timestamp, to greatest: Timestamp, atMost limit: Int) {
    let limit = Double(max(limit, 1))
    for seconds in Self.secondSteps {
      let start = (least.seconds / seconds).rounded(.down)
      let needed = (greatest.seconds / seconds).rounded(.down) - start + 1
      if needed <= limit {
        (step, lower, count) = (.seconds(seconds), start * seconds, max(Int(saturating: needed), 1))
        return
      }
    }
    let (first, last) = (Self.months(least), Self.months(greatest))
    for months in Self.monthSteps {
      let start = (first / Double(months)).rounded(.down)
      let needed = (last / Double(months)).rounded(.down) - start + 1
      if needed <= limit || months == Self.monthSteps.last {
        (step, lower, count) = (.months(months), start * Double(months), max(Int(saturating: min(needed, limit)), 1))
        return
      }
    }
    (step, lower, count) = (.months(12_000), 0, 1)
  }

  /// Which range a date is in.
  public func index(of date: Timestamp) -> Int {
    let place =
      switch step {
      case .seconds(let seconds): ((date.seconds - lower) / seconds).rounded(.down)
      case .months(let months): ((Self.months(date) - lower) / Double(months)).rounded(.down)
      }
    guard place > 0 else { return 0 }
    return place < Double(count) ? Int(place) : count - 1
  }

  /// When a range begins, in seconds since 1970.
  public func start(_ index: Int) -> Double {
    switch step {
    case .seconds(let seconds): lower + Double(index) * seconds
    case .months(let months): CalendarUnit.seconds(ofMonth: Int(saturating: lower) + index * months)
    }
  }

  /// When a range begins, as a text of no more parts than the width of the ranges needs.
  public func label(_ index: Int) -> String {
    switch step {
    case .seconds(let seconds):
      let start = Timestamp(lower + Double(index) * seconds)
      if seconds >= Self.day { return start.dayText }
      let length = seconds >= 60 ? 16 : 19
      return String(start.iso8601.prefix(length)).replacing("T", with: " ")
    case .months(let months):
      let month = Int(saturating: lower) + index * months
      let (year, rest) = (month / 12, month % 12 + 1)
      let text = String(year)
      let padded = String(repeating: "0", count: max(4 - text.count, 0)) + text
      return months % 12 == 0 ? padded : padded + (rest < 10 ? "-0" : "-") + String(rest)
    }
  }

  /// The months from the year 0 to a date; dates beyond the calendar are at its ends.
  private static func months(_ date: Timestamp) -> Double {
    guard let parts = date.components else { return date.seconds > 0 ? 9_999 * 12 + 11 : 12 }
    return Double(parts.year * 12 + parts.month - 1)
  }
}
