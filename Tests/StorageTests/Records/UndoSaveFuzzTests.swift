import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// Random transactions, undone and redone: the rows must be what they were, byte for byte.
@Suite(.seeded) struct UndoSaveFuzzTests {
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func transactionsOfOwnStoresAreUndoneAndRedone(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var options = StoreOptions(path: folder.file("own.sqlite"))
    options.create = true
    options.model = try Self.model()
    try run(options, seed, Self.ownStatement)
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func transactionsOfOtherFilesAreUndoneAndRedone(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let path = try folder.database("other.sqlite", Self.otherSchema)
    try run(StoreOptions(path: path), seed, Self.otherStatement)
  }

  private func run(
    _ options: StoreOptions, _ seed: UInt64, _ statement: (inout SplitMix) -> String
  ) throws {
    var random = SplitMix(seed: seed)
    var store = try SQLiteStore(options)
    try store.connection.execute("PRAGMA synchronous = OFF")
    var states = [try snapshot(store)]
    var place = 0
    for _ in 0..<50 {
      let before = states[place]
      var script: [String] = []
      try? store.transaction {
        for _ in 0..<Int.random(in: 1...5, using: &random) { try step(store, &random, &script, statement) }
      }
      #expect(!store.connection.isInTransaction)
      let after = try snapshot(store)
      if after != before {
        states.removeSubrange((place + 1)...)
        states.append(after)
        place += 1
      }
      while Int.random(in: 0..<3, using: &random) == 0, place > max(0, states.count - 15) {
        _ = try store.reverseSave(.undo)
        place -= 1
        try #require(try snapshot(store) == states[place], "undo of \(script)")
      }
      while Int.random(in: 0..<2, using: &random) == 0, place < states.count - 1 {
        _ = try store.reverseSave(.redo)
        place += 1
        try #require(try snapshot(store) == states[place], "redo of \(script)")
      }
      if store.kind == .perilune, Int.random(in: 0..<10, using: &random) == 0 {
        store.close()
        var again = options
        again.model = nil
        store = try SQLiteStore(again)
      }
    }
    #expect(states.count > 5)
  }

  private func step(
    _ store: SQLiteStore, _ random: inout SplitMix, _ script: inout [String],
    _ statement: (inout SplitMix) -> String
  ) throws {
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      // Reverted by ROLLBACK TO.
      struct Back: Error {}
      var inner = random
      try? store.transaction {
        for _ in 0..<3 { try? step(store, &inner, &script, statement) }
        throw Back()
      }
      random = inner
    case 1:
      var inner = random
      try? store.transaction { for _ in 0..<2 { try? step(store, &inner, &script, statement) } }
      random = inner
    default:
      let sql = statement(&random)
      script.append(sql)
      // Some fail half-way.
      _ = try? store.sql(sql)
    }
  }

  // MARK: Stores of our own

  private static func model() throws -> Model {
    func attribute(_ name: String, _ type: AttributeType, derived: String? = nil, isUnique: Bool = false) -> Property {
      var attribute = Attribute(name, type)
      attribute.derivation = derived
      attribute.isUnique = isUnique
      return .attribute(attribute)
    }
    var reports = Relationship(toMany: "reports", "Report", inverse: "quake")
    reports.isOrdered = true
    reports.deleteRule = .cascade
    let quake = EntityDescription(
      "Quake",
      properties: [
        attribute("code", .string, isUnique: true), attribute("shout", .string, derived: "uppercase:(code)"),
        attribute("magnitude", .double), attribute("big", .integer64), attribute("raw", .data),
        attribute("total", .integer64, derived: "reports.@count"),
        .relationship(reports), .relationship(Relationship(toMany: "tags", "Tag", inverse: "quakes")),
      ])
    let report = EntityDescription(
      "Report",
      properties: [
        attribute("text", .string), attribute("place", .string, derived: "quake.code"),
        .relationship(Relationship(toOne: "quake", "Quake", inverse: "reports")),
      ])
    var quakes = Relationship(toMany: "quakes", "Quake", inverse: "tags")
    quakes.isOrdered = true
    let tag = EntityDescription("Tag", properties: [attribute("label", .string), .relationship(quakes)])
    let car = EntityDescription("Car", parent: "Tag", properties: [attribute("doors", .integer16)])
    return try Model([quake, report, tag, car])
  }

