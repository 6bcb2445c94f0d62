import Modeling
import Queries

@testable import LiveQueries

// Requests whose results are no objects.
extension RandomGraph {
  /// A count, dictionaries of trips, groups, aggregates or distinct values.
  func valuesRequest() throws -> FetchRequest {
    var request = try self.request()
    request.sectionIdentifier = nil
    request.resultType = .dictionaries
    switch random.below(5) {
    case 0:
      request.resultType = .count
      if request.fetchLimit != nil, request.sortDescriptors.isEmpty { request.fetchLimit = nil }
    case 1, 2: try fetchColumns(&request)
    case 3: try group(&request)
    default:
      cutNothing(&request)
      let columns = random.pick([
        ["count", "sum(cost)", "max(stars)"], ["min(name)", "average(cost)", "count(stars)"],
      ])
      request.propertiesToFetch = try columns.map { try FetchedColumn($0, parsing: $0) }
      request.sortDescriptors = []
    }
    return request
  }

  private func cutNothing(_ request: inout FetchRequest) { (request.fetchLimit, request.fetchOffset) = (nil, 0) }

  private func fetchColumns(_ request: inout FetchRequest) throws {
    let columns = random.pick([
      ["name", "cost"], ["name", "place.name"], ["cost * 2", "guests.@count"], ["stars", "place.country.name", "day"],
      [],
      ["guests.@sum.age", "tags.@count"],
    ])
    request.propertiesToFetch = try columns.map { try FetchedColumn($0, parsing: $0) }
    if request.sortDescriptors.isEmpty { cutNothing(&request) }
    guard random.chance(oneIn: 5) else { return }
    request.returnsDistinctResults = true
    request.propertiesToFetch = [try FetchedColumn("name", parsing: random.pick(["name", "place.name"]))]
    request.sortDescriptors = random.chance(oneIn: 2) ? [SortDescriptor("name")] : []
    cutNothing(&request)
  }

  private func group(_ request: inout FetchRequest) throws {
    let group = random.pick(["name", "stars", "place.name"])
    request.propertiesToGroupBy = [.path(PropertyPath(group.split(separator: ".").map(String.init)))]
    request.propertiesToFetch = [
      try FetchedColumn(group, parsing: group), try FetchedColumn("n", parsing: "count"),
      try FetchedColumn("most", parsing: random.pick(["max(cost)", "sum(stars)", "max(place.rank)"])),
    ]
    request.havingPredicate = random.chance(oneIn: 3) ? try Predicate.parse("n > 1") : nil
    request.sortDescriptors = random.chance(oneIn: 2) ? [try LiveWorld.sortDescriptor(group)] : []
    cutNothing(&request)
  }
}
