import Foundation
import Testing

@testable import Session
@testable import Shell
@testable import Terminal

/// The ways out of SQLite, Lua and shells that are known, tried in a process of its own: from `-e`, a script and standard
/// input.
///
/// To add one, write it into the list of its kind: code of Lua that must fail or give nothing. After each way the files
/// beside the store are as they were.
@Suite struct SandboxEscapeTests {
  /// SQL that the sandbox must say it refuses; an argument is bound to its `?`.
  static let refusedSQL = [
    "ATTACH 'victim.sqlite' AS v", "ATTACH DATABASE 'file:victim.sqlite?mode=rwc' AS v", "ATTACH ':memory:' AS m",
    "/* a */ -- b\n ATTACH 'victim.sqlite' AS v", "EXPLAIN ATTACH 'victim.sqlite' AS v", "DETACH main",
    "SELECT 1; ATTACH 'victim.sqlite' AS v", "BEGIN; ATTACH 'victim.sqlite' AS v; COMMIT",
    "VACUUM", "VACUUM INTO 'new.sqlite'", "VACUUM main INTO 'file:new.sqlite'",
    "SELECT load_extension('./evil')", "SELECT load_extension('./evil', 'start')",
    "SELECT fts3_tokenizer('simple')", "SELECT FTS3_TOKENIZER('simple')", "SELECT \"fts3_tokenizer\"('simple')",
    "SELECT hex(fts3_tokenizer('simple'))", "SELECT * FROM (SELECT fts3_tokenizer('simple'))",
    "SELECT 1 ORDER BY fts3_tokenizer('simple')", "SELECT count(*) FILTER (WHERE fts3_tokenizer('simple')) FROM quake",
    "INSERT INTO quake(code) VALUES (fts3_tokenizer('simple'))", "VALUES (fts3_tokenizer('simple'))",
    "UPDATE quake SET place = fts3_tokenizer('simple')",
    "INSERT INTO quake(code) VALUES ('x') RETURNING fts3_tokenizer('simple')",
    "SELECT sqlite_log(1, 'x')", "SELECT external_data(x'02')", "SELECT rtreenode(2, x'00')",
    "PRAGMA writable_schema = ON", "PRAGMA Writable_Schema(1)", "PRAGMA main.writable_schema = RESET",
    "PRAGMA journal_mode = OFF", "PRAGMA journal_mode = DELETE", "PRAGMA synchronous = 0", "PRAGMA mmap_size = 0",
    "PRAGMA temp_store_directory = '/tmp'", "PRAGMA temp_store_directory", "PRAGMA data_store_directory = '/tmp'",
    "PRAGMA hard_heap_limit = 1", "PRAGMA soft_heap_limit = 1", "PRAGMA cache_size = 1", "PRAGMA cache_spill = 1",
    "PRAGMA trusted_schema = 1", "PRAGMA foreign_keys = OFF", "PRAGMA ignore_check_constraints = 1",
    "PRAGMA case_sensitive_like = 1", "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA schema_version = 9",
    "PRAGMA user_version = 9", "PRAGMA application_id = 9", "PRAGMA encoding = 'UTF-16'", "PRAGMA temp_store = 1",
    "PRAGMA max_page_count = 1", "PRAGMA busy_timeout = 0", "PRAGMA query_only = 1", "PRAGMA read_uncommitted = 1",
    "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA wal_autocheckpoint = 0", "PRAGMA optimize", "PRAGMA threads = 8",
    "PRAGMA secure_delete = 0", "PRAGMA legacy_alter_table = 1", "PRAGMA database_list",
    "SELECT * FROM pragma_database_list", "SELECT file FROM main.pragma_database_list", "PRAGMA lock_proxy_file",
    "SELECT * FROM pragma_optimize",
    "CREATE VIRTUAL TABLE a USING dbstat", "CREATE VIRTUAL TABLE a USING fts3tokenize('simple')",
    "CREATE VIRTUAL TABLE a USING sqlite_dbpage", "CREATE VIRTUAL TABLE a USING csv(filename='secret.txt')",
    "CREATE VIRTUAL TABLE temp.a USING zipfile('a.zip')", "CREATE VIRTUAL TABLE a USING fsdir",
    "DELETE FROM _perilune", "DELETE FROM main.\"_PERILUNE\"", "DROP TABLE _perilune_undo",
    "INSERT OR REPLACE INTO _perilune VALUES ('model', 'x')", "ALTER TABLE _perilune RENAME TO p",
    "CREATE TEMP TRIGGER e AFTER INSERT ON quake BEGIN DELETE FROM _perilune; END; INSERT INTO quake(code) VALUES ('e')",
    "CREATE TEMP TRIGGER e AFTER INSERT ON quake BEGIN SELECT sqlite_log(1, 'x'); END; INSERT INTO quake(code) VALUES ('e')",
    "CREATE TEMP VIEW e AS SELECT sqlite_log(1, 'x'); SELECT * FROM e",
    "WITH e AS (SELECT sqlite_log(1, 'x')) SELECT * FROM e",
  ]

