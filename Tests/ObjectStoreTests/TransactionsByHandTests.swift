import Modeling
import Stores
import Testing

/// What holds between a BEGIN and a COMMIT that were written by hand, for each kind of store that takes SQL.
@Suite struct TransactionsByHandTests {
  private struct Failure: Error {}

  private static let kinds = Conformance.allCases.filter { $0 != .memory && $0.profile?.has(.savepoints) != false }

  private func open(_ conformance: Conformance) throws -> (Bookshop, (String) throws -> Void) {
    let shop = try Bookshop(conformance)
    let store = try #require(shop.store as? any OpenedStore)
    return (shop, { _ = try store.sql($0, []) })
  }

  @Test(arguments: kinds) func whateverReadsSeesWhatWasWrittenBefore(_ conformance: Conformance) throws {
    let (shop, sql) = try open(conformance)
    let first = try shop.insert("Tag", ["label": .string("one")])
    func read() throws -> [[Int64]] {
      var found: [[Int64]] = []
      // MATCHES is decided here on a server, row by row.
      for format in [nil, "label BEGINSWITH 'o'", "label MATCHES 'o.*'"] {
        let request = try shop.request("Tag", format)
        let cursor = try shop.store.cursor(request, keysOnly: false)
        var keys: [Int64] = []
        while try cursor.step() { keys.append(cursor.key) }
        cursor.close()
        found += [keys.sorted(), try shop.store.keys(request).sorted()]
        found.append([Int64](repeating: 0, count: try shop.store.count(request)))
      }
      let answers = try shop.store.answers(try shop.request("Tag"), to: [])
      var keys: [Int64] = []
      while try answers.step() { keys.append(answers.key) }
      return found + [keys]
    }
    let before = try read()
    #expect(before.first == [first] && before.last == [first])
    try sql("BEGIN")
    try sql("INSERT INTO tag (_pk, label) VALUES (1000, 'other')")
    let within = try read()
    #expect(within.enumerated().allSatisfy { $1 == ($0 % 3 == 2 && $0 < 9 ? [0, 0] : [first, 1_000]) }, "\(within)")
    try sql("ROLLBACK")
    #expect(try read() == before)
  }

  @Test(arguments: kinds) func aSaveIsAPartOfIt(_ conformance: Conformance) throws {
    let (shop, sql) = try open(conformance)
    let first = try shop.insert("Tag", ["label": .string("first")])
    for end in ["ROLLBACK", "COMMIT"] {
      let told = try shop.touched {
        try sql("BEGIN")
        try sql("INSERT INTO tag (_pk, label) VALUES (1000, 'by hand')")
        let saved = try shop.store.transaction {
          _ = try shop.update("Tag", first, "label", .string("changed"))
          return try shop.insert("Tag", ["label": .string("saved")])
        }
        #expect(throws: Failure.self) {
          try shop.store.transaction {
            try shop.insert("Tag", ["label": .string("refused")])
            _ = try shop.store.delete(shop.entity("Tag"), key: first)
            throw Failure()
          }
        }
        #expect(try shop.keys("Tag").sorted() == [first, saved, 1_000].sorted())
        #expect(try shop.value("Tag", first, "label") == .string("changed"))
        try sql(end)
      }
      let keys = try shop.keys("Tag").sorted()
      if end == "ROLLBACK" {
        #expect(keys == [first] && told.isEmpty)
        #expect(try shop.value("Tag", first, "label") == .string("first"))
      } else {
        #expect(keys.count == 3 && keys.contains(1_000))
        if conformance.recordsWrites {
          let touched = told.tables["tag"]
          #expect(touched?.inserted.sorted() == keys.filter { $0 != first } && touched?.updated == [first])
        }
      }
    }
  }

  @Test(arguments: kinds) func nothingIsToldBeforeItsEndAndAllOfItThen(_ conformance: Conformance) throws {
    let (shop, sql) = try open(conformance)
    let other = conformance.hasOthers ? try shop.another() : nil
    var commits: [[Int64]] = []
    let subscription = shop.store.onOwnCommit { commits.append($0.touched.tables["tag"]?.inserted.sorted() ?? []) }
    defer { subscription?.cancel() }
    try sql("BEGIN")
    try sql("INSERT INTO tag (_pk) VALUES (1000)")
    // Others who commit meanwhile are no reason to take it as ended.
    try other?.insert("Author", ["name": .string("other")])
    try other?.insert("Author", ["name": .string("another")])
    let foreign = try shop.store.changesByOthers()
    #expect(foreign?.tables["tag"] == nil && commits.isEmpty)
    try shop.store.transaction { _ = try shop.insert("Tag", key: 1_001) }
    try sql("INSERT INTO tag (_pk) VALUES (1002)")
    #expect(try shop.store.changesByOthers()?.tables["tag"] == nil && commits.isEmpty)
    #expect(try other?.keys("Tag").isEmpty != false)
    try sql("COMMIT")
    guard conformance.recordsWrites else { return }
    #expect(commits == [[1_000, 1_001, 1_002]])
    #expect(try shop.store.changesByOthers()?.tables["tag"] == nil)
    #expect(try other.map { try $0.store.changesByOthers()?.tables["tag"]?.inserted.sorted() == commits[0] } != false)
    try sql("/* at once */ BEGIN; INSERT INTO tag (_pk) VALUES (1003); -- and\n COMMIT")
    #expect(commits.count == 2 && commits.last == [1_003])
  }

  @Test(arguments: kinds.filter(\.recordsWrites)) func itIsUndoneAsOneSave(_ conformance: Conformance) throws {
    let (shop, sql) = try open(conformance)
    let store = try #require(shop.store as? any HistoryKeeping)
    try shop.insert("Tag", key: 1)
    try sql("BEGIN")
    try sql("INSERT INTO tag (_pk) VALUES (1000)")
    try shop.store.transaction { _ = try shop.insert("Tag", key: 1_001) }
    #expect(fact { _ = try store.reverseSave(.undo) } == .openTransaction)
    try sql("COMMIT")
    _ = try store.reverseSave(.undo)
    #expect(try shop.keys("Tag") == [1])
    _ = try store.reverseSave(.redo)
    #expect(try shop.keys("Tag") == [1, 1_000, 1_001])
  }
}
