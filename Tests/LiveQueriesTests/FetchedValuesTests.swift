import Modeling
import Queries
import Testing

@testable import LiveQueries

/// Counts and dictionaries that stay true.
@Suite struct FetchedValuesTests {
  private let world: LiveWorld

  init() throws { world = try LiveWorld() }

  private func values(_ request: FetchRequest) throws -> FetchedValues {
    try FetchedValues(request, in: world.live.context(world.context))
  }

  @Test func aCountFollowsEveryWriteAndUnsavedChanges() throws {
    var request = try world.request("Trip", "cost > 1")
    request.resultType = .count
    let count = try values(request)
    var told: [Int?] = []
    _ = count.onChange { [unowned count] _ in told.append(count.value) }
    try world.make("Trip", ["cost": .double(2)])
    try world.turn.run()
    try world.save()
    try world.sql("INSERT INTO trip (cost) VALUES (3), (0)")
    try world.sql("UPDATE trip SET cost = cost + 0")
    try world.sql("DELETE FROM trip")
    #expect(told == [1, 2, 0])
  }

  @Test func aRowThatIsNotThereHasNoValues() throws {
    try world.sql("INSERT INTO trip (name, cost) VALUES ('a', 1)")
    var request = try world.request("Trip", nil, sort: ["-cost"])
    request.resultType = .dictionaries
    request.propertiesToFetch = [FetchedColumn("name", .path(PropertyPath(["name"])))]
    let rows = try values(request)
    #expect(rows[0] == [.string("a")])
    #expect(rows[1] == [.null])
  }

  @Test func dictionariesOfObjectsAreMaintained() throws {
    try world.sql("INSERT INTO trip (name, cost) VALUES ('a', 1), ('b', 2), ('c', 3)")
    var request = try world.request("Trip", nil, sort: ["-cost"])
    request.resultType = .dictionaries
    request.propertiesToFetch = [
      FetchedColumn("name", .path(PropertyPath(["name"]))), FetchedColumn("double", try Expression.parse("cost * 2")),
    ]
    let rows = try values(request)
    #expect(Array(rows) == [[.string("c"), .double(6)], [.string("b"), .double(4)], [.string("a"), .double(2)]])
    var told: [String] = []
    _ = rows.onChange { told.append("\($0.moved.map { [$0.oldIndex, $0.index] }) \($0.updated.count)") }
    try world.sql("UPDATE trip SET cost = 10 WHERE name = 'a'")
    #expect(rows[0] == [.string("a"), .double(20)])
    #expect(told == ["[[Optional(2), Optional(0)]] 0"])
  }

  @Test func groupsAreFetchedAgainOnlyWhenTheirTablesWereWritten() throws {
    try world.sql("INSERT INTO trip (name, cost) VALUES ('a', 1), ('a', 2), ('b', 3)")
    var request = try world.request("Trip", nil, sort: ["name"])
    request.resultType = .dictionaries
    request.propertiesToGroupBy = [.path(PropertyPath(["name"]))]
    request.propertiesToFetch = [
      FetchedColumn("name", .path(PropertyPath(["name"]))), FetchedColumn("most", try Expression.parse("max(cost)")),
    ]
    let groups = try values(request)
    var told: [String] = []
    _ = groups.onChange { change in
      told.append("+\(change.inserted.map(\.values)) -\(change.deleted.count) ~\(change.updated.map(\.index))")
    }
    try world.sql("INSERT INTO tag (label) VALUES ('x')")
    try world.sql("UPDATE trip SET cost = 5 WHERE cost = 2")
    try world.sql("INSERT INTO trip (name, cost) VALUES ('aa', 1)")
    #expect(told == ["+[] -0 ~[Optional(0)]", "+[[Modeling.Value.string(\"aa\"), Modeling.Value.double(1.0)]] -0 ~[]"])
    #expect(groups.count == 3)
  }

