import Modeling
import Queries
import Testing

@testable import LiveQueries

@Suite struct LiveQueryTests {
  private let world: LiveWorld

  init() throws { world = try LiveWorld() }

  private func query() throws -> LiveQuery {
    LiveQuery(following: try world.request("Trip"), in: world.live.context(world.context))
  }

  @Test func aQueryWithoutContentTellsNothing() throws {
    let query = try query()
    var told = 0
    let token = query.onChange { _ in told += 1 }
    defer { token.cancel() }
    try world.sql("INSERT INTO trip (cost) VALUES (1)")
    try query.configure { $0.fetchLimit = 1 }
    try world.save()
    try query.checkInvariants()
    #expect(told == 0 && !query.isDue)
    #expect(query.tables.isEmpty && query.reportedChanges.isEmpty)
    #expect(query.request.fetchLimit == 1)
  }

  @Test func aClosedQueryKeepsItsRequestAndEndsItsStreamsAtOnce() async throws {
    let query = try query()
    query.close()
    query.close()
    #expect(throws: LiveQueryError.self) { try query.configure { $0.fetchLimit = 1 } }
    #expect(query.request.fetchLimit == nil)
    for await change in query.changes { Issue.record("\(change) after the end") }
  }
}