  /// SQL that fails in any way.
  static let failingSQL = [
    "SELECT readfile('secret.txt')", "SELECT writefile('new.txt', 'x')", "SELECT edit('x', 'vi')",
    "SELECT * FROM fsdir('.')", "SELECT * FROM zipfile('a.zip')", "SELECT * FROM sqlite_dbpage", ".read evil.lua",
    "UPDATE sqlite_schema SET sql = ''", "DELETE FROM sqlite_master", "INSERT INTO sqlite_schema VALUES (1,2,3,4,5)",
    "CREATE TABLE e(a CHECK (load_extension('x'))); INSERT INTO e VALUES (1)",
    "CREATE TABLE e(a, b AS (fts3_tokenizer('simple'))); SELECT b FROM e",
    "CREATE INDEX e ON quake(fts3_tokenizer('simple'))",
    "CREATE TABLE e(a DEFAULT (fts3_tokenizer('simple'))); INSERT INTO e DEFAULT VALUES",
    "CREATE VIRTUAL TABLE e USING fts3(a, tokenize=evil)", "SELECT fts5(NULL)",
    "CREATE VIRTUAL TABLE e USING fts5(a, tokenize='evil')", "CREATE VIRTUAL TABLE e USING fts5(a); DELETE FROM e_data",
    "SELECT * FROM missing.sqlite_schema", "SELECT * FROM pragma_temp_store_directory",
  ]

  /// Lua that the sandbox must say it refuses.
  static let refusedLua = [
    "open 'victim.sqlite'", "open('file:victim.sqlite')", "open('new.sqlite', { create = true })",
    "open('/proc/self/mem')",
    "import(Quake, 'secret.txt')", "import(Quake, 'secret.txt', { mode = 'csv' })", "export(Quake:all(), 'new.csv')",
    "export(Quake:all(), '/dev/stdout', { mode = 'csv' })", "loadModel 'secret.txt'", "loadModel('x.momd', 'v1')",
    "store:backup 'new.sqlite'", "store.backup(store, 'new.sqlite')",
    "local b = store.backup; b(store, 'victim.sqlite')", "perilune.open 'victim.sqlite'", "perilune.read 'evil.lua'",
    "perilune.import('secret.txt', 'Quake')", "perilune.dryrun 'keep'",
    "coroutine.wrap(function() open 'victim.sqlite' end)()",
    "store:migrationPlan(Model { Quake = Entity { code = String { optional = false }, size = Int { optional = false } } }, { migrate = function(old) old:sql \"ATTACH 'victim.sqlite' AS v\" end })",
    "local s = open(':memory:'); s:sql \"ATTACH 'victim.sqlite' AS v\"",
    "setmetatable({}, { __index = function(_, k) return open(k) end })['victim.sqlite']()",
    "table.sort({ 3, 2, 1 }, function() open 'victim.sqlite' end)",
    "string.gsub('victim.sqlite', '.+', open)",
  ]