  @Test func groupsWithAMedianAreFetchedAgainAndCompared() throws {
    try world.sql("INSERT INTO trip (name, cost) VALUES ('a', 1), ('a', 2), ('a', 9), ('b', 3)")
    var request = try world.request("Trip", nil, sort: ["name"])
    request.resultType = .dictionaries
    request.propertiesToGroupBy = [.path(PropertyPath(["name"]))]
    request.propertiesToFetch = [
      FetchedColumn("name", .path(PropertyPath(["name"]))),
      FetchedColumn("middle", try Expression.parse("median(cost)")),
    ]
    let groups = try values(request)
    #expect(Array(groups) == [[.string("a"), .double(2)], [.string("b"), .double(3)]])
    var told: [String] = []
    _ = groups.onChange { change in
      told.append("+\(change.inserted.count) -\(change.deleted.count) ~\(change.updated.map { $0.index ?? -1 })")
    }
    try world.sql("INSERT INTO tag (label) VALUES ('x')")
    try world.sql("UPDATE trip SET cost = 10 WHERE cost = 9")
    #expect(told == [])
    try world.sql("UPDATE trip SET cost = 4 WHERE cost = 2")
    #expect(groups[0] == [.string("a"), .double(4)])
    try world.sql("INSERT INTO trip (name, cost) VALUES ('aa', 1)")
    try world.sql("DELETE FROM trip WHERE name = 'b'")
    #expect(told == ["+0 -0 ~[0]", "+1 -0 ~[]", "+0 -1 ~[]"])
    #expect(Array(groups) == [[.string("a"), .double(4)], [.string("aa"), .double(1)]])
  }

  @Test func aDeletedRowIsToldByItsIDAndADeletedGroupByItsValues() throws {
    try world.sql("INSERT INTO trip (name) VALUES ('a'), ('b')")
    let rows = try values(dictionaries(["name"], sort: ["name"]))
    var request = try dictionaries(["name", "count"], sort: ["name"])
    request.propertiesToGroupBy = [.path(PropertyPath(["name"]))]
    let groups = try values(request)
    var deleted: [ResultsChange.Entry] = []
    _ = rows.onChange { deleted += $0.deleted }
    _ = groups.onChange { deleted += $0.deleted }
    try world.sql("DELETE FROM trip WHERE name = 'b'")
    #expect(deleted.map(\.oldIndex) == [1, 1])
    #expect(deleted.map(\.objectID) == [ObjectID(entity: try world.entity("Trip"), key: 2), nil])
    #expect(deleted.map(\.values) == [[], [.string("b"), .int(1)]])
  }

  private func dictionaries(_ columns: [String], sort: [String] = []) throws -> FetchRequest {
    var request = try world.request("Trip", nil, sort: sort)
    request.resultType = .dictionaries
    request.propertiesToFetch = try columns.map { try FetchedColumn($0, parsing: $0) }
    return request
  }

  @Test func whatDictionariesReadOfOtherObjectsIsFollowed() throws {
    try world.sql(
      "INSERT INTO place (name) VALUES ('x'), ('y'); INSERT INTO trip (name, place_pk) VALUES ('a', 1), ('b', 2)")
    let mirror = ValuesMirror(try values(dictionaries(["name", "place.name", "guests.@count"], sort: ["name"])))
    for sql in [
      "UPDATE place SET name = 'z' WHERE _pk = 2", "INSERT INTO guest (trip_pk) VALUES (1), (1)",
      "UPDATE guest SET trip_pk = 2 WHERE _pk = 2", "DELETE FROM guest", "UPDATE trip SET place_pk = 1",
    ] {
      try world.sql(sql)
      #expect(try mirror.problems() == [], "\(sql)")
    }
    #expect(Array(mirror.values).map { $0[1] } == [.string("x"), .string("x")])
    #expect(try mirror.values.explanation().reloads == 0)
  }

  @Test func anotherRequestIsToldWithTheValuesOfItsRows() throws {
    try world.sql("INSERT INTO trip (name, cost) VALUES ('a', 1), ('b', 2), ('c', 3)")
    let mirror = ValuesMirror(try values(dictionaries(["name"], sort: ["cost"])))
    try mirror.values.configure { $0.predicate = try Predicate.parse("cost > 1") }
    #expect(try mirror.problems() == [])
    try mirror.values.configure { $0.propertiesToFetch = [try FetchedColumn("most", parsing: "max(cost)")] }
    #expect(try mirror.problems() == [])
    #expect(mirror.values[0] == [.double(3)])
  }
}