  private static func ownStatement(_ random: inout SplitMix) -> String {
    func id() -> Int { Int.random(in: 1...6, using: &random) }
    func code() -> String { "'c\(Int.random(in: 1...5, using: &random))'" }
    func number() -> String {
      ["5", "5.5", "NULL", "-0.0", "9007199254740993", "1e300", "0"].randomElement(using: &random) ?? "0"
    }
    let statements = [
      "INSERT INTO quake(code, magnitude, big, raw) VALUES (\(code()), \(number()), 9007199254740993, x'00ff')",
      "INSERT INTO quake(_pk, code, big) VALUES (\(id()), \(code()), \(id()))",
      "INSERT OR REPLACE INTO quake(_pk, code, magnitude) VALUES (\(id()), \(code()), \(number()))",
      "INSERT OR IGNORE INTO quake(_pk, code) VALUES (\(id()), \(code())), (\(id()), \(code()))",
      "INSERT INTO quake(code) VALUES ('x\(id())'), (\(code())), (\(code()))",
      "INSERT INTO quake(code, big) VALUES (\(code()), 1) ON CONFLICT(code) DO UPDATE SET big = big + 1",
      "UPDATE quake SET magnitude = \(number()) WHERE _pk = \(id())",
      "UPDATE quake SET code = \(code()) WHERE _pk = \(id())",
      "UPDATE quake SET code = NULL WHERE _pk = \(id())",
      "UPDATE quake SET code = 't' || code; UPDATE quake SET code = 'c' || (6 - substr(code, 3))",
      "UPDATE OR REPLACE quake SET code = \(code()) WHERE _pk = \(id())",
      "UPDATE quake SET big = \(number()), raw = CAST(x'ff41' AS TEXT)",
      "DELETE FROM quake WHERE _pk = \(id())",
      "DELETE FROM report", "DELETE FROM quake_tags",
      "INSERT INTO report(text, quake_pk, quake_order) VALUES ('r', (SELECT max(_pk) FROM quake), \(id()))",
      "INSERT INTO report(text, quake_pk) SELECT text || '+', quake_pk FROM report LIMIT 5",
      "UPDATE report SET quake_pk = (SELECT min(_pk) FROM quake) WHERE _pk % 2 = 0",
      "UPDATE report SET quake_order = \(id()) WHERE _pk > \(id())",
      "UPDATE report SET _pk = _pk + 10 WHERE _pk = \(id())",
      "DELETE FROM report WHERE _pk % 3 = 0",
      "INSERT INTO tag(_entity, label) VALUES ('Tag', 'l'), ('Car', NULL)",
      "UPDATE tag SET doors = 4, _entity = 'Car' WHERE _pk = \(id())",
      "DELETE FROM tag WHERE _pk = \(id())",
      "INSERT OR IGNORE INTO quake_tags(quake_pk, tag_pk, quakes_order) SELECT q._pk, t._pk, \(id()) FROM quake q, tag t WHERE q._pk + t._pk <> \(id())",
      "UPDATE quake_tags SET quakes_order = \(id()) WHERE tag_pk = \(id())",
      "DELETE FROM quake_tags WHERE tag_pk = \(id())",
    ]
    return statements.randomElement(using: &random) ?? ""
  }

  // MARK: Other files

  private static let otherSchema = """
    PRAGMA foreign_keys = OFF;
    CREATE TABLE plain(id INTEGER PRIMARY KEY, a TEXT, r REAL, n);
    CREATE TABLE nokey(a, b REAL, c TEXT UNIQUE);
    CREATE TABLE kv(k TEXT COLLATE NOCASE, r REAL, v BLOB, PRIMARY KEY (k, r)) WITHOUT ROWID;
    CREATE TABLE gen(v AS (a + 1) VIRTUAL, id INTEGER PRIMARY KEY, a INTEGER, r REAL, big, s AS (a * 2) STORED, t TEXT);
    CREATE TABLE genkv(v AS (x || '!') VIRTUAL, x TEXT, k REAL, y REAL, PRIMARY KEY (k)) WITHOUT ROWID;
    CREATE TABLE old(id INTEGER PRIMARY KEY, a);
    INSERT INTO old(a) VALUES (1), (2), (3), (4);
    ALTER TABLE old ADD COLUMN d DEFAULT 'dd';
    ALTER TABLE old ADD COLUMN e REAL DEFAULT 5;
    ALTER TABLE old ADD COLUMN f INTEGER NOT NULL DEFAULT 7;
    CREATE TABLE child(id INTEGER PRIMARY KEY, plain_id REFERENCES plain(id) ON DELETE CASCADE);
    CREATE TABLE autos(id INTEGER PRIMARY KEY AUTOINCREMENT, x);
    CREATE TABLE log(what, at);
    CREATE TRIGGER logged AFTER UPDATE ON plain BEGIN INSERT INTO log VALUES (old.a, old.id); END;
    CREATE TRIGGER pruned AFTER DELETE ON plain BEGIN DELETE FROM log WHERE at = old.id; END;
    """

