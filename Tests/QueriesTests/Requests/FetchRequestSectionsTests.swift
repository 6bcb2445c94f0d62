import Modeling
import Queries
import Testing

/// The section key leads the order, and nothing may tear sections apart.
@Suite struct FetchRequestSectionsTests {
  private func request(_ section: String, _ sorts: [SortDescriptor]) throws -> FetchRequest {
    var request = FetchRequest(Sample.quake)
    request.sectionIdentifier = try Expression.parse(section)
    request.sortDescriptors = sorts
    return request
  }

  private func order(_ request: FetchRequest) -> [String] {
    request.inSectionOrder.sortDescriptors.map { ($0.isAscending ? "" : "-") + $0.expression.format }
  }

  @Test func theSectionKeyComesFirst() throws {
    #expect(order(try request("place", [SortDescriptor("-time")])) == ["place", "-time"])
    #expect(order(try request("place", [])) == ["place"])
  }

  @Test func anOrderThatBeginsWithTheSectionKeyStays() throws {
    #expect(order(try request("place", [SortDescriptor("-place"), SortDescriptor("time")])) == ["-place", "time"])
  }

  @Test func aDateOrdersItsYearsAndDays() throws {
    #expect(order(try request("day(time)", [SortDescriptor("-time")])) == ["-time"])
    #expect(order(try request("hour(time)", [SortDescriptor("-time")])) == ["hour(time)", "-time"])
  }

  @Test func sectionsThatWouldBeTornApartAreRefused() throws {
    let later = try request("place", [SortDescriptor("-time"), SortDescriptor("place")])
    #expect(mistakes { try later.validate() } == ["sectionBehind(\"place\", first: \"time\") at <place>"])
    let folded = try request("place", [SortDescriptor(.path(PropertyPath(["place"])), comparator: .caseInsensitive)])
    #expect(mistakes { try folded.validate() } == ["sectionsMixed(\"place\") at <place>"])
  }

  @Test func aSectionKeyIsOneValueWithAnOrder() throws {
    #expect(mistakes { try request("reports.score", []).validate() }.isEmpty == false)
    #expect(mistakes { try request("info", []).validate() }.isEmpty == false)
    #expect(mistakes { try request("place", [SortDescriptor("-time")]).validate() } == [])
    var grouped = try request("place", [])
    grouped.resultType = .dictionaries
    #expect(mistakes { try grouped.validate() }.isEmpty == false)
  }
}
