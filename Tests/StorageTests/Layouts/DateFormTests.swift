import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite(.seeded) struct DateFormTests {
  /// 2024-03-01T12:30:00Z
  private let noon = Timestamp(1_709_296_200)

  @Test(arguments: [
    "2024-03-01", "2024-03-01 12:30", "2024-03-01 12:30:00", "2024-03-01T12:30:00", "2024-03-01T12:30:00Z",
    "2024-03-01T12:30:00.000Z", "2024-03-01 12:30:00.000000", "2024-03-01T12:30:00+00:00", "2024-03-01T12:30+0200",
    "2024-03-01 12:30:00 -05:30", "2024-03-01t12:30:00z", "2024-03-01 12:30:00.123456000",
  ])
  func aDateIsWrittenAsItWasRead(_ text: String) throws {
    let form = try #require(DateForm(of: text))
    #expect(form.text(of: try #require(Timestamp(iso8601: text)))?.prefix(26) == text.prefix(26))
  }

  @Test(arguments: [
    "", "soon", "2024", "2024-02-30", "2024-3-1", "12:30:00", "2024-03-01 25:00", "01.03.2024", "20240301",
  ])
  func whatIsNoDateHasNoForm(_ text: String) { #expect(DateForm(of: text) == nil) }

  @Test func fractionsMayDifferAndNothingElse() throws {
    let whole = try #require(DateForm(of: "2024-03-01 12:30:00"))
    let exact = try #require(DateForm(of: "2024-03-01 12:30:00.123456"))
    let both = try #require(whole.joined(with: exact))
    #expect(both.text(of: noon) == "2024-03-01 12:30:00")
    #expect(both.text(of: Timestamp(noon.seconds + 0.5)) == "2024-03-01 12:30:00.500000")
    #expect(exact.joined(with: exact) == exact)
    #expect(exact.text(of: noon) == "2024-03-01 12:30:00.000000")
    for other in [
      "2024-03-01", "2024-03-01T12:30:00", "2024-03-01 12:30:00Z", "2024-03-01 12:30:00+00:00", "2024-03-01 12:30",
    ] { #expect(whole.joined(with: try #require(DateForm(of: other))) == nil, "\(other)") }
    let (east, west) = (DateForm(of: "2024-03-01 12:30:00+01:00"), DateForm(of: "2024-03-01 12:30:00-01:00"))
    #expect(try #require(east).joined(with: try #require(west)) == nil)
  }

  @Test func aFormTakesWhatADateHasBeyondItOrRefusesIt() throws {
    #expect(DateForm.day.text(of: noon) == nil)
    #expect(DateForm.day.text(of: Timestamp(noon.seconds - 45_000)) == "2024-03-01")
    #expect(
      try #require(DateForm(of: "2024-03-01 12:30")).text(of: Timestamp(noon.seconds + 1)) == "2024-03-01 12:30:01")
    #expect(DateForm.dayAndTime.text(of: Timestamp(noon.seconds + 0.25)) == "2024-03-01 12:30:00.25")
    for seconds in [.infinity, -.infinity, .nan, 1e15, -1e15] {
      #expect(DateForm.dayAndTime.text(of: Timestamp(seconds)) == nil)
    }
  }

  @Test func whatIsWrittenIsReadAsTheSameDate() throws {
    let forms = [
      "2024-03-01 12:30", "2024-03-01 12:30:00", "2024-03-01T12:30:00Z", "2024-03-01 12:30:00.123",
      "2024-03-01T12:30:00+02:00",
      "2024-03-01 12:30:00.000000 -09:45",
    ].compactMap(DateForm.init)
    var random = SplitMix(seed: 5)
    for _ in 0..<2000 {
      // To the microsecond, as far as a Double goes.
      let seconds = Double(random.below(8_000_000_000)) - 4_000_000_000
      let date = Timestamp(random.below(2) == 0 ? seconds : seconds + Double(random.below(1_000_000)) / 1_000_000)
      for form in forms {
        let text = try #require(form.text(of: date))
        let read = try #require(Timestamp(iso8601: text), "\(text)")
        #expect(abs(read.seconds - date.seconds) < 0.000001, "\(text)")
        let again = try #require(DateForm(of: text))
        #expect((again.separator, again.zone) == (form.separator, form.zone), "\(text)")
      }
    }
  }
}
