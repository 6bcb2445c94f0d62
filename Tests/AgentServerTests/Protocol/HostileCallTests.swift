import Foundation
import Modeling
import PostgresTestSupport
import TestSupport
import Testing

/// What servers of others were left by does nothing here: no call writes, reads outside of the store, or ends the server.
@Suite struct HostileCallTests {
  /// Conditions that servers who paste texts into SQL would run.
  static let conditions = [
    "1=1; DROP TABLE quake", "code == 'x'; DELETE FROM quake", "TRUEPREDICATE) UNION SELECT token FROM quake --",
    "code == 'us1' -- comment", "/* */ code == 'us1'", "code IN (SELECT token FROM quake)", "load_extension('x') == 1",
    "readfile('OUTSIDE') == ''", "pg_read_file('OUTSIDE') == ''", "writefile('OUTSIDE', 'x') == 1",
    "WITH x AS (DELETE FROM quake RETURNING 1) SELECT 1", "code MATCHES '(a+)+$'", "CAST('OUTSIDE', 'NSData') == code",
    "FUNCTION(code, 'description') == 'x'", "FUNCTION('NSFileManager', 'defaultManager') == 1",
    "SUBQUERY(reports, $x, $x.quake.reports.@count > 0 AND $y == 1).@count > 0", "\u{0}", "code == '\u{0}'",
    String(repeating: "(", count: 100_000), String(repeating: "NOT ", count: 50_000) + "TRUEPREDICATE",
    Array(repeating: "code == 'x'", count: 20_000).joined(separator: " OR "), "%@ %@ %@", "%K == 1", "$x == 1",
    "code LIKE '" + String(repeating: "*", count: 5_000) + "'", "magnitude == 1e99999", "magnitude / 0 == 1",
  ]

  /// Names that servers who paste names into SQL would run.
  static let names = [
    "quake; DROP TABLE quake", "quake\" --", "'; ATTACH 'OUTSIDE' AS x; --", "sqlite_master", "_perilune_metadata",
    "file:OUTSIDE?mode=rwc", "../OUTSIDE", "pg_catalog.pg_authid", "Quake) --", "", "\u{202E}ekauQ",
    String(repeating: "Q", count: 1 << 20),
  ]

  /// Scripts that reach for something else than the store.
  static let scripts = [
    "return io.open('OUTSIDE'):read('a')", "return io.open('OUTSIDE', 'w'):write('x')", "return io.lines('OUTSIDE')()",
    "return dofile('OUTSIDE')", "return loadfile('OUTSIDE')", "return require('os').execute('touch OUTSIDE.x')",
    "return os.execute('touch OUTSIDE.x')", "return io.popen('cat OUTSIDE'):read('a')", "return os.getenv('HOME')",
    "return os.remove('OUTSIDE')", "return os.rename('OUTSIDE', 'x')", "return package.loadlib('libc.so.6', '*')",
    "return store:sql('SELECT 1')", "return store:sql(\"ATTACH 'OUTSIDE' AS x\")", "return open('OUTSIDE')",
    "return open('OUTSIDE', { create = true })", "store:backup('OUTSIDE.x')", "export(Quake:all(), 'OUTSIDE.csv')",
    "return import('OUTSIDE', Quake)", "Quake { code = 'new' } save()", "Quake:find('us1'):delete() save()",
    "Quake:where('TRUEPREDICATE'):delete()", "Quake:where('TRUEPREDICATE'):update { place = 'x' }",
    "Quake:insert { { code = 'new' } }", "store:undoSave()", "store:deleteHistory()", "store.historyEnabled = false",
    "return load('\\27Lua')", "return string.dump(function() end)", "return debug.getregistry()",
    "for i = 1, 1e9 do coroutine.wrap(function() end)() end", "local s = 'x' while true do s = s .. s end",
    "return ('x'):rep(1e9):find(('.-'):rep(50))", "setmetatable(_G, { __index = function() error('no') end }) return x",
    "print(('\\0\\27[2J\\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\\n'):rep(3))",
    "io.stdout:write('{}\\n') io.stderr:write('x')",
    "os.exit(0)", "error(setmetatable({}, { __tostring = function() error('again') end }))", "return io.read('a')",
    "perilune.sql('DROP TABLE quake')", "repl()", "runLoop()", "Quake:all():live():onChange(print) runLoop()",
  ]

