import Foundation
import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite(.seeded) struct ReferenceDateRangeTests {
  private static let moments: [Double] = {
    var generator = SplitMix(seed: 7)
    let scales: [Double] = [0, 1e-9, 1e-3, 1, 1e3, 1e8, 7.3e8, 978_307_200, 1.1e9, 6e10, 1e15, 1e20]
    return scales.flatMap { scale in
      [scale, -scale] + (0..<40).map { _ in Double.random(in: -1...1, using: &generator) * scale }
    }
  }()

  @Test func theRangeHoldsAllNumbersThatAreReadAsTheDate() throws {
    for number in Self.moments {
      let date = Timestamp(number + secondsToReferenceDate)
      let range = try #require(ReferenceDateRange(date))
      #expect(range.lower <= number && number <= range.upper, "\(number)")
      for inside in [range.lower, range.upper] { #expect(inside + secondsToReferenceDate == date.seconds, "\(number)") }
      #expect(range.lower.nextDown + secondsToReferenceDate < date.seconds, "\(number)")
      #expect(range.upper.nextUp + secondsToReferenceDate > date.seconds, "\(number)")
    }
  }

  @Test func aDateThatNoNumberIsReadAsHasAnEmptyRange() throws {
    let range = try #require(ReferenceDateRange(Timestamp(1e-9)))
    #expect(range.upper < range.lower && range.upper.nextUp == range.lower)
    #expect(ReferenceDateRange(Timestamp(.nan)) == nil && ReferenceDateRange(Timestamp(.infinity)) == nil)
  }

  @Test func anObjectIsFoundByTheDateThatWasReadOfIt() throws {
    let folder = try TemporaryFolder()
    let fixture = CoreDataFixture(
      try Model([EntityDescription("Thing", properties: [.attribute(Attribute("time", .date))])]))
    let path = try fixture.make(in: folder)
    let moments = Self.moments.filter { number in
      // Whole seconds are whole numbers of seconds, but for what is written within a nanosecond of 2001.
      let seconds = number + secondsToReferenceDate
      return abs(number) < 1e11 && (seconds != seconds.rounded() || number == number.rounded())
    }
    let rows = moments.map { "(1, 1, \($0))" }.joined(separator: ", ")
    #expect(try sqlite3(path, "INSERT INTO ZTHING (Z_ENT, Z_OPT, ZTIME) VALUES \(rows)") == "")
    let store = try fixture.open(path, readOnly: true)
    let dates = try store.values("time", of: "Thing").map { value -> Double in
      guard case .date(let date) = value else { throw NothingThere() }
      return date.seconds
    }
    func count(_ format: String, _ date: Double) throws -> Int {
      var request = FetchRequest(try #require(store.model.entity(named: "Thing")))
      request.predicate = try Predicate.parse(format, arguments: [.value(.date(Timestamp(date)))])
      return try store.keys(request).count
    }
    for date in Set(dates) {
      #expect(try count("time == %@", date) == dates.count { $0 == date }, "\(date)")
      #expect(try count("time != %@", date) == dates.count { $0 != date }, "\(date)")
      #expect(try count("time < %@", date) == dates.count { $0 < date }, "\(date)")
      #expect(try count("%@ <= time", date) == dates.count { $0 >= date }, "\(date)")
      #expect(try count("time <= %@", date) == dates.count { $0 <= date }, "\(date)")
      #expect(try count("time > %@", date) == dates.count { $0 > date }, "\(date)")
    }
  }
}