  private static func otherStatement(_ random: inout SplitMix) -> String {
    func id() -> Int { Int.random(in: 1...6, using: &random) }
    func value() -> String {
      [
        "NULL", "0", "1", "5", "5.0", "-0.0", "1.5", "9007199254740993", "''", "'a'", "'A'", "'5'", "x'00ff'",
        "char(65, 0, 66)", "CAST(x'ff41' AS TEXT)", "9223372036854775807", "-9223372036854775808", "zeroblob(3)",
      ].randomElement(using: &random) ?? "0"
    }
    func key() -> String { ["'a'", "'A'", "'b'", "'B'", "'c'"].randomElement(using: &random) ?? "''" }
    func real() -> String { ["1", "1.0", "2", "2.5", "9007199254740993"].randomElement(using: &random) ?? "0" }
    let statements = [
      "INSERT INTO plain(a, r, n) VALUES (\(value()), \(value()), \(value()))",
      "INSERT OR REPLACE INTO plain VALUES (\(id()), \(value()), \(value()), \(value()))",
      "UPDATE plain SET a = \(value()), n = \(value()) WHERE id = \(id())",
      "UPDATE plain SET id = id + 7 WHERE id = \(id())",
      "UPDATE plain SET id = -id", "DELETE FROM plain WHERE id = \(id())", "DELETE FROM plain",
      "INSERT INTO nokey VALUES (\(value()), \(value()), \(value()))",
      "INSERT OR REPLACE INTO nokey VALUES (\(value()), \(value()), \(value()))",
      "UPDATE nokey SET b = \(value()) WHERE rowid = \(id())", "DELETE FROM nokey WHERE rowid = \(id())",
      "UPDATE nokey SET rowid = rowid + 1 WHERE rowid = (SELECT max(rowid) FROM nokey)",
      "DELETE FROM nokey", "INSERT INTO nokey(a, b) SELECT a, r FROM plain",
      "INSERT INTO kv VALUES (\(key()), \(real()), \(value()))",
      "INSERT OR REPLACE INTO kv VALUES (\(key()), \(real()), \(value())), (\(key()), \(real()), \(value()))",
      "UPDATE kv SET k = upper(k)", "UPDATE kv SET k = lower(k) WHERE r = 1", "UPDATE kv SET v = \(value())",
      "UPDATE OR REPLACE kv SET k = \(key()), r = \(real()) WHERE k = \(key())", "DELETE FROM kv WHERE k = \(key())",
      "DELETE FROM kv",
      "INSERT INTO gen(a, r, big, t) VALUES (\(value()), \(value()), \(value()), \(value()))",
      "INSERT OR REPLACE INTO gen(id, a, r, big) VALUES (\(id()), \(value()), \(value()), \(value()))",
      "UPDATE gen SET a = \(id()), big = \(value()) WHERE id = \(id())", "UPDATE gen SET r = \(value())",
      "DELETE FROM gen WHERE id = \(id())", "UPDATE gen SET id = id + 7 WHERE id = \(id())",
      "INSERT OR REPLACE INTO genkv(x, k, y) VALUES (\(value()), \(real()), \(value()))",
      "UPDATE genkv SET y = \(value()), x = \(value())", "UPDATE OR IGNORE genkv SET k = \(real())",
      "DELETE FROM genkv WHERE k = \(real())",
      "UPDATE old SET a = \(value()) WHERE id = \(id())", "UPDATE old SET d = \(value()) WHERE id = \(id())",
      "DELETE FROM old WHERE id = \(id())", "INSERT INTO old(a, e) VALUES (\(value()), \(value()))",
      "INSERT INTO child(plain_id) VALUES (\(id()))", "DELETE FROM child WHERE plain_id = \(id())",
      "INSERT INTO autos(x) VALUES (\(value()))", "DELETE FROM autos WHERE id > \(id())",
      "INSERT INTO log SELECT a, id FROM plain", "UPDATE log SET what = \(value()) WHERE at = \(id())",
    ]
    return statements.randomElement(using: &random) ?? ""
  }
}
