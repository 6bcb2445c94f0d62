import Foundation
import Modeling
import Queries
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct ReadingTests {
  let sample: Sample
  var store: SQLiteStore { sample.store }

  init() throws {
    sample = try Sample()
    let us = try sample.insert("Network", ["name": "us".value])
    for index in 0..<20 {
      let quake = try sample.insert(
        "Quake",
        [
          "code": "q\(index)".value, "magnitude": .double(Double(index % 10)), "place": ["CA", "NV"][index % 2].value,
          "depth": .decimal(Decimal(index) / 10), "isFelt": .bool(index % 3 == 0),
          "network": index % 4 == 0 ? .int(us) : .null,
        ])
      for report in 0..<(index % 3) {
        try sample.insert("Report", ["text": "r\(report)".value, "score": .int(Int64(report)), "quake": .int(quake)])
      }
    }
  }

  private func all(_ cursor: ValueCursor) throws -> [[Value]] {
    var rows: [[Value]] = []
    while try cursor.step() { rows.append(cursor.columns.indices.map(cursor.value)) }
    return rows
  }

  private func request(_ format: String? = nil, sort: String...) throws -> FetchRequest {
    var request = try sample.request("Quake", format)
    request.sortDescriptors = sort.map { SortDescriptor($0) }
    return request
  }

  @Test func tiesAreInTheOrderOfKeys() throws {
    #expect(try store.keys(request("magnitude > 7", sort: "-magnitude")) == [10, 20, 9, 19])
  }

  @Test func whatIsNotSortedComesInTheOrderOfKeys() throws {
    #expect(try store.keys(request()) == Array(1...20))
    #expect(try store.keys(request("magnitude IN {8, 1}")) == [2, 9, 12, 19])
    let cursor = try store.cursor(request(), keysOnly: true)
    #expect(try cursor.step() && cursor.key == 1)
  }

  @Test func limitAndOffsetHoldEverywhere() throws {
    var request = try request("place == 'CA'", sort: "code")
    request.fetchLimit = 3
    request.fetchOffset = 8
    #expect(try store.keys(request).count == 2)
    #expect(try store.count(request) == 2)
    #expect(try store.aggregate(request, [.call(.count, .object)]) == [.int(2)])
    request.fetchLimit = 0
    request.fetchOffset = 4
    #expect(try store.count(request) == 6)
  }

  @Test func countsAreThoseOfPlainSQL() throws {
    for format in ["magnitude >= 5", "place == 'CA' AND magnitude < 3", "network == nil", "ANY reports.score == 1"] {
      #expect(try store.count(request(format)) == store.keys(request(format)).count)
    }
    #expect(try RequestSQL(request(), store.schema).count().text == "SELECT count(*) FROM quake AS t0")
  }

  @Test func rowsAreFetchedByTheirKeys() throws {
    for keys in [[Int64](), [3], [1, 2, 3, 999], Array(1...20), Array(1...600)] {
      let cursor = try store.rows(of: sample.entity("Quake"), keys: keys)
      var found: [Int64] = []
      while try cursor.step() {
        #expect(String(decoding: cursor.bytes(0), as: UTF8.self) == "q\(cursor.key - 1)")
        found.append(cursor.key)
      }
      #expect(found.sorted() == keys.filter { $0 <= 20 })
    }
  }

  @Test func aCursorStaysOpenWhileOthersWrite() throws {
    let cursor = try store.cursor(request(sort: "code"))
    #expect(try cursor.step())
    _ = try store.update(sample.entity("Quake"), key: 20, [(1, .double(3))])
    try store.transaction { try sample.insert("Quake", ["code": "new".value]) }
    var count = 1
    while try cursor.step() { count += 1 }
    #expect(count >= 20)
    // No lock is left: everything may be changed now.
    _ = try store.sql("DROP TABLE report")
  }

  @Test func aClosedCursorLeavesNoLock() throws {
    let cursor = try store.cursor(request())
    #expect(try cursor.step())
    cursor.close()
    _ = try store.sql("DROP INDEX quake_place_index")
  }

  @Test func familiesTellTheirEntities() throws {
    try sample.insert("Vehicle", ["name": "v".value])
    try sample.insert("Car", ["name": "c".value, "doors": .int(4)])
    try sample.insert("Truck", ["name": "t".value, "load": .double(2.5)])
    let cursor = try store.cursor(sample.request("Vehicle"))
    var found: [String] = []
    while try cursor.step() {
      found.append(cursor.entity.name)
      #expect(String(decoding: cursor.bytes(0), as: UTF8.self) == cursor.entity.name.prefix(1).lowercased())
      let row = cursor.pack()
      #expect(row.count == store.layout(of: cursor.entity).columns.count)
      if cursor.entity.name == "Car" { #expect(cursor.integer(1) == 4 && row.integer(1) == 4) }
      if cursor.entity.name == "Truck" { #expect(cursor.real(1) == 2.5 && row.real(1) == 2.5) }
      row.free()
    }
    #expect(found == ["Vehicle", "Car", "Truck"])
    var alone = try sample.request("Vehicle")
    alone.includesSubentities = false
    #expect(try store.keys(alone) == [1])
    #expect(try store.keys(sample.request("Truck")) == [3])
    #expect(try store.key(of: sample.entity("Car"), where: [0], equal: ["t".value]) == nil)
    #expect(try store.key(of: sample.entity("Vehicle"), where: [0], equal: ["t".value]) == 3)
  }

  @Test func dictionariesHoldWhatIsAskedFor() throws {
    var request = try request("magnitude == 4", sort: "code")
    request.resultType = .dictionaries
    request.propertiesToFetch = try [
      FetchedColumn("code", parsing: "code"), FetchedColumn("n", parsing: "reports.@count"),
      FetchedColumn("network", parsing: "network"), FetchedColumn("name", parsing: "network.name"),
      FetchedColumn("depth", parsing: "depth + 1"),
    ]
    let network = ObjectID(entity: sample.entity("Network"), key: 1)
    #expect(
      try all(store.dictionaries(request)) == [
        ["q14".value, .int(2), .null, .null, .decimal(Decimal(string: "2.4")!)],
        ["q4".value, .int(1), .object(network), "us".value, .decimal(Decimal(string: "1.4")!)],
      ])
    request.propertiesToFetch = []
    let rows = try store.dictionaries(request)
    #expect(
      rows.columns == [
        "code", "magnitude", "place", "time", "isFelt", "depth", "count", "uuid", "raw", "info", "address",
      ])
  }

  @Test func groupsAreComputedInTheStore() throws {
    var request = try request(sort: "-n", "place")
    request.resultType = .dictionaries
    request.propertiesToGroupBy = [.path(PropertyPath(["place"]))]
    request.propertiesToFetch = try [
      FetchedColumn("place", parsing: "place"), FetchedColumn("n", parsing: "count"),
      FetchedColumn("biggest", parsing: "max(magnitude)"), FetchedColumn("depth", parsing: "sum(depth)"),
      FetchedColumn("middle", parsing: "median(magnitude)"),
    ]
    #expect(
      try all(store.dictionaries(request)) == [
        ["CA".value, .int(10), .double(8), .decimal(9), .double(4)],
        ["NV".value, .int(10), .double(9), .decimal(10), .double(5)],
      ])
    #expect(try store.count(request) == 2)
    request.havingPredicate = try Predicate.parse("biggest > 8")
    #expect(try all(store.dictionaries(request)).map { $0[0] } == ["NV".value])
    #expect(try store.count(request) == 1)
  }

  @Test func anAggregateOfAToManyIsOverWhatAllObjectsOfTheGroupLeadTo() throws {
    var request = try request(sort: "place")
    request.resultType = .dictionaries
    request.propertiesToGroupBy = [.path(PropertyPath(["place"]))]
    let aggregates = [
      "count(reports)", "sum(reports.score)", "average(reports.score)", "min(reports.score)", "max(reports.score)",
    ]
    request.propertiesToFetch = try (["place"] + aggregates).map { try FetchedColumn($0, parsing: $0) }
    let groups = try all(store.dictionaries(request))
    #expect(groups.count == 2)
    for group in groups {
      guard case .string(let place) = group[0] else { throw StoreError(.corrupt("no place")) }
      var reports = FetchRequest(sample.entity("Report"))
      reports.predicate = try Predicate.parse("quake.place == %@", arguments: [.value(.string(place))])
      let expected = try store.aggregate(
        reports,
        ["count(SELF)", "sum(score)", "average(score)", "min(score)", "max(score)"].map { try Expression.parse($0) })
      #expect(Array(group.dropFirst()) == expected)
    }
    request.propertiesToFetch = try [FetchedColumn("middle", parsing: "median(reports.score)")]
    #expect {
      try store.dictionaries(request)
    } throws: {
      ($0 as? Queries.PredicateError)?.issues.first?.fact == .unsupported(.aggregateOfCollections("median"))
    }
  }

  @Test func aValueOfEachObjectIsNoColumnOfGroups() throws {
    var request = try request(sort: "place")
    request.resultType = .dictionaries
    request.propertiesToGroupBy = [.path(PropertyPath(["place"]))]
    for text in ["reports.@count", "max({magnitude, 3})", "SUBQUERY(reports, $r, $r.score > 1).@count"] {
      request.propertiesToFetch = try ["place", "count", text].map { try FetchedColumn($0, parsing: $0) }
      #expect(throws: Queries.PredicateError.self, "\(text)") { try request.validate() }
    }
    request.propertiesToGroupBy.append(try Expression.parse("reports.@count"))
    request.propertiesToFetch = try ["reports.@count", "sum(reports.@count)"].map { try FetchedColumn($0, parsing: $0) }
    try request.validate()
  }

  @Test func sumsOfDoublesDoNotDependOnTheOrderOfRows() throws {
    var options = StoreOptions(path: ":memory:")
    options.model = try Model([EntityDescription("Item", properties: [.attribute(Attribute("price", .double))])])
    options.create = true
    let store = try SQLiteStore(options)
    let item = try #require(store.model.entity(named: "Item"))
    for price in [0.1, 1e100, 0.2, -1e100, 0.3, 0.7] { try store.insert(item, [.double(price)]) }
    for order in ["price", "-price"] {
      var request = FetchRequest(item)
      request.sortDescriptors = [SortDescriptor(order)]
      #expect(
        try store.aggregate(request, ["sum(price)", "average(price)"].map { try Expression.parse($0) })
          == [.double(1.3), .double(1.3 / 6)])
    }
  }

  @Test func distinctDictionariesAreCountedOnce() throws {
    var request = try request(sort: "place")
    request.resultType = .dictionaries
    request.returnsDistinctResults = true
    request.propertiesToFetch = try [FetchedColumn("place", parsing: "place")]
    #expect(try all(store.dictionaries(request)) == [["CA".value], ["NV".value]])
    #expect(try store.count(request) == 2)
  }

  @Test func aggregatesAreOverWhatTheRequestSelects() throws {
    let expressions = try ["sum(magnitude)", "average(magnitude)", "min(code)", "max(depth)", "sum(reports.@count)"].map
    {
      try Expression.parse($0)
    }
    #expect(
      try store.aggregate(request("place == 'CA'"), expressions)
        == [.double(40), .double(4), "q0".value, .decimal(Decimal(string: "1.8")!), .int(9)])
    #expect(try store.aggregate(request("FALSEPREDICATE"), expressions) == [.int(0), .null, .null, .null, .int(0)])
    var limited = try request(sort: "-magnitude")
    limited.fetchLimit = 4
    #expect(try store.aggregate(limited, [.call(.min, .path(PropertyPath(["magnitude"])))]) == [.double(8)])
  }

  @Test func membersComeInTheirOrder() throws {
    let quake = sample.entity("Quake")
    let reports = sample.index("Quake", "reports")
    try store.setOrder(reports, in: quake, owner: 3, members: [3, 2])
    let members = try store.members(of: reports, in: quake, owners: [1, 2, 3])
    #expect(members.map(\.owner) == [2, 3, 3])
    #expect(members.map(\.member) == [1, 3, 2])
    #expect(try store.memberCount(of: reports, in: quake, owner: 3) == 2)
    #expect(try store.members(of: reports, in: quake, owners: Array(1...20)).count == 19)
    let quakes = sample.index("Network", "quakes")
    #expect(
      try store.members(of: quakes, in: sample.entity("Network"), owners: [1]).map(\.member) == [1, 5, 9, 13, 17])
  }

  @Test func pairsHaveMembersOnBothSides() throws {
    let tag = try sample.insert("Tag", ["label": "x".value])
    let other = try sample.insert("Tag", ["label": "y".value])
    let (quake, tags) = (sample.entity("Quake"), sample.index("Quake", "tags"))
    try store.link(tags, in: quake, owner: 5, member: tag, order: nil)
    try store.link(tags, in: quake, owner: 5, member: other, order: nil)
    try store.link(tags, in: quake, owner: 5, member: other, order: nil)
    try store.link(tags, in: quake, owner: 6, member: tag, order: nil)
    #expect(try store.members(of: tags, in: quake, owners: [5]).map(\.member) == [tag, other])
    try store.setOrder(tags, in: quake, owner: 5, members: [other, tag])
    #expect(try store.members(of: tags, in: quake, owners: [4, 5, 6]).map(\.member) == [other, tag, tag])
    let back = sample.index("Tag", "quakes")
    #expect(try store.members(of: back, in: sample.entity("Tag"), owners: [tag]).map(\.member) == [5, 6])
    #expect(try sample.keys("Quake", "ANY tags.label == 'x'") == [5, 6])
    #expect(try sample.keys("Quake", "tags.@count == 2") == [5])
    #expect(try sample.keys("Tag", "ANY quakes.code == 'q5'") == [tag])
    try store.unlink(tags, in: quake, owner: 5, member: tag)
    #expect(try store.memberCount(of: tags, in: quake, owner: 5) == 1)
  }

  @Test func objectsAreFoundByTheirValues() throws {
    let quake = sample.entity("Quake")
    #expect(try store.key(of: quake, where: [0], equal: ["q7".value]) == 8)
    #expect(try store.key(of: quake, where: [0], equal: ["nope".value]) == nil)
    #expect(
      try store.key(of: quake, where: [sample.index("Quake", "depth")], equal: [.decimal(Decimal(string: "0.70")!)])
        == 8)
    #expect(try store.key(of: quake, where: [0, 2], equal: ["q7".value, .null]) == nil)
    #expect(try store.key(of: quake, fromKeyValues: [.int(4)]) == 4)
    #expect(try store.key(of: quake, fromKeyValues: [.string("x")]) == nil)
    #expect(store.keyValues(of: quake, key: 4) == [.int(4)])
  }

  @Test func plansAreToldInWords() throws {
    let byIndex = try store.plans.explain(request("magnitude >= 8"))
    #expect(byIndex.indexesUsed == ["quake_magnitude_index"])
    #expect(byIndex.rowsReturned == 4)
    #expect(byIndex.tablesScanned.isEmpty)
    #expect(byIndex.displaySQL.hasSuffix("WHERE t0.magnitude >= 8"))
    #expect(byIndex.arguments == [.int(8)])
    let scan = try store.plans.explain(request("isFelt == YES", sort: "depth"))
    #expect(scan.tablesScanned == ["quake"])
    #expect(scan.sortsInMemory)
    #expect(scan.rowsScanned == 19)
    #expect(scan.plan.first?.text == "SCAN quake")
  }

  @Test func sqlRunsEveryStatementAndGivesTheLastRows() throws {
    let rows = try store.sql(
      "UPDATE quake SET place = ? WHERE _pk = 1; -- one\n SELECT code, isFelt, depth, ? AS x FROM quake WHERE _pk = ?;",
      ["XX".value, .int(7), .int(1)])
    #expect(rows.columns == ["code", "isFelt", "depth", "x"])
    #expect(try all(rows) == [["q0".value, .bool(true), .decimal(0), .int(7)]])
    #expect(try sample.keys("Quake", "place == 'XX'") == [1])
    #expect(fact { try store.sql("UPDATE quake SET place = 'YY'; SELECT nope") } != nil)
    #expect(try sample.keys("Quake", "place == 'YY'") == [])
    #expect(fact { try store.sql("SELECT ?", []) } != nil)
    #expect(fact { try store.sql("SELECT 1", [.int(1)]) } != nil)
    #expect(try all(store.sql("  -- nothing")) == [])
    #expect(
      try all(store.sql("INSERT INTO tag(label) VALUES ('a'), ('b') RETURNING label")) == [["a".value], ["b".value]])
    _ = try store.sql("BEGIN; DELETE FROM tag; ROLLBACK")
    #expect(try store.count(sample.request("Tag")) == 2)
  }
}
