import Foundation
import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct HistoryTests {
  let sample: HistorySample
  var store: SQLiteStore { sample.store }
  init() throws { sample = try HistorySample() }

  // MARK: What is recorded

  @Test func aTransactionTellsWhoAndWhat() throws {
    let before = Date().timeIntervalSince1970
    let quake = sample.entity("Quake")
    let layout = store.layout(of: quake)
    var row = [Value](repeating: .null, count: layout.columns.count)
    row[0] = .string("us1")
    try store.attributing(TransactionInfo(author: "import", contextName: "main")) {
      try store.transaction {
        let key = try store.insert(quake, row)
        _ = try store.update(quake, key: key, [(1, .double(5))])
      }
    }
    let transactions = try store.history()
    let first = try #require(transactions.first)
    #expect(transactions.count == 1)
    #expect((first.author, first.contextName) == ("import", "main"))
    #expect(first.processID == getpid())
    #expect(abs(first.date.seconds - before) < 600)
    #expect(first.changes.map(\.line) == ["insert Quake/1"])
    #expect(first.changes[0].objectID == ObjectID(entity: quake, key: 1))
    #expect(try store.currentHistoryToken == first.token)
    #expect(store.transactionInfo == TransactionInfo())
  }

  @Test func updatesNameWhatDiffersAndNothingElse() throws {
    try sample.sql("INSERT INTO quake (code, magnitude, place) VALUES ('us1', 5, 'here')")
    let token = try store.currentHistoryToken
    try sample.sql("UPDATE quake SET magnitude = 5, place = 'there'")
    try sample.sql("UPDATE quake SET magnitude = 5.0, place = 'there'")
    try sample.sql("UPDATE quake SET magnitude = NULL, code = 'us2', info = '{}'")
    #expect(
      try sample.told { $0.since = token } == ["update Quake/1: place", "update Quake/1: code, magnitude, info"])
  }

  @Test func whatIsUndoneIsNotRecorded() throws {
    struct Stop: Error {}
    let token = try store.currentHistoryToken
    #expect(throws: Stop.self) {
      try store.transaction {
        try sample.sql("INSERT INTO tag (label) VALUES ('a')")
        throw Stop()
      }
    }
    #expect(throws: StoreError.self) { try sample.sql("INSERT INTO quake (code) VALUES ('a'), ('b'), ('a')") }
    try store.transaction {
      try sample.sql("INSERT INTO tag (label) VALUES ('b')")
      try? store.transaction {
        try sample.sql("INSERT INTO tag (label) VALUES ('c')")
        throw Stop()
      }
    }
    #expect(try sample.told { $0.since = token } == ["insert Tag/1"])
    #expect(try store.connection.first("SELECT count(*) FROM _perilune_transaction") == .int(1))
  }

  @Test func aTransactionThatChangesNothingLeavesNothing() throws {
    try store.transaction { try sample.sql("UPDATE quake SET magnitude = 1") }
    try store.transaction {
      try sample.sql("INSERT INTO tag (label) VALUES ('a')")
      try sample.sql("DELETE FROM tag")
    }
    #expect(try store.history().isEmpty)
  }

  @Test func cascadesAndNullifiedReferencesAreChangesToo() throws {
    try sample.sql(
      """
      INSERT INTO network (name) VALUES ('n');
      INSERT INTO quake (code, time) VALUES ('us1', 0), ('us2', NULL);
      INSERT INTO report (text, quake_pk) VALUES ('a', 1), ('b', 1), ('c', 2);
      INSERT INTO tag (label) VALUES ('t');
      INSERT INTO quake_tags (quake_pk, tag_pk) VALUES (1, 1)
      """)
    let token = try store.currentHistoryToken
    try sample.sql("DELETE FROM quake WHERE code = 'us1'")
    let told = try sample.told { $0.since = token }
    #expect(told.count == 1)
    #expect(
      told[0].split(separator: "; ").sorted() == [
        "delete Quake/1 { code = \"us1\", time = Date \"1970-01-01T00:00:00Z\" }", "delete Report/1", "delete Report/2",
        "update Tag/1: quakes",
      ])
  }

  @Test func deletedObjectsLeaveTheValuesThatTheModelPreserves() throws {
    try sample.sql("INSERT INTO quake (code, magnitude, depth, raw) VALUES ('it''s', 5, '1.50', x'00ff')")
    try sample.sql("DELETE FROM quake")
    let change = try #require(try store.history().last?.changes.first)
    #expect(change.kind == .delete)
    #expect(
      change.tombstone == [
        "code": .string("it's"), "depth": .decimal(Decimal(string: "1.50")!), "raw": .data([0, 255]),
      ])
  }

  @Test func eachObjectOfAHierarchyIsOfItsOwnEntity() throws {
    try sample.sql(
      "INSERT INTO vehicle (_entity, name, doors) VALUES ('Car', 'a', 3), ('Truck', 'b', NULL), ('Vehicle', 'c', NULL)")
    try sample.sql("UPDATE vehicle SET name = 'x', doors = doors + 1")
    try sample.sql("UPDATE vehicle SET _entity = 'Truck', doors = NULL WHERE _pk = 1")
    #expect(
      try sample.told() == [
        "insert Car/1; insert Truck/2; insert Vehicle/3",
        "update Car/1: name, doors; update Truck/2: name; update Vehicle/3: name", "delete Car/1; insert Truck/1",
      ])
    #expect(try sample.told { $0.entity = sample.entity("Truck") }.count == 3)
    #expect(try sample.told { $0.entity = sample.entity("Car") }.last == "delete Car/1")
    #expect(try sample.told { $0.entity = sample.entity("Vehicle") } == sample.told())
  }

  @Test func pairsAndPlacesChangeTheObjectsAtTheirEnds() throws {
    try sample.sql(
      """
      INSERT INTO quake (code) VALUES ('a'), ('b'); INSERT INTO tag (label) VALUES ('x'), ('y');
      INSERT INTO report (text, quake_pk, quake_order) VALUES ('r', 1, 1), ('s', 1, 2), ('t', NULL, 3)
      """)
    let token = try store.currentHistoryToken
    try sample.sql("INSERT INTO quake_tags (quake_pk, tag_pk, tags_order) VALUES (1, 1, 1)")
    try sample.sql("UPDATE quake_tags SET tags_order = 7")
    try sample.sql("UPDATE quake_tags SET tags_order = 7, quake_pk = 1")
    try sample.sql("UPDATE quake_tags SET quake_pk = 2")
    try sample.sql("DELETE FROM quake_tags")
    try sample.sql("UPDATE report SET quake_order = 4 - quake_order")
    try sample.sql("UPDATE report SET quake_pk = 2, quake_order = 9 WHERE text = 'r'")
    #expect(
      try sample.told { $0.since = token } == [
        "update Quake/1: tags; update Tag/1: quakes", "update Quake/1: tags",
        "update Quake/1: tags; update Tag/1: quakes; update Quake/2: tags",
        "update Quake/2: tags; update Tag/1: quakes", "update Quake/1: reports", "update Report/1: quake",
      ])
  }

  @Test func anotherKeyIsAnotherObject() throws {
    try sample.sql("INSERT INTO tag (label) VALUES ('a')")
    let token = try store.currentHistoryToken
    try sample.sql("UPDATE tag SET _pk = 5, label = 'b'")
    let told = try #require(try sample.told { $0.since = token }.first)
    #expect(told.split(separator: "; ").sorted() == ["delete Tag/1", "insert Tag/5"])
  }

  @Test func derivedAttributesAreNoChangesOfTheirOwn() throws {
    var shout = Attribute("shout", .string)
    shout.derivation = "uppercase:(name)"
    var count = Attribute("count", .integer64)
    count.derivation = "children.@count"
    var touched = Attribute("touched", .date)
    touched.derivation = "now()"
    let derived = try HistorySample([
      EntityDescription(
        "Parent",
        properties: [
          .attribute(Attribute("name", .string)), .attribute(shout), .attribute(count), .attribute(touched),
          .relationship(Relationship(toMany: "children", "Child", inverse: "parent")),
        ]),
      EntityDescription(
        "Child", properties: [.relationship(Relationship(toOne: "parent", "Parent", inverse: "children"))]),
    ])
    try derived.sql("INSERT INTO parent (name) VALUES ('a')")
    try derived.sql("INSERT INTO child (parent_pk) VALUES (1)")
    try derived.sql("UPDATE parent SET name = 'b'")
    #expect(try derived.told() == ["insert Parent/1", "insert Child/1", "update Parent/1: name"])
    #expect(try derived.store.connection.first("SELECT count FROM parent") == .int(1))
  }

  @Test func anEntityMayHaveMorePropertiesThanAnIntegerHasBits() throws {
    let names = (0..<150).map { "a\($0)" }
    let wide = try HistorySample([
      EntityDescription("Wide", properties: names.map { .attribute(Attribute($0, .integer64)) })
    ])
    try wide.sql("INSERT INTO wide DEFAULT VALUES")
    try wide.sql("UPDATE wide SET a0 = 1, a61 = 1, a62 = 1, a149 = 1")
    #expect(try wide.told() == ["insert Wide/1", "update Wide/1: a0, a61, a62, a149"])
    let widest = (0..<1200).map { Property.attribute(Attribute("b\($0)", .integer64)) }
    let large = try HistorySample([EntityDescription("Wide", properties: widest)])
    try large.sql("INSERT INTO wide DEFAULT VALUES; UPDATE wide SET b1199 = 0")
    #expect(try large.told() == ["insert Wide/1"])
  }

  // MARK: Reading

  @Test func aTokenGoesOnWhereSomebodyStopped() throws {
    for label in ["a", "b", "c"] { try sample.sql("INSERT INTO tag (label) VALUES ('\(label)')") }
    let tokens = try store.history().map(\.token)
    #expect(tokens.sorted() == tokens)
    let kept = tokens[1].description
    try sample.reopen()
    let token = try #require(HistoryToken(kept))
    #expect(try sample.told { $0.since = token } == ["insert Tag/3"])
    #expect(try sample.told { $0.since = tokens[2] } == [])
    #expect(try sample.told { $0.before = tokens[1] } == ["insert Tag/1"])
    #expect(try sample.told { $0.fetchLimit = 2 } == ["insert Tag/1", "insert Tag/2"])
    #expect(try sample.told { $0.fetchLimit = 0 } == [])
  }

  @Test func authorsContextsEntitiesAndTimesAreFound() throws {
    try store.attributing(TransactionInfo(author: "ann", contextName: "one")) {
      try sample.sql("INSERT INTO tag (label) VALUES ('a')")
    }
    try store.attributing(TransactionInfo(author: "bob", contextName: "one")) {
      try sample.sql("INSERT INTO network (name) VALUES ('a'); INSERT INTO tag (label) VALUES ('b')")
    }
    #expect(try sample.told { $0.author = "ann" } == ["insert Tag/1"])
    #expect(try sample.told { $0.contextName = "one" }.count == 2)
    #expect(try sample.told { $0.contextName = "two" }.isEmpty)
    #expect(try sample.told { $0.entity = sample.entity("Network") } == ["insert Network/1"])
    #expect(
      try sample.told {
        $0.author = "bob"
        $0.entity = sample.entity("Tag")
      } == ["insert Tag/2"])
    let date = try #require(try store.history().first).date
    #expect(try sample.told { $0.beforeDate = date } == [])
    #expect(try sample.told { $0.beforeDate = Timestamp(date.seconds + 3600) }.count == 2)
  }

  @Test func changesCanBeAskedForLater() throws {
    try sample.sql("INSERT INTO tag (label) VALUES ('a'), ('b')")
    var request = HistoryRequest()
    request.includesChanges = false
    let transaction = try #require(try store.history(request).first)
    #expect(transaction.changes.isEmpty)
    #expect(try store.historyChanges(of: transaction).map(\.line) == ["insert Tag/1", "insert Tag/2"])
  }

  @Test func readOnlyStoresTellTheirHistory() throws {
    try sample.sql("INSERT INTO tag (label) VALUES ('a')")
    try sample.reopen { $0.readOnly = true }
    #expect(try sample.told() == ["insert Tag/1"])
    #expect(throws: StoreError(.readOnly, path: sample.path)) { try store.setHistoryEnabled(false) }
    #expect(throws: StoreError(.readOnly, path: sample.path)) { try store.deleteHistory() }
  }

  // MARK: Deleting

  @Test func deletedHistoryIsMissedByOldTokensOnly() throws {
    for label in ["a", "b", "c"] { try sample.sql("INSERT INTO tag (label) VALUES ('\(label)')") }
    let tokens = try store.history().map(\.token)
    #expect(try store.deleteHistory(before: tokens[0]) == 0)
    #expect(try store.deleteHistory(before: tokens[1]) == 1)
    #expect(try sample.told() == ["insert Tag/2", "insert Tag/3"])
    #expect(try sample.told { $0.since = tokens[0] }.count == 2)
    let beginning = HistoryToken(number: 0)
    #expect(throws: StoreError(.historyExpired(token: beginning, oldest: tokens[0]), path: sample.path)) {
      try sample.told { $0.since = beginning }
    }
    #expect(try store.deleteHistory(before: Timestamp(0)) == 0)
    #expect(try store.deleteHistory(before: Timestamp(4e9)) == 2)
    #expect(try store.history().isEmpty)
    #expect(try store.currentHistoryToken == tokens[2])
    try sample.sql("INSERT INTO tag (label) VALUES ('d')")
    #expect(try sample.told { $0.since = tokens[2] } == ["insert Tag/4"])
    let future = HistoryToken(number: tokens[2].number + 100)
    let unknown = StoreError(.unknownHistoryToken(future, newest: try store.currentHistoryToken), path: sample.path)
    #expect(throws: unknown) { try sample.told { $0.since = future } }
    #expect(throws: unknown) { try store.deleteHistory(before: future) }
    #expect(try store.deleteHistory() == 1)
    for table in ["_perilune_transaction", "_perilune_tombstone"] {
      #expect(try store.connection.first("SELECT count(*) FROM \(table)") == .int(0))
    }
  }

  @Test func wholeTransactionsAreDeleted() throws {
    try sample.sql("INSERT INTO tag (label) VALUES ('a'), ('b')")
    try sample.sql("INSERT INTO tag (label) VALUES ('c'), ('d')")
    let tokens = try store.history().map(\.token)
    #expect(try store.deleteHistory(before: tokens[1]) == 2)
    #expect(try sample.told() == ["insert Tag/3; insert Tag/4"])
  }

  // MARK: On and off

  @Test func aStoreWithoutHistorySaysSo() throws {
    let plain = try HistorySample(history: nil)
    #expect(try !plain.store.isHistoryEnabled)
    #expect(throws: StoreError(.noHistory, path: plain.path)) { try plain.store.history() }
    #expect(throws: StoreError(.noHistory, path: plain.path)) { try plain.store.currentHistoryToken }
    try plain.store.setHistoryEnabled(false)
    try plain.sql("INSERT INTO tag (label) VALUES ('a')")
    try plain.store.setHistoryEnabled(true)
    try plain.sql("INSERT INTO tag (label) VALUES ('b')")
    #expect(try plain.told() == ["insert Tag/2"])
  }

  @Test func whatHappenedWhileItWasOffIsMissedByOldTokens() throws {
    try sample.sql("INSERT INTO tag (label) VALUES ('a')")
    let token = try store.currentHistoryToken
    try sample.reopen { $0.history = false }
    #expect(try !store.isHistoryEnabled)
    try sample.sql("INSERT INTO tag (label) VALUES ('b')")
    #expect(try sample.told { $0.since = token } == [])
    try sample.reopen()
    #expect(try !store.isHistoryEnabled)
    try sample.reopen { $0.history = true }
    try sample.sql("INSERT INTO tag (label) VALUES ('c')")
    #expect(try sample.told() == ["insert Tag/1", "insert Tag/3"])
    #expect(
      caseName(#expect(throws: StoreError.self) { try sample.told { $0.since = token } }?.fact) == "historyExpired")
  }

  @Test func filesOfOtherProgramsKeepNoHistory() throws {
    let path = try sample.folder.database("other.db", "CREATE TABLE t (x);")
    var options = StoreOptions(path: path)
    let other = try SQLiteStore(options)
    #expect(throws: StoreError(.historyUnsupported(.sqlite), path: path)) { try other.setHistoryEnabled(true) }
    #expect(throws: StoreError(.historyUnsupported(.sqlite), path: path)) { try other.history() }
    options.history = true
    #expect(throws: StoreError(.historyUnsupported(.sqlite), path: path)) { try SQLiteStore(options) }
  }
}
