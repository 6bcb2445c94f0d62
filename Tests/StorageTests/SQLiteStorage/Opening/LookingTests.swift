import Foundation
import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

/// Looking at a store leaves its files as they were, in any state.
@Suite struct LookingTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  enum Kind: String, CaseIterable { case own, plain, coreData }
  /// What lies beside the file.
  enum Remains: String, CaseIterable {
    case nothing
    /// All of the file is in a log, its first page included.
    case fullLog
    /// The log of a writer that was killed holds some pages, and not the first.
    case log
    /// A log without the index of it.
    case logAlone
    /// A writer was killed in the middle of a change.
    case journal
  }

  /// The files of a store, by what their names end with.
  typealias Files = [String: [UInt8]]

  private static let suffixes = ["", "-wal", "-shm", "-journal"]
  private static let rows = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)"

  private func files(_ path: String) -> Files {
    var files: Files = [:]
    for suffix in Self.suffixes {
      files[suffix] = bytes(ofFileAt: path + suffix)
    }
    return files
  }

  /// A file's bytes; nil where there is none. Foundation leaks a buffer with each empty file.
  private func bytes(ofFileAt path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    return bytes
  }

  private func lay(_ files: Files, _ path: String) throws {
    for suffix in Self.suffixes {
      if let bytes = files[suffix] {
        try Data(bytes).write(to: URL(fileURLWithPath: path + suffix))
      } else {
        unlink(path + suffix)
      }
    }
  }

  /// Makes a store with 60 rows of a table; returns the names of table and column.
  private func make(_ kind: Kind, _ path: String) throws -> (table: String, column: String) {
    switch kind {
    case .own:
      var options = StoreOptions(path: path)
      options.create = true
      var thing = EntityDescription("Thing")
      thing.properties = [.attribute(Attribute("name", .string))]
      options.model = try Model([thing])
      try SQLiteStore(options).close()
      _ = try sqlite3(
        path, "PRAGMA journal_mode = DELETE; INSERT INTO thing (name) \(Self.rows) SELECT hex(zeroblob(200)) FROM n")
      return ("thing", "name")
    case .plain:
      _ = try sqlite3(
        path,
        "CREATE TABLE t (id INTEGER PRIMARY KEY, name); INSERT INTO t (name) \(Self.rows) SELECT hex(zeroblob(200)) FROM n"
      )
      return ("t", "name")
    case .coreData:
      _ = try sqlite3(
        path,
        """
        CREATE TABLE Z_METADATA(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR, Z_PLIST BLOB);
        CREATE TABLE Z_PRIMARYKEY(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        INSERT INTO Z_METADATA VALUES (1, 'A', NULL); INSERT INTO Z_PRIMARYKEY VALUES (1, 'Thing', 0, 60);
        CREATE TABLE ZTHING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
        INSERT INTO ZTHING (Z_ENT, Z_OPT, ZNAME) \(Self.rows) SELECT 1, 1, hex(zeroblob(200)) FROM n
        """)
      return ("ZTHING", "ZNAME")
    }
  }

  /// The files that a process leaves that is killed while it writes.
  private func left(_ remains: Remains, by kind: Kind) throws -> Files {
    let path = folder.file("made-\(kind)-\(remains).sqlite")
    let (table, column) = try make(kind, path)
    let change = "UPDATE \(table) SET \(column) = hex(randomblob(200))"
    switch remains {
    case .nothing: return files(path)
    case .fullLog, .log, .logAlone:
      let vacuum = remains == .fullLog ? "VACUUM;" : ""
      let writer = try OtherProcess(
        path, "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; \(change); \(vacuum)")
      defer { writer.kill() }
      var files = files(path)
      if remains == .logAlone { files["-shm"] = nil }
      #expect(files["-wal"]?.isEmpty == false)
      return files
    case .journal:
      let writer = try OtherProcess(path, "PRAGMA cache_size = 1; BEGIN; \(change);")
      defer { writer.kill() }
      let files = files(path)
      #expect(files["-journal"]?.first == 0xd9)
      return files
    }
  }

  /// Opens the file, reads all there is, and closes it; returns what was in the way.
  private func look(_ path: String, readOnly: Bool) -> StoreError.Fact? {
    var options = StoreOptions(path: path)
    options.readOnly = readOnly
    return fact {
      let store = try SQLiteStore(options)
      defer { store.close() }
      for entity in store.model.entities {
        let cursor = try store.cursor(FetchRequest(entity))
        while try cursor.step() {}
        cursor.close()
      }
    }
  }

  /// Looks at damaged files, and finds them as they were.
  private func check(_ files: Files, _ path: String, readOnly: Bool, _ what: String) throws -> StoreError.Fact? {
    try lay(files, path)
    let fact = look(path, readOnly: readOnly)
    var (before, after) = (files, self.files(path))
    // The first reader of a log makes its index anew.
    if before["-shm"] != nil, after["-shm"] != nil { (before["-shm"], after["-shm"]) = (nil, nil) }
    #expect(before.keys.sorted() == after.keys.sorted(), "\(what)")
    #expect(before == after, "\(what): \(String(describing: fact))")
    return fact
  }

  @Test(arguments: Kind.allCases, Remains.allCases)
  func lookingAtADamagedFileChangesNothing(_ kind: Kind, _ remains: Remains) throws {
    let files = try left(remains, by: kind)
    let path = folder.file("store.sqlite")
    let main = try #require(files[""])
    var damages: [(String, [UInt8])] = [("none", main)]
    for place in 0..<100 {
      for byte in [~main[place], 0] where byte != main[place] {
        var bytes = main
        bytes[place] = byte
        damages.append(("byte \(place) is \(byte)", bytes))
      }
    }
    for size in [0, 1, 15, 16, 50, 99, 100, 511, 512, 1000, 4095, 4096, 4097, 8192] {
      damages.append(("cut to \(size)", Array(main.prefix(size))))
    }
    for (what, bytes) in damages {
      for readOnly in [false, true] {
        var files = files
        files[""] = bytes
        let found = try check(files, path, readOnly: readOnly, "\(kind), \(remains), \(what), read-only: \(readOnly)")
        switch found {
        case .sql?, .inputOutput?, .readOnly?:
          Issue.record("\(kind), \(remains), \(what), read-only \(readOnly): \(String(describing: found))")
        case nil: break
        default: #expect(what != "none" || (remains == .journal && !readOnly))
        }
      }
    }
  }

  @Test(arguments: Kind.allCases, Remains.allCases)
  func examiningAFileChangesNothing(_ kind: Kind, _ remains: Remains) throws {
    let files = try left(remains, by: kind)
    let path = folder.file("store.sqlite")
    let main = try #require(files[""])
    var damages = [main, Array(main.prefix(50)), Array(main.prefix(4096 * 2)), []]
    for place in [0, 16, 21, 30, 47, 100] {
      damages.append(main)
      damages[damages.count - 1][place] = ~main[place]
    }
    for (number, bytes) in damages.enumerated() {
      var laid = files
      laid[""] = bytes
      try lay(laid, path)
      let diagnosis = StoreDiagnosis(path: path)
      var (before, after) = (laid, self.files(path))
      if before["-shm"] != nil, after["-shm"] != nil { (before["-shm"], after["-shm"]) = (nil, nil) }
      #expect(before == after, "\(kind), \(remains), damage \(number)")
      #expect(diagnosis.size == Int64(bytes.count) || bytes.isEmpty)
      if number == 0 { #expect(diagnosis.kind != nil && diagnosis.isHealthy == (remains != .journal)) }
    }
  }

  private func remains(_ kept: Remains, of kind: Kind, _ path: String) throws {
    try lay(try left(kept, by: kind), path)
  }

  private func count(_ path: String, _ condition: String) throws -> String {
    try sqlite3(path, "SELECT count(*) FROM t WHERE \(condition)")
  }

  @Test func whatAKilledWriterCommittedIsKeptByWhoeverWrites() throws {
    for kept in [Remains.fullLog, .log, .logAlone] {
      let path = folder.file("store.sqlite")
      try remains(kept, of: .plain, path)
      let store = try SQLiteStore(StoreOptions(path: path))
      try store.connection.run("INSERT INTO t (name) VALUES ('mine')")
      store.close()
      #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
      #expect(try count(path, "name <> hex(zeroblob(200))") == "61")
    }
  }

  @Test func anUnfinishedChangeIsTakenBackOnlyWhereThatIsAskedFor() throws {
    for kind in Kind.allCases {
      let path = folder.file("\(kind).sqlite")
      try remains(.journal, of: kind, path)
      let before = files(path)
      guard case .unfinishedChange(let pages)? = look(path, readOnly: false) else {
        Issue.record("no unfinished change")
        continue
      }
      #expect(pages > 3)
      // A reader without the right to write sees the state before, in a copy.
      var options = StoreOptions(path: path)
      options.readOnly = true
      let reading = try SQLiteStore(options)
      let table = kind == .coreData ? "ZTHING" : kind == .own ? "thing" : "t"
      let column = kind == .coreData ? "ZNAME" : "name"
      let old = "SELECT count(*) FROM \(table) WHERE \(column) = hex(zeroblob(200))"
      #expect(try reading.connection.first(old) == .int(60))
      #expect(reading.notes.contains { $0.contains("\(pages) pages was cut off") })
      reading.close()
      #expect(files(path) == before)
      if kind == .coreData { continue }
      var writing = StoreOptions(path: path)
      writing.writesCoreData = true
      let store = try SQLiteStore(writing)
      #expect(try store.connection.first(old) == .int(60))
      store.close()
      #expect(!FileManager.default.fileExists(atPath: path + "-journal"))
    }
  }

  @Test func aChangeThatIsUnderWayIsNoUnfinishedOne() throws {
    let path = folder.file("store.sqlite")
    _ = try make(.plain, path)
    let writer = try OtherProcess(path, "PRAGMA cache_size = 1; BEGIN; UPDATE t SET name = hex(randomblob(200));")
    defer { writer.kill() }
    #expect(RollbackJournal(beside: path) != nil)
    var options = StoreOptions(path: path)
    options.busyTimeout = 0
    guard case .busy? = fact({ try SQLiteStore(options) }) else {
      Issue.record("not busy")
      return
    }
  }

  @Test func aJournalWithoutItsFileIsKept() throws {
    let path = folder.file("none.sqlite")
    let journal = try folder.write("none.sqlite-journal", [0xd9, 0xd5])
    #expect(look(path, readOnly: false) == .onlyJournal)
    _ = try folder.write("none.sqlite", [])
    #expect(look(path, readOnly: false) == .unfinishedChange(pages: 0))
    #expect(FileManager.default.fileExists(atPath: journal))
  }

  @Test func theFirstConnectionKnowsWhatWasThere() throws {
    let path = folder.file("store.sqlite")
    _ = try make(.plain, path)
    _ = try sqlite3(path, "PRAGMA journal_mode = WAL")
    for readOnly in [true, false] {
      var options = StoreOptions(path: path)
      options.readOnly = readOnly
      let first = try SQLiteStore(options)
      let second = try SQLiteStore(options)
      first.close()
      second.close()
      #expect(files(path).keys.sorted() == [""])
    }
  }

  @Test func filesThatSomebodyElseHasOpenAreLeft() throws {
    let path = folder.file("store.sqlite")
    _ = try make(.plain, path)
    _ = try sqlite3(path, "PRAGMA journal_mode = WAL")
    var options = StoreOptions(path: path)
    options.readOnly = true
    let store = try SQLiteStore(options)
    let other = try OtherProcess(path, "SELECT count(*) FROM t;")
    defer { other.kill() }
    store.close()
    #expect(files(path).keys.sorted() == ["", "-shm", "-wal"])
  }

  @Test func aStoreOfOursGetsItsLogWhenItIsWritten() throws {
    let path = folder.file("store.sqlite")
    _ = try make(.own, path)
    let store = try SQLiteStore(StoreOptions(path: path))
    #expect(try store.connection.first("PRAGMA journal_mode") == .string("delete"))
    try store.transaction { try store.connection.run("INSERT INTO thing (name) VALUES ('a')") }
    #expect(try store.connection.first("PRAGMA journal_mode") == .string("wal"))
  }
}
