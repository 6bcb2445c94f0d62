import Modeling
import ObjectGraph
import Queries
import Testing

@testable import LiveQueries

@Suite struct GroupsWithUnsavedChangesTests {
  private let world: LiveWorld

  init() throws {
    world = try LiveWorld()
    try world.sql("INSERT INTO trip (name, cost) VALUES ('a', 1), ('a', 2), ('b', 3)")
    try world.make("Trip", ["name": .string("a"), "cost": .double(4)])
  }

  private func request(pending: Bool, in other: LiveWorld? = nil) throws -> FetchRequest {
    var request = try (other ?? world).request("Trip", nil, sort: ["name"])
    request.resultType = .dictionaries
    request.propertiesToGroupBy = [.path(PropertyPath(["name"]))]
    request.propertiesToFetch = try [("name", "name"), ("most", "max(cost)")].map {
      try FetchedColumn($0.0, parsing: $0.1)
    }
    request.includesPendingChanges = pending
    return request
  }

  @Test func unsavedObjectsAreAmongTheRowsOfTheirGroups() throws {
    #expect(
      try world.context.groupsWithUnsavedChanges(of: request(pending: true))
        == [[.string("a"), .double(4)], [.string("b"), .double(3)]])
  }

  @Test func aRequestOfWhatIsSavedIsLeftToTheStore() throws {
    #expect(try world.context.groupsWithUnsavedChanges(of: request(pending: false)) == nil)
    let child = ObjectContext(parent: world.context)
    #expect(
      try child.groupsWithUnsavedChanges(of: request(pending: false))
        == [[.string("a"), .double(4)], [.string("b"), .double(3)]])
  }

  @Test func ofSeveralObjectsThatCannotBeReadTheSameOneIsNamedEachTime() throws {
    var errors: Set<String> = []
    for _ in 0..<8 {
      let world = try LiveWorld()
      let trips = try (0..<8).map { try world.make("Trip", ["cost": .double(Double($0))]) }
      let child = ObjectContext(parent: world.context)
      for trip in trips { try child.object(trip.objectID).set("name", .string("a")) }
      world.context.rollback()
      let request = try request(pending: true, in: world)
      let error = try #require(throws: GraphError.self) { try child.groupsWithUnsavedChanges(of: request) }
      errors.insert("\(error.fact)")
    }
    #expect(errors.count == 1)
  }

  @Test func unsavedObjectsCountAmongDistinctValues() throws {
    try world.make("Trip", ["name": .string("c")])
    var request = try world.request("Trip", nil, sort: ["name"])
    request.resultType = .dictionaries
    request.propertiesToFetch = [try FetchedColumn("name", parsing: "name")]
    request.returnsDistinctResults = true
    #expect(
      try world.context.groupsWithUnsavedChanges(of: request) == ["a", "b", "c"].map { [.string($0)] })
  }

  @Test func whatCannotBeCountedHereIsLeftToTheStore() throws {
    var request = try request(pending: true)
    request.propertiesToFetch = [try FetchedColumn("middle", parsing: "median(cost)")]
    #expect(try world.context.groupsWithUnsavedChanges(of: request) == nil)
  }

  @Test func withoutUnsavedObjectsTheStoreAnswers() throws {
    try world.save()
    #expect(try world.context.groupsWithUnsavedChanges(of: request(pending: true)) == nil)
  }
}