  @Test func noCallWritesReadsOutsideOrEndsTheServer() throws {
    var agent = try Agent()
    agent.options = ["--timeout", "1"]
    let outside = agent.folder.file("outside.lua")
    try "return 'the treasure'".write(toFile: outside, atomically: true, encoding: .utf8)
    let before = try contents(agent.folder)
    func meant(_ text: String) -> JSON { .string(text.replacing("OUTSIDE", with: outside)) }
    var calls: [(tool: String, arguments: JSON)] = Self.conditions.flatMap { text in
      [("find", ["entity": "Quake", "where": meant(text)]), ("why", ["entity": "Quake", "where": meant(text)])]
        as [(String, JSON)]
    }
    calls += Self.names.flatMap { name in
      [
        ("describe", ["entity": meant(name)]), ("find", ["entity": "Quake", "columns": [meant(name)]]),
        ("find", ["entity": "Quake", "sort": [meant(name)]]), ("ask", ["entity": "Quake", "group": [meant(name)]]),
        ("ask", ["entity": "Quake", "values": ["x": meant(name)]]), ("changes", ["since": meant(name)]),
        ("swift", ["entity": "Quake", "where": "code == %@", "arguments": [meant(name)]]),
      ] as [(String, JSON)]
    }
    calls += Self.scripts.map { ("run", ["script": meant($0)]) }
    let results = try agent.call(calls + [("ask", ["entity": "Quake"])])
    #expect(results.last?["rows"] == [[120]])
    for (call, result) in zip(calls, results) {
      #expect(!result.json.text.contains("the treasure"), "\(call)")
      #expect(result.json.text.count < 60_000, "\(call.tool)")
    }
    #expect(try contents(agent.folder) == before)
  }

  /// What the files of a folder hold, but for what SQLite keeps beside a store that is open.
  private func contents(_ folder: TemporaryFolder) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where !name.hasSuffix(".in") && !name.hasSuffix(".out") && !name.hasSuffix("-shm") && !name.hasSuffix("-wal") {
      contents[name] = try Data(contentsOf: URL(filePath: folder.file(name)))
    }
    return contents
  }

  @Test(.seeded) func linesOfAnyBytesAreAnsweredOrPassedOver() throws {
    let agent = try Agent()
    var random = SplitMix(seed: 49)
    let good = [
      Agent.request(1, "tools/call", ["name": "find", "arguments": ["entity": "Quake", "limit": 1]]).text,
      Agent.request(2, "tools/list").text, Agent.request(3, "server/discover").text,
      #"{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#,
    ]
    let lines = (0..<3_000).map { _ -> String in
      var bytes = Array(good[Int(random.next() % 4)].utf8)
      for _ in 0..<(random.next() % 4) {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 4 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: bytes[place...].prefix(20), at: place)
        default: bytes.removeSubrange(place...)
        }
        if bytes.isEmpty { bytes = [UInt8(ascii: "{")] }
      }
      return String(decoding: bytes.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
    let answers = try agent.answers(to: lines + [Agent.request(77, "ping").text])
    #expect(answers.last?["id"] == 77)
    #expect(answers.count <= lines.count + 1 && answers.count > 2_000)
  }

  @Test(.enabled(if: PostgresServer.isInstalled)) func aDatabaseOnAServerIsHeldInTheSameWay() throws {
    let server = try PostgresServer.shared.get()
    let folder = try TemporaryFolder()
    let address = server.address(of: try server.makeDatabase(for: "agent"))
    var agent = Agent(store: address, in: folder)
    try agent.run("use(open(\"\(address)\", { create = true, model = model }))\n" + Agent.filling)
    agent.options = ["--timeout", "2"]
    let calls: [(tool: String, arguments: JSON)] =
      Self.conditions.map { ("find", ["entity": "Quake", "where": .string($0)]) }
      + Self.scripts.map { ("run", ["script": .string($0)]) }
    let results = try agent.call(calls + [("ask", ["entity": "Quake", "values": ["n": "count", "top": "max(code)"]])])
    #expect(results.last?["rows"] == [[120, "us99"]])
    agent.writes = true
    agent.options = []
    let written = try agent.call([
      ("propose", ["script": "Quake:find('us5').place = 'here'"]),
      ("find", ["entity": "Quake", "where": "code == 'us5'", "columns": ["place"]]), ("commit", ["proposal": "p1"]),
      ("find", ["entity": "Quake", "where": "code == 'us5'", "columns": ["place"]]),
    ])
    #expect(written[1]["rows"] == [["Japan"]])
    #expect(written[2]["saved"] == true, "\(written[2].text)")
    #expect(written[3]["rows"] == [["here"]])
  }
}
