import Foundation
import Testing

/// What grows without end meets the memory limit: an error that a script can catch, and no more memory than was said.
///
/// To add one, write what takes ever more memory and keeps it.
@Suite struct MemoryLimitTests {
  struct Growth: CustomTestStringConvertible, Sendable {
    var name: String
    var body: String
    /// Whether what has grown stays when no script refers to it any more: a script may go on only if a little was left.
    var stays: Bool
    /// Whether it stays open, as stores do until they are closed, so that a script can hardly go on.
    var staysOpen: Bool
    var testDescription: String { name }

    init(_ name: String, _ body: String, stays: Bool = false, staysOpen: Bool = false) {
      (self.name, self.body, self.stays, self.staysOpen) = (name, body, stays, staysOpen)
    }
  }

  /// In MB, as docs/guide.md says: the program itself, and what is copied before the first check.
  private static let limit = 40
  private static let beside = 128

  private static let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
  private static let saved = "for i = 1, 1000 do Item { number = i } end S.context:save()"

  static let growths: [Growth] = [
    Growth("zeroblob", "kept[i] = S:sql 'SELECT zeroblob(5000000)'"),
    Growth("one zeroblob", "S:sql 'SELECT zeroblob(900000000)'"),
    Growth("a temporary table", "S:sql 'CREATE TEMP TABLE t AS \(numbers) SELECT i, hex(randomblob(40)) FROM n'"),
    Growth("rows in order", "S:sql '\(numbers) SELECT * FROM n ORDER BY -i'"),
    Growth("rows of SQL", "S:sql '\(numbers) SELECT i, hex(i) FROM n'"),
    Growth(
      "median",
      """
      S:sql '\(numbers) INSERT INTO item (number) SELECT i FROM n LIMIT 500000'
      Item:all():groupBy('text', { m = 'median(number)' })
      """),
    Growth("new objects", "Item { number = i, text = 'some text ' .. i }"),
    Growth("long texts of objects", "Item { text = ('x'):rep(1e6) .. i }"),
    Growth("one long text", "local item = kept[1] or Item {} kept[1] = item item.text = ('x'):rep(i * 1e6)"),
    Growth(
      "changed objects", "\(saved) for _, item in ipairs(Item:all():fetch()) do item.text = ('x'):rep(1000) .. i end"),
    Growth("kept results", "if i == 1 then \(saved) end kept[i] = Item:all():fetch()"),
    Growth("live results", "if i == 1 then \(saved) end kept[i] = Item:all():live()"),
    Growth("lists of objects", "if i == 1 then \(saved) end kept[i] = Item:all():fetch():slice(1, 1000)"),
    Growth(
      "child contexts", "local c = S.context:newChild() for j = 1, 10 do c.entities.Item {} end kept[i] = c"),
    Growth("stores", "kept[i] = open(':memory:', { create = true, model = S.model })", staysOpen: true),
    Growth("models", "kept[i] = Model { Item = Entity { text = String } }"),
    Growth(
      "entities that inherit",
      """
      local parts = { E1 = Entity { a = String } }
      for j = 2, 60 do parts['E' .. j] = Entity { ['p' .. j] = Integer64, _ = { parent = 'E' .. j - 1 } } end
      kept[i] = Model(parts)
      """),
    Growth(
      "lists in predicates", "local t = {} for j = 1, 50000 do t[j] = j end kept[i] = Predicate('number IN %@', t)"),
    Growth("dates", "kept[i] = Date(i)"),
    Growth("states", "kept[i] = State(i)"),
    Growth("timers", "after(1000, function() end)", stays: true),
    Growth("tables", "kept[i] = {}"),
    Growth("texts", "kept[i] = ('x'):rep(1000) .. i"),
    Growth("coroutines", "kept[i] = coroutine.create(print)"),
  ]

  @Test(arguments: growths) func whatGrowsEndsInAnErrorThatCanBeCaught(_ growth: Growth) throws {
    let program = try BuiltProgram()
    try program.write(
      "script.lua",
      """
        local S = open(':memory:', { create = true, model = Model { Item = Entity { text = String, number = Integer64 } } })
        local Item = S.entities.Item
        local ok, message = pcall(function()
          local kept = {}
          for i = 1, math.huge do
            \(growth.body)
          end
        end)
        -- Unsaved objects stay until their context is rolled back; the limit may be met again before that.
        for _ = 1, 20 do
          if pcall(function() S.context:rollback() end) then break end
        end
        collectgarbage()
        print(ok, message)
        for line in io.lines '/proc/self/status' do
          local size = line:match '^VmHWM:%s*(%d+)'
          if size then print(size // 1024) end
        end
        local other <close> = open ':memory:'
        print(other:sql('SELECT 6 * 7 AS answer')[1].answer)
      """)
    let result = try program.run(["--memory-limit", "\(Self.limit)", "script.lua"])
    if growth.stays, result.status != 0 {
      #expect(result.status == 1, "\(result)")
      #expect(result.errors.contains("error: not enough memory (limit \(Self.limit) MB)"), "\(result)")
      return
    }
    let lines = result.output.split(separator: "\n")
    #expect(growth.staysOpen || result.status == 0, "\(result)")
    try #require(lines.count == 3 || growth.staysOpen && (1...2).contains(lines.count), "\(result)")
    #expect(
      lines[0].hasPrefix("false\t") && lines[0].hasSuffix("not enough memory (limit \(Self.limit) MB)"), "\(lines)")
    if lines.count > 1 { #expect(Int(lines[1]).map { $0 < Self.limit + Self.beside } == true, "\(lines)") }
    #expect(lines.last == "42" || growth.staysOpen)
  }