  /// Lua that fails or gives nothing.
  static let deadLua = [
    "io.open 'secret.txt'", "io.lines 'secret.txt'", "io.popen 'id'", "io.tmpfile()", "io.input 'secret.txt'",
    "io.output 'new.txt'", "os.execute 'touch new.txt'", "os.remove 'victim.sqlite'", "os.rename('secret.txt', 'new')",
    "os.tmpname()", "os.getenv 'HOME'", "os.setlocale 'C'", "dofile 'evil.lua'", "loadfile 'evil.lua'",
    "require 'evil'",
    "package.loadlib('./evil.so', '*')", "package.path", "debug.getregistry()", "debug.sethook()", "debug.getinfo(1)",
    "string.dump(print)", "(''):dump()", "getmetatable('').__index.dump", "load '\\27Lua'",
    "load(function() return '\\27Lua' end)()", "load('\\27LuaS', 'x', 'b')", "load('\\27LuaT\\0', 'x', 'bt')()",
    "getmetatable(store).__gc(store)", "getmetatable(store).__close(store)", "getmetatable(Quake).__index = nil",
    "setmetatable({}, { __gc = function() open 'victim.sqlite' end })", "rawset(store, 'path', 1)",
    "getmetatable(io.write('')).__index.open('secret.txt')", "getmetatable(io.write('')).__index.popen('id')",
    "io.write(''):seek('set', -1)", "io.stdout:write('x')", "io.stderr:write('x')",
    "_G.io.open('secret.txt')", "_ENV['os']['execute']('id')", "coroutine.wrap(dofile)('evil.lua')",
    "load('return io.open')()('secret.txt')", "xpcall(io.open, function() end) or nil", "perilune.quit()", "store.__gc",
    "store.store",
    "arg[-1]", "perilune.shell 'id'", "perilune.system 'id'", "perilune.edit 'evil.lua'", "perilune.log 'new.txt'",
    "perilune.output 'new.txt'", "perilune.once 'new.txt'", "perilune.cd '/'", "perilune.save 'new.sqlite'",
    "perilune.clone 'new.sqlite'", "perilune.restore 'victim.sqlite'", "perilune.load './evil'",
    "perilune.export('new.csv', 'Quake:all()')",
  ]

  /// Lines of the shell.
  static let refusedCommands = [
    ".open victim.sqlite", ".open :memory:", ".read evil.lua", ".import secret.txt Quake", ".dryrun keep",
    ".sql ATTACH 'victim.sqlite' AS v", ".sql PRAGMA writable_schema = ON", ".sql VACUUM INTO 'new.sqlite'",
    ".export new.csv Quake:all()",
  ]

  private static func literal(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    return "\"\(escaped)\""
  }

  /// Tries everything, tells of what got through, and ends with a word.
  private static let script: String = {
    func list(_ name: String, _ codes: [String]) -> String {
      "local \(name) = { \(codes.map(literal).joined(separator: ", ")) }\n"
    }
    let sql = refusedSQL.map { "store:sql \(literal($0))" }
    let tokenizer = ["store:sql('SELECT fts3_tokenizer(?, ?)', 'evil', Data and 'AAAAAAAA')"]
    let dead = failingSQL.map { "store:sql \(literal($0))" } + deadLua
    return list("refused", sql + tokenizer + refusedLua) + list("dead", dead) + """
      local function try(code)
        local f = load("return " .. code) or load(code)
        if not f then return true, "does not compile" end
        local ok, value = pcall(f)
        context:rollback()
        pcall(store.sql, store, "ROLLBACK")
        return ok, value
      end
      for _, code in ipairs(refused) do
        local ok, value = try(code)
        if ok or not tostring(value):find("the sandbox refuses", 1, true) then print("NOT REFUSED", code, value) end
      end
      for _, code in ipairs(dead) do
        local ok, value = try(code)
        if ok and value ~= nil then print("ALIVE", code, value) end
      end
      print(Quake:count() >= 5, "end")
      """
  }()

  enum Way: CaseIterable { case expression, file, input }

