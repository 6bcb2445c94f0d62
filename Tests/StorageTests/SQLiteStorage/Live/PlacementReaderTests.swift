import Foundation
import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct PlacementReaderTests {
  let sample: Sample
  init() throws {
    sample = try Sample()
    let networks = try ["us", "jp"].map { try sample.insert("Network", ["name": $0.value]) }
    for index in 0..<40 {
      try sample.insert(
        "Quake",
        [
          "code": "c\(index)".value, "magnitude": index % 7 == 0 ? .null : .double(Double(index % 5)),
          "place": ["Chile", "Ōsaka", "chile", "9 a", "10 a"][index % 5].value,
          "time": .date(Timestamp(Double(index) * 20_000)), "depth": .decimal(Decimal(index % 3) / 4),
          "network": index % 3 == 2 ? .null : .int(networks[index % 3]),
        ])
    }
  }

  private func keys(_ read: ((PlacementRow) throws -> Void) throws -> Void) rethrows -> [Int64] {
    var keys: [Int64] = []
    try read { keys.append($0.key) }
    return keys
  }

  private func allKeys(_ reader: PlacementReader) throws -> [Int64] {
    var keys: [Int64] = []
    try reader.readAll(restart: { keys = [] }) { keys.append($0.key) }
    return keys
  }

  private func request(_ format: String?, _ order: [String], sections: String? = nil) throws -> FetchRequest {
    var request = try sample.request("Quake", format)
    request.sortDescriptors = order.map { SortDescriptor($0) }
    request.sectionIdentifier = try sections.map { try Queries.Expression.parse($0) }
    return request
  }

  @Test(
    arguments: [
      (nil, [], nil), ("magnitude > 1", ["-time"], nil), ("network.name == 'us'", ["network.name", "-magnitude"], nil),
      (nil, ["place"], "place"), ("magnitude != nil", ["-time"], "day(time)"),
      ("ANY reports.score > 1", ["depth"], nil),
      (nil, ["-time"], "network.name"),
    ] as [(String?, [String], String?)])
  func theWholeTheHeadAndLookUpsAgreeWithAFetch(_ format: String?, _ order: [String], _ sections: String?) throws {
    var request = try request(format, order, sections: sections)
    let reader = try PlacementReader(sample.store, request)
    let all = try sample.store.keys(request.inSectionOrder)
    #expect(try allKeys(reader).sorted() == all.sorted())
    for (limit, offset) in [(5, 0), (3, 4), (100, 0), (100, 30), (0, 0)] {
      request.fetchLimit = limit
      request.fetchOffset = offset
      let head = try keys { try reader.readHead(from: .beginning, limit: limit, offset: offset, $0) }
      #expect(head == Array(all.dropFirst(offset).prefix(limit)))
    }
    for count in [0, 1, 2, 17, 40] {
      let wanted = Array(0..<Int64(count)).map { $0 * 3 % 50 }
      #expect(try keys { try reader.read(keys: wanted, $0) }.sorted() == all.filter(wanted.contains).sorted())
    }
  }

  @Test func aLimitOfTheRequestDoesNotCount() throws {
    var limited = try request("magnitude > 1", ["time"])
    limited.fetchLimit = 1
    limited.fetchOffset = 3
    let reader = try PlacementReader(sample.store, limited)
    #expect(try allKeys(reader).count == sample.store.count(request("magnitude > 1", [])))
  }

  @Test func rowsTellTheirValuesAndSections() throws {
    let reader = try PlacementReader(
      sample.store, request("code == 'c1'", ["-time", "place"], sections: "network.name"))
    #expect(reader.components.map(\.isAscending) == [true, false, true])
    #expect(reader.components.map(\.kind) == [.text, .number, .text])
    #expect(reader.sectionColumn == 0)
    var count = 0
    try reader.readAll(restart: {}) { row in
      count += 1
      #expect(row.key == 2)
      #expect((0..<3).map(row.value) == ["jp".value, .date(Timestamp(20_000)), "Ōsaka".value])
      #expect(row.section == "jp".value)
      #expect(row.double(1) == 20_000)
      #expect(row.storageClass(1) == .real)
    }
    #expect(count == 1)
  }

  @Test func aSectionThatTheOrderFollowsHasAColumnOfItsOwn() throws {
    let reader = try PlacementReader(sample.store, request(nil, ["-time"], sections: "day(time)"))
    #expect(reader.components.count == 1)
    #expect(reader.sectionColumn == 1)
    var days: Set<Value> = []
    try reader.readAll(restart: { days = [] }) { days.insert($0.section ?? .null) }
    #expect(days.count == 10)
  }

  @Test func keysOfSeveralColumnsAreComponents() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "c.sqlite",
      """
      CREATE TABLE station(net TEXT, code TEXT, name TEXT, PRIMARY KEY (net, code)) WITHOUT ROWID;
      INSERT INTO station VALUES ('us', 'b', 'A'), ('us', 'a', 'A'), ('nn', 'c', 'C'), ('zz', 'd', 'A');
      """)
    let store = try SQLiteStore(StoreOptions(path: path))
    var request = FetchRequest(store.model.entities[0])
    request.predicate = try Predicate.parse("name == 'A'")
    request.sortDescriptors = [SortDescriptor("name")]
    let reader = try PlacementReader(store, request)
    #expect(reader.components.count == 3)
    var rows: [[Value]] = []
    try reader.readHead(limit: 10) { row in rows.append((0..<3).map(row.value)) }
    #expect(rows == [["A", "us", "a"], ["A", "us", "b"], ["A", "zz", "d"]].map { $0.map(\.value) })
    let all = try store.keys(FetchRequest(request.entity))
    #expect(try keys { try reader.read(keys: all + [99], $0) }.sorted() == store.keys(request).sorted())
  }

  @Test func anIndexOfThePredicateNeverTakesThePlaceOfALookUp() throws {
    let request = try request("place == 'Chile' AND magnitude >= 0", ["-magnitude"])
    let clauses = try RequestSQL(request, sample.store.schema).placements()
    let marks = (0..<256).map { "\($0)" }.joined(separator: ", ")
    let keys = SQLCondition("\(clauses.key[0]) IN (\(raw: marks))")
    let sql = clauses.statement(where: keys, isRowID: true).sql
    let plan = try sample.store.connection.all("EXPLAIN QUERY PLAN " + sql.text, sql.arguments)
    #expect(plan.count == 1)
    #expect(plan[0].last == .string("SEARCH t0 USING INTEGER PRIMARY KEY (rowid=?)"))
  }

  @Test func theWholeIsReadInNoOrder() throws {
    let request = try request("magnitude >= 0", ["-time", "place"])
    let sql = try RequestSQL(request, sample.store.schema).placements().statement.sql
    let plan = try sample.store.connection.all("EXPLAIN QUERY PLAN " + sql.text, sql.arguments)
    #expect(plan.count == 1)
  }

  @Test func manyRowsBehindAnIndexAreScannedAndFewLookedUp() throws {
    _ = try sample.store.sql("CREATE INDEX quake_at_depth ON quake (magnitude)")
    _ = try sample.store.sql(
      """
      INSERT INTO quake (code, magnitude) WITH n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
      SELECT 'm' || i, i FROM n
      """)
    for (least, isRestarted) in [(8_990, false), (8_800, true), (200, true)] {
      let wanted = try request("magnitude >= \(least) AND code != 'm8999'", [])
      let reader = try PlacementReader(sample.store, wanted)
      var (keys, restarts): ([Int64], Int) = ([], 0)
      try reader.readAll(restart: { (keys, restarts) = ([], restarts + 1) }) { keys.append($0.key) }
      #expect(restarts == (isRestarted ? 1 : 0))
      #expect(try keys.sorted() == sample.store.keys(wanted))
    }
  }

  @Test(arguments: [["magnitude", "code"], ["-magnitude", "-code"]])
  func theOrderIsTakenUpAtANumber(order: [String]) throws {
    let reader = try PlacementReader(sample.store, request(nil, order))
    func magnitudes(_ start: PlacementStart) throws -> [Value] {
      var values: [Value] = []
      try reader.readHead(from: start, limit: 100) { values.append($0.value(0)) }
      return values
    }
    let all = try magnitudes(.beginning)
    #expect(all.count == 40)
    for number in [-1.0, 0, 1.5, 3, 9] {
      let isBefore = { (value: Value) -> Bool in
        guard case .double(let magnitude) = value else { return order[0] == "magnitude" }
        return order[0] == "magnitude" ? magnitude < number : magnitude > number
      }
      #expect(try magnitudes(.number(number)) == Array(all.drop(while: isBefore)))
    }
    #expect(try magnitudes(.null) == (order[0] == "magnitude" ? all : Array(all.drop { !$0.isNull })))
  }

  @Test func nowIsTheTimeOfEachReading() throws {
    let reader = try PlacementReader(sample.store, request("time < now()", []))
    #expect(reader.isTimeDependent)
    let before = try allKeys(reader)
    try sample.insert("Quake", ["code": "x".value, "time": .date(Timestamp(Date().timeIntervalSince1970))])
    #expect(try allKeys(reader).count == before.count + 1)
    #expect(try keys { try reader.read(keys: [41], $0) } == [41])
    #expect(try !PlacementReader(sample.store, request("magnitude > 1", [])).isTimeDependent)
  }

  @Test func aReaderMayBeAskedWhileItReads() throws {
    let reader = try PlacementReader(sample.store, request("magnitude > 1", []))
    let all = try allKeys(reader)
    var pairs: [[Int64]] = []
    try reader.read(keys: all) { row in
      let key = row.key
      pairs.append([key] + (try keys { try reader.read(keys: all.filter { $0 == key }, $0) }))
    }
    #expect(pairs.sorted { $0[0] < $1[0] } == all.sorted().map { [$0, $0] })
  }

  @Test func anErrorOfTheBodyEndsTheReading() throws {
    struct Stop: Error {}
    let reader = try PlacementReader(sample.store, request(nil, []))
    #expect(throws: Stop.self) { try reader.readAll(restart: {}) { _ in throw Stop() } }
    #expect(throws: Stop.self) { try reader.read(keys: [1, 2]) { _ in throw Stop() } }
    #expect(try allKeys(reader).count == 40)
    _ = try sample.store.sql("DROP TABLE quake_tags; DELETE FROM quake WHERE _pk > 10")
    #expect(try keys { try reader.read(keys: [1, 2, 11], $0) } == [1, 2])
  }

  @Test func aClosedStoreIsAnError() throws {
    let reader = try PlacementReader(sample.store, request(nil, []))
    _ = try keys { try reader.read(keys: [1], $0) }
    sample.store.close()
    #expect(fact { try reader.read(keys: [1]) { _ in } } == .closed)
    #expect(fact { try reader.readAll(restart: {}) { _ in } } == .closed)
  }
}
