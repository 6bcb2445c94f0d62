import Foundation
import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

@Suite(.seeded) struct WritingTests {
  let sample: Sample
  var store: SQLiteStore { sample.store }
  init() throws { sample = try Sample() }

  private struct Stop: Error {}

  private func count(_ name: String) throws -> Int { try store.count(sample.request(name)) }

  @Test func aTransactionIsAllOrNothing() throws {
    #expect(throws: Stop.self) {
      try store.transaction {
        try sample.insert("Tag", ["label": "a".value])
        throw Stop()
      }
    }
    #expect(try count("Tag") == 0)
    try store.transaction {
      try sample.insert("Tag", ["label": "a".value])
      _ = try? store.transaction {
        try sample.insert("Tag", ["label": "b".value])
        throw Stop()
      }
      try store.transaction { try sample.insert("Tag", ["label": "c".value]) }
    }
    #expect(try count("Tag") == 2)
    #expect(try sample.keys("Tag", "label == 'b'") == [])
  }

  @Test func aDryRunChangesNothing() throws {
    store.isDryRun = true
    try store.transaction {
      try sample.insert("Tag", ["label": "a".value])
      #expect(try count("Tag") == 1)
    }
    #expect(try count("Tag") == 0)
    try sample.insert("Tag", ["label": "a".value])
    _ = try store.sql("INSERT INTO tag(label) VALUES ('x')")
    #expect(try count("Tag") == 0)
  }

  @Test func anInterruptionUndoesTheTransaction() throws {
    var isInterrupted = false
    store.isInterrupted = { isInterrupted }
    let failure = fact {
      try store.transaction {
        try sample.insert("Tag", ["label": "a".value])
        isInterrupted = true
        // Caught by the script; what it does next is refused.
        _ = try? store.connection.run(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000) INSERT INTO tag(label) SELECT i FROM n"
        )
        isInterrupted = false
        try sample.insert("Tag", ["label": "b".value])
      }
    }
    #expect(failure == .interrupted)
    #expect(try count("Tag") == 0)
  }

  @Test func everyTypeComesBack() throws {
    let values: [String: Value] = [
      "code": "c".value, "magnitude": .double(5), "time": .date(Timestamp(1.5)), "isFelt": .bool(true),
      "depth": .decimal(Decimal(string: "12345678901234567890.123456789")!), "count": .int(.min),
      "uuid": .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!), "raw": .data([0, 255]),
      "info": .json(.object(["a": .array([.int(1), .null])])), "address": .json(.object(["city": .string("Rome")])),
    ]
    try sample.insert("Quake", values)
    var request = try sample.request("Quake")
    request.resultType = .dictionaries
    let rows = try store.dictionaries(request)
    #expect(try rows.step())
    for (index, name) in rows.columns.enumerated() { #expect(rows.value(index) == values[name] ?? .null) }
  }

  @Test func updatesAndDeletesTellWhetherTheRowWasThere() throws {
    let (tag, key) = (sample.entity("Tag"), try sample.insert("Tag", ["label": "a".value]))
    #expect(try store.update(tag, key: key, [(0, "b".value)]))
    #expect(try !store.update(tag, key: 99, [(0, "b".value)]))
    #expect(try sample.keys("Tag", "label == 'b'") == [key])
    #expect(try store.delete(tag, key: key))
    #expect(try !store.delete(tag, key: key))
  }

  @Test func uniquenessViolationsNameTheValues() throws {
    try sample.insert("Quake", ["code": "a".value])
    let violation = StoreError.Fact.notUnique(entity: "Quake", properties: ["code"], values: ["a".value])
    #expect(fact { try sample.insert("Quake", ["code": "a".value]) } == violation)
    let other = try sample.insert("Quake", ["code": "b".value])
    #expect(fact { try store.update(sample.entity("Quake"), key: other, [(0, "a".value)]) } == violation)
    #expect(
      fact { try store.batchUpdate(sample.request("Quake"), [(0, "z".value)]) }
        == .notUnique(entity: "Quake", properties: ["code"], values: ["z".value]))
  }

  @Test func bulkInsertsBuildTheirIndexesAfterwards() throws {
    let quake = sample.entity("Quake")
    let cache = try ["PRAGMA cache_size", "PRAGMA cache_spill"].map { try store.connection.first($0) }
    try store.bulkInsert(into: quake, expecting: 5000) {
      #expect(
        try store.connection.first("SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'quake'")
          == .int(0))
      for index in 0..<3000 { try sample.insert("Quake", ["code": "q\(index)".value]) }
    }
    #expect(try store.plans.explain(sample.request("Quake", "code == 'q7'")).indexesUsed == ["quake_code_unique"])
    let failure = fact {
      try store.bulkInsert(into: quake, expecting: 5000) {
        for index in 2990..<5000 { try sample.insert("Quake", ["code": "q\(index)".value]) }
      }
    }
    guard case .notUnique("Quake", ["code"], let values)? = failure else {
      Issue.record("no violation: \(String(describing: failure))")
      return
    }
    #expect(values.count == 1)
    #expect(try count("Quake") == 3000)
    #expect(try store.plans.explain(sample.request("Quake", "code == 'q7'")).indexesUsed == ["quake_code_unique"])
    #expect(try store.connection.first("PRAGMA integrity_check") == "ok".value)
    #expect(try ["PRAGMA cache_size", "PRAGMA cache_spill"].map { try store.connection.first($0) } == cache)
  }

  @Test func bulkInsertsKeepIndexesWhileSomethingIsRead() throws {
    for index in 0..<3 { try sample.insert("Quake", ["code": "a\(index)".value]) }
    let cursor = try store.cursor(sample.request("Quake"))
    #expect(try cursor.step())
    try store.bulkInsert(into: sample.entity("Quake"), expecting: 5000) {
      for index in 0..<10 { try sample.insert("Quake", ["code": "q\(index)".value]) }
    }
    #expect(try count("Quake") == 13)
  }

  @Test func batchUpdatesWriteAtOnce() throws {
    let us = try sample.insert("Network", ["name": "us".value])
    for index in 0..<10 {
      try sample.insert("Quake", ["code": "q\(index)".value, "magnitude": .double(Double(index))])
    }
    let (place, network) = (sample.index("Quake", "place"), sample.index("Quake", "network"))
    #expect(
      try store.batchUpdate(
        sample.request("Quake", "magnitude > 6"),
        [(place, "x".value), (network, .object(ObjectID(entity: sample.entity("Network"), key: us)))]) == 3)
    #expect(try sample.keys("Quake", "place == 'x' AND network.name == 'us'") == [8, 9, 10])
    var limited = try sample.request("Quake")
    limited.sortDescriptors = [SortDescriptor("-magnitude")]
    limited.fetchLimit = 2
    #expect(try store.batchUpdate(limited, [(place, "y".value)]) == 2)
    #expect(try sample.keys("Quake", "place == 'y'") == [9, 10])
    #expect(try store.batchUpdate(sample.request("Quake", "network.name == 'us'"), [(network, .null)]) == 3)
    #expect(try sample.keys("Quake", "network != nil") == [])
  }

  @Test func batchDeletesKeepTheRules() throws {
    let us = try sample.insert("Network", ["name": "us".value])
    let tag = try sample.insert("Tag", ["label": "t".value])
    for index in 0..<4 {
      let quake = try sample.insert("Quake", ["code": "q\(index)".value, "network": index == 0 ? .int(us) : .null])
      try sample.insert("Report", ["quake": .int(quake)])
      try store.link(sample.index("Quake", "tags"), in: sample.entity("Quake"), owner: quake, member: tag, order: nil)
    }
    #expect(
      fact { try store.batchDelete(sample.request("Network")) }
        == .deleteDenied(entity: "Network", relationship: "quakes", count: 1))
    #expect(try store.batchDelete(sample.request("Quake", "code IN {'q0', 'q1'}")) == 2)
    #expect(try count("Report") == 2)
    #expect(try store.memberCount(of: sample.index("Tag", "quakes"), in: sample.entity("Tag"), owner: tag) == 2)
    #expect(try store.batchDelete(sample.request("Network")) == 1)
    #expect(try store.batchDelete(sample.request("Tag")) == 1)
    #expect(try store.batchDelete(sample.request("Quake")) == 2)
    #expect(try count("Report") == 0)
    for table in try store.connection.all(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%perilune%'")
    {
      guard case .string(let name) = table[0] else { continue }
      #expect(try store.connection.first("SELECT count(*) FROM \(quotedName(name))") == .int(0), "\(name)")
    }
  }

  @Test func aBackupIsACopy() throws {
    let folder = try TemporaryFolder()
    try sample.insert("Tag", ["label": "a".value])
    try store.backup(to: folder.file("copy.sqlite"))
    let copy = try SQLiteStore(StoreOptions(path: folder.file("copy.sqlite")))
    #expect(try copy.count(FetchRequest(copy.model.entity(named: "Tag")!)) == 1)
    #expect(fact { try store.backup(to: folder.file("copy.sqlite")) } == .cannotCreate("there is a file already"))
    #expect(fact { try store.backup(to: folder.file("no/such/folder.sqlite")) } != nil)
  }
}

@Suite(.seeded) struct OrderKeysTests {
  @Test func onlyWhatMovedIsNumberedAnew() {
    #expect(OrderKeys.changes([2048, 4096, 3072]).map(\.index) == [1])
    #expect(OrderKeys.changes([2048, 4096, 3072]).map(\.place) == [2560])
    #expect(OrderKeys.changes([2048, 3072, 4096]).isEmpty)
    #expect(OrderKeys.changes([nil, nil]).map(\.place) == [2048, 3072])
    #expect(OrderKeys.changes([2048, nil]).map(\.place) == [3072])
    #expect(OrderKeys.changes([nil, 2048]).map(\.place) == [1024])
    #expect(OrderKeys.changes([]).isEmpty)
  }

  @Test func theResultAlwaysAscends() {
    var random = SplitMix(seed: 3)
    for _ in 0..<500 {
      var places: [Int64?] = (0..<random.below(12)).map { _ in random.below(5) == 0 ? nil : Int64(random.below(20)) }
      for change in OrderKeys.changes(places) { places[change.index] = change.place }
      let known = places.compactMap { $0 }
      #expect(known.count == places.count)
      #expect(zip(known, known.dropFirst()).allSatisfy { $0 < $1 })
    }
  }
}