  /// A store with files beside it that scripts must not read or write.
  private func surroundings() throws -> (program: BuiltProgram, before: [String: Data]) {
    let program = try BuiltProgram.withStore()
    // A store in which something was saved since it was made has all internal tables.
    _ = try program.run(["quakes.sqlite", "-e", "Quake:find('us1').place = 'elsewhere' save()"])
    try FileManager.default.copyItem(atPath: program.path("quakes.sqlite"), toPath: program.path("victim.sqlite"))
    try program.write("secret.txt", "code,magnitude\nSECRET,5\n")
    try program.write("evil.lua", "print 'SECRET'")
    return (program, try files(program))
  }

  private func files(_ program: BuiltProgram) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: program.folder.path)
    where !name.hasPrefix("quakes.sqlite") && name != "attack.lua" {
      found[name] = FileManager.default.contents(atPath: program.path(name))
    }
    return found
  }

  @Test(arguments: Way.allCases) func noKnownWayLeadsOut(_ way: Way) throws {
    let (program, before) = try surroundings()
    let result: BuiltProgram.Result
    switch way {
    case .expression: result = try program.run(["--sandbox", "quakes.sqlite", "-e", Self.script])
    case .file:
      try program.write("attack.lua", Self.script)
      result = try program.run(["--sandbox", "quakes.sqlite", "attack.lua"])
    case .input: result = try program.run(["--sandbox", "quakes.sqlite"], input: Self.script)
    }
    #expect(result.output == "true\tend\n", "\(result.output)\(result.errors)")
    #expect(result.status == 0)
    #expect(!(result.output + result.errors).contains("SECRET"))
    #expect(try files(program) == before)
    let check = try program.run(["quakes.sqlite", "-e", "#store:verify() == 0 and Quake:count() >= 5"])
    #expect(check.output == "true\n", "\(check)")
  }

  @Test(arguments: refusedCommands) func noCommandLeadsOut(_ line: String) throws {
    let (program, before) = try surroundings()
    for (arguments, input) in [
      (["--sandbox", "quakes.sqlite"], line + "\n"), (["--sandbox", "quakes.sqlite", "-e", line], nil),
    ] {
      let result = try program.run(arguments, input: input)
      #expect(result.errors.contains("the sandbox refuses"), "\(result)")
      #expect(result.status == 77 && result.output.isEmpty, "\(result)")
    }
    #expect(try files(program) == before)
  }

  @Test func sqlTakesNoMoreMemoryThanLua() throws {
    let code =
      "local ok, e = pcall(store.sql, store, 'SELECT length(hex(zeroblob(200000000)))') print(ok, e) print(Quake:count())"
    let result = try BuiltProgram.withStore().run(["--sandbox", "--memory-limit", "100", "quakes.sqlite", "-e", code])
    #expect(result.output == "false\tnot enough memory (limit 100 MB)\n5\n", "\(result)")
  }

  @Test func thePromptKeepsToItToo() throws {
    let (program, before) = try surroundings()
    let session = try PTYSession(
      executable: BuiltProgram.executable, arguments: ["--sandbox", program.path("quakes.sqlite")],
      environment: program.environment)
    try session.expect("> ")
    session.send(".open \(program.path("victim.sqlite"))\r")
    try session.expect("the sandbox refuses .open")
    session.send(".quit\r")
    #expect(try session.waitForExit() == 0)
    #expect(try files(program).filter { !$0.key.hasPrefix(".") } == before.filter { !$0.key.hasPrefix(".") })
  }

  @Test func everyCommandIsDecidedOn() throws {
    let session = try EngineSession(RunOptions(), Surroundings(color: .never))
    defer { session.close() }
    for command in session.session.registry.commands {
      #expect(command.inSandbox != .undecided, "say in .\(command.name) whether the sandbox lets it run")
    }
  }

  @Test func aCommandThatNobodyHasDecidedOnIsRefused() throws {
    var ran = 0
    let command = Command(name: "new", arguments: "", summary: "new") { _ in ran += 1 }
    var context = ShellContext(
      settings: ShellSettings(mode: .table), print: { _ in }, readScript: { _ in }, quit: {})
    let registry = CommandRegistry(commands: [command])
    try registry.run(".new", context)
    context.isSandboxed = true
    #expect(throws: CommandFailure.refusedBySandbox("new", reason: nil)) { try registry.run(".new", context) }
    #expect(ran == 1)
  }
}
