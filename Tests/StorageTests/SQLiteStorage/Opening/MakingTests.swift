import AppleModels
import Foundation
import Modeling
import Queries
import SQLiteStorage
import StorageTestSupport
import Stores
import TestSupport
import Testing
import Transfer

/// New stores of the kind of another one, with a part of its objects.
@Suite struct MakingTests {
  private func part(_ source: SQLiteStore, _ path: String, _ from: String, follow: [String] = []) throws -> SQLiteStore
  {
    var options = SubsetOptions()
    options.from = [try FetchRequest(subset: from, in: source.model)]
    options.follow = follow
    let subset = try Subset(of: source, options)
    var making = StoreOptions(path: path)
    making.model = source.model
    _ = try SQLiteStore.make(making, like: source) { try StoreCopy(from: source, to: $0, subset, masks: nil).run() }
    return try SQLiteStore(StoreOptions(path: path))
  }

  @Test func aPartOfAnAppsStoreIsAnAppsStore() throws {
    let app = try AppStore()
    let source = try app.open()
    let path = app.folder.file("part.sqlite")
    let part = try part(source, path, "Recipe where title == 'Crêpes'", follow: ["steps"])
    #expect(part.kind == .coreData)
    #expect(part.model.encoded() == source.model.encoded())
    #expect(try part.verify().isEmpty)
    #expect(try part.values("title", of: "Recipe") == [.string("Crêpes")])
    #expect(try part.values("text", of: "Step").count == 3)
    #expect(try part.values("photo", of: "Recipe") == source.values("photo", of: "Recipe", where: "title == 'Crêpes'"))
    let uuids = try [source, part].map { try $0.connection.first("SELECT Z_UUID FROM Z_METADATA") }
    #expect(uuids[0] != uuids[1])
    // The rows that are left have the only keys that the framework takes for given.
    #expect(try part.connection.all("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Step'") == [[.int(3)]])
    let names = try FileManager.default.contentsOfDirectory(atPath: app.folder.path).sorted()
    #expect(names.filter { $0.contains("part") } == ["part.sqlite"], "\(names)")
  }

  @Test func whatAnAppKeepsInTheMetadataIsNotInAPart() throws {
    let app = try AppStore()
    func metadata(_ path: String) throws -> [String: Any] {
      let store = try SQLiteStore(StoreOptions(path: path))
      guard case .data(let bytes) = try store.connection.first("SELECT Z_PLIST FROM Z_METADATA") else { return [:] }
      let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
      return try #require(list as? [String: Any])
    }
    var fields = try metadata(app.path)
    fields["sessionToken"] = "token-0815"
    let bytes = try PropertyListSerialization.data(fromPropertyList: fields, format: .binary, options: 0)
    do {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      let script =
        "import sqlite3,sys;c=sqlite3.connect(sys.argv[1]);c.execute('UPDATE Z_METADATA SET Z_PLIST=?',(bytes.fromhex(sys.argv[2]),));c.commit()"
      process.arguments = ["python3", "-c", script, app.path, bytes.map { String(format: "%02x", $0) }.joined()]
      try process.run()
      process.waitUntilExit()
    }
    #expect(try metadata(app.path)["sessionToken"] as? String == "token-0815")
    let path = app.folder.file("part.sqlite")
    try part(app.open(), path, "Cuisine").close()
    let kept = try metadata(path)
    #expect(Set(kept.keys) == Set(fields.keys).subtracting(["sessionToken"]))
    #expect(
      kept["NSStoreModelVersionHashes"] as? [String: Data] == fields["NSStoreModelVersionHashes"] as? [String: Data])
    let file = try #require(FileManager.default.contents(atPath: path))
    #expect(file.range(of: Data("token-0815".utf8)) == nil)
  }

  @Test func aPartOfAnyFileHasItsTablesIndexesAndSearch() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "notes.sqlite",
      """
      CREATE TABLE folder (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
      CREATE TABLE note (id INTEGER PRIMARY KEY, folder_id INTEGER NOT NULL REFERENCES folder(id), text TEXT);
      CREATE INDEX by_text ON note (text);
      CREATE VIEW long_note AS SELECT * FROM note WHERE length(text) > 3;
      CREATE VIRTUAL TABLE search USING fts5(text, content='note', content_rowid='id');
      CREATE TABLE log (id INTEGER PRIMARY KEY, what TEXT);
      CREATE TRIGGER indexed AFTER INSERT ON note BEGIN
        INSERT INTO search(rowid, text) VALUES (new.id, new.text);
      END;
      CREATE TRIGGER logged AFTER INSERT ON note BEGIN INSERT INTO log(what) VALUES (new.text); END;
      INSERT INTO folder VALUES (7, 'seven'), (8, 'eight');
      INSERT INTO note VALUES (70, 7, 'apple tree'), (80, 8, 'pear');
      """)
    let source = try SQLiteStore(StoreOptions(path: path))
    let part = try part(source, folder.file("part.sqlite"), "Note where text CONTAINS 'apple'")
    #expect(part.kind == .sqlite)
    #expect(try part.connection.all("SELECT * FROM note") == [[.int(70), .int(7), .string("apple tree")]])
    #expect(try part.connection.all("SELECT id FROM folder") == [[.int(7)]])
    #expect(try part.connection.all("SELECT rowid FROM search WHERE search MATCH 'apple'") == [[.int(70)]])
    // A trigger of others would write again what it has written already.
    #expect(try part.connection.all("SELECT count(*) FROM log") == [[.int(0)]])
    let sql = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY name"
    #expect(try part.connection.all(sql) == source.connection.all(sql))
  }

  @Test func aFileThatIsThereIsLeftAsItIs() throws {
    let app = try AppStore()
    let before = try app.contents()
    let error = #expect(throws: StoreError.self) { _ = try part(app.open(), app.path, "Cuisine") }
    #expect(error.map { caseName($0.fact) } == "cannotCreate")
    #expect(try app.contents() == before)
  }

  @Test func nothingIsLeftWhereFillingFails() throws {
    let app = try AppStore()
    let before = try app.contents()
    #expect(throws: NothingThere.self) {
      try SQLiteStore.make(StoreOptions(path: app.folder.file("part.sqlite")), like: app.open()) { _ in
        throw NothingThere()
      }
    }
    #expect(try app.contents() == before)
  }
}