  /// A Lua function for the most memory that the process has had, in MB.
  private static let peak = """
    local function peak()
      for line in io.lines '/proc/self/status' do
        local size = line:match '^VmHWM:%s*(%d+)'
        if size then return size // 1024 end
      end
    end
    """

  @Test func withoutALimitSortsTakeLittleMemory() throws {
    let program = try BuiltProgram()
    try program.write(
      "script.lua",
      """
        local S = open(':memory:')
        \(Self.peak)
        local function groups(count)
          return S:sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " .. count .. ") " ..
            "SELECT count(*) AS n FROM (SELECT printf('%0400d', i * 7919 % 1000003) AS c FROM n GROUP BY c)")[1].n
        end
        groups(1000)
        local before = peak()
        print(groups(200000), peak() - before < 40)
      """)
    let result = try program.run(["script.lua"])
    #expect(result.output == "200000\ttrue\n", "\(result)")
  }

  private static let newStore = """
    local S = open('new.sqlite', {
      create = true, model = Model { Item = Entity { text = String { optional = false, indexed = true } } } })

    """

  /// The growth of the process's peak, in MB, by `work` on a store `S`, which `preparation` fills in another process.
  private func peakGrowth(_ preparation: String, _ work: String) throws -> Int {
    let program = try BuiltProgram()
    try program.write("preparation.lua", Self.newStore + preparation)
    let prepared = try program.run(["preparation.lua"])
    #expect(prepared.status == 0, "\(prepared)")
    try program.write(
      "script.lua",
      """
        local S = open 'new.sqlite'
        \(Self.peak)
        local before = peak()
        \(work)
        print(peak() - before)
      """)
    let result = try program.run(["script.lua"])
    return try #require(result.output.split(separator: "\n").last.flatMap { Int($0) }, "\(result)")
  }

  @Test func anExportOfALongTableKeepsFewOfItsPages() throws {
    let rows = """
      S:sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) " ..
        "INSERT INTO item (text) SELECT printf('%0400d', i) FROM n")
      """
    #expect(try peakGrowth(rows, "export(S.entities.Item:all(), 'items.csv')") < 40)
  }

  @Test func anImportOfALongTableKeepsFewUnwrittenPages() throws {
    let rows = """
      local file = assert(io.open('items.csv', 'w'))
      file:write 'text\\n'
      for i = 1, 100000 do file:write(('x'):rep(390) .. i .. '\\n') end
      file:close()
      """
    #expect(try peakGrowth(rows, "import(S.entities.Item, 'items.csv')") < 30)
  }

  @Test(arguments: [":sorted 'text':live()", ":grouped({ 'text' }, { n = 'count' }):live()"])
  func liveResultsOfLongTextsKeepToTheLimit(_ request: String) throws {
    let program = try BuiltProgram()
    try program.write(
      "preparation.lua",
      """
        local S = open('texts.sqlite', { create = true, model = Model { Item = Entity { text = String } } })
        for i = 1, 300 do S.entities.Item { text = ('%08d'):format(i * 7919 % 1000):rep(60000) } S.context:save() S.context:reset() end
      """)
    #expect(try program.run(["preparation.lua"]).status == 0)
    try program.write(
      "script.lua",
      """
        local S = open 'texts.sqlite'
        \(Self.peak)
        local before = peak()
        print(pcall(function() return S.entities.Item:all()\(request) end))
        print(peak() - before)
      """)
    let result = try program.run(["--memory-limit", "\(Self.limit)", "script.lua"])
    let lines = result.output.split(separator: "\n")
    try #require(lines.count == 2, "\(result)")
    #expect(lines[0].contains("not enough memory (limit \(Self.limit) MB)"), "\(result)")
    // Pages of the file that are mapped are counted by the system, and not by the limit.
    #expect(Int(lines[1]).map { $0 < Self.limit + Self.beside + 80 } == true, "\(result)")
  }

  @Test func withoutALimitMuchMayBeTaken() throws {
    let result = try BuiltProgram().run(["-e", "#open(':memory:'):sql('SELECT zeroblob(50000000) AS b')[1].b"])
    #expect(result.output == "50000000\n", "\(result)")
  }

  @Test func anErrorThatNobodyCatchesEndsTheRun() throws {
    let result = try BuiltProgram().run([
      "--memory-limit", "40", "-e", "for i = 1, math.huge do after(1000, print) end",
    ])
    #expect(result.status == 1 && result.errors.contains("error: not enough memory (limit 40 MB)"), "\(result)")
  }
}
