import TestSupport
import Testing

@testable import Modeling

@Suite(.seeded) struct TimestampTextTests {
  @Test(arguments: [
    ("2024-01-22", 1_705_881_600),
    ("2024-01-22T16:26:12Z", 1_705_940_772),
    ("2024-01-22t16:26:12z", 1_705_940_772),
    ("2024-01-22 16:26:12", 1_705_940_772),
    ("2024-01-22 16:26:12 +0000", 1_705_940_772),
    ("2024-01-22T16:26", 1_705_940_760),
    ("2024-01-22T17:26:12+01:00", 1_705_940_772),
    ("2024-01-22T11:56:12-0430", 1_705_940_772),
    ("2024-01-22T18:26:12+02", 1_705_940_772),
    ("2024-01-22T16:26:12.25Z", 1_705_940_772.25),
    ("2024-01-22T16:26:12,5Z", 1_705_940_772.5),
    ("1969-12-31T23:59:59.75Z", -0.25),
    ("2000-02-29", 951_782_400),
    ("0001-01-01", -62_135_596_800),
    ("9999-12-31T23:59:59Z", 253_402_300_799),
    ("1970-01-01T00:00:00.12345678901234567890Z", 0.123456789012345),
  ])
  func theFormsOfISO8601AreRead(text: String, seconds: Double) {
    #expect(Timestamp(iso8601: text)?.seconds == seconds)
  }

  @Test(arguments: [
    "", "2024", "2024-01", "2024-1-22", "2024-02-30", "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10",
    "2024-01-00", "2024-04-31", "0000-01-01", "10000-01-01", "-2024-01-22", "2024-01-22T", "2024-01-22T16",
    "2024-01-22T24:00:00Z", "2024-01-22T16:60:00Z", "2024-01-22T16:26:60Z", "2024-01-22T16:26:12.",
    "2024-01-22T16:26:12.Z",
    "2024-01-22T16:26:12+1", "2024-01-22T16:26:12+24:00", "2024-01-22T16:26:12+01:60", "2024-01-22T16:26:12Zx",
    "2024-01-22 ", " 2024-01-22", "2024-01-22X16:26:12", "22.01.2024", "now", "0001-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00", "2024-01-22T16:26:12 ", "２024-01-22",
  ])
  func nonsenseIsRejected(text: String) {
    #expect(Timestamp(iso8601: text) == nil)
  }

  @Test(arguments: [
    (1_705_940_772, "2024-01-22T16:26:12Z"), (1_705_940_772.5, "2024-01-22T16:26:12.5Z"),
    (-0.25, "1969-12-31T23:59:59.75Z"), (0.000001, "1970-01-01T00:00:00.000001Z"),
    (0.9999999, "1970-01-01T00:00:01Z"), (0.0000001, "1970-01-01T00:00:00Z"),
    (-62_135_596_800, "0001-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
  ])
  func fractionsArePrintedOnlyWhereThereAreAny(seconds: Double, text: String) {
    #expect(Timestamp(seconds).iso8601 == text)
  }

  @Test(arguments: [
    (Double.infinity, "Date(inf)"), (-Double.infinity, "Date(-inf)"), (Double.nan, "Date(nan)"),
    (1e300, "Date(1e+300)"),
    (253_402_300_800, "Date(253402300800)"), (-62_135_596_801, "Date(-62135596801)"),
    (253_402_300_799.9999999, "Date(253402300800)"),
  ])
  func anInstantWithoutAYearOfFourDigitsPrintsItsSeconds(seconds: Double, text: String) {
    let instant = Timestamp(seconds)
    #expect(instant.iso8601 == text)
    #expect(instant.dayText == text)
    #expect(instant.monthText == text)
    #expect(instant.components == nil)
  }

  @Test func componentsCountSundayAsOne() {
    let parts = Timestamp(1_705_940_772.25).components
    #expect(
      parts
        == Timestamp.Components(
          year: 2024, month: 1, day: 22, hour: 16, minute: 26, second: 12, microsecond: 250_000, weekday: 2))
    #expect(parts?.fractionalSecond == 12.25)
    #expect(Timestamp(iso8601: "2024-01-21")?.components?.weekday == 1)
    #expect(Timestamp(1_705_940_772).dayText == "2024-01-22")
    #expect(Timestamp(1_705_940_772).monthText == "2024-01")
  }

  /// Counts days one by one, the way a wall calendar does.
  @Test func everyDayFrom1583To2400AgreesWithCounting() {
    var days = Timestamp(iso8601: "1583-01-01").map { Int($0.seconds) / 86400 } ?? 0
    #expect(days == -141_349)
    var weekday = 7  // 1583-01-01 was a Saturday
    for year in 1583...2400 {
      let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
      for (index, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
        for day in 1...length {
          let civil = CivilDay(daysSince1970: days)
          let agrees =
            (civil.year, civil.month, civil.day) == (year, index + 1, day)
            && CivilDay.weekday(daysSince1970: days) == weekday && civil.daysSince1970 == days
          if !agrees { Issue.record("\(year)-\(index + 1)-\(day) is \(civil)") }
          days += 1
          weekday = weekday % 7 + 1
        }
      }
    }
    #expect(days == 157_420)
  }

  @Test func microsecondsSurviveTheRoundTrip() {
    var random = SplitMix(seed: 1)
    for _ in 0..<20_000 {
      let microseconds = Int.random(in: -8_520_336_000_000_000...8_520_336_000_000_000, using: &random)
      let instant = Timestamp(Double(microseconds) / 1e6)
      let again = Timestamp(iso8601: instant.iso8601)
      if again != instant { Issue.record("\(microseconds): \(instant.iso8601)") }
    }
    for _ in 0..<5_000 {
      let instant = Timestamp(Double.random(in: -62_135_596_800..<253_402_300_799, using: &random))
      let again = Timestamp(iso8601: instant.iso8601)
      if again?.iso8601 != instant.iso8601 { Issue.record("\(instant.seconds): \(instant.iso8601)") }
    }
  }
}
