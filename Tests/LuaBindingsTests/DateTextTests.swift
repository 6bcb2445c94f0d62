import Foundation
import LuaBindings
import LuaRuntime
import Stores
import TestSupport
import Testing

/// Files made elsewhere that keep dates as text, as scripts see them.
@Suite struct DateTextTests {
  let folder: TemporaryFolder
  let script: Script
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("shop.sqlite")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = [
      path,
      """
      CREATE TABLE orders(id INTEGER PRIMARY KEY, total REAL, ordered_at DATETIME NOT NULL, ship_on DATE);
      INSERT INTO orders VALUES (1, 12, '2024-01-31 18:30:00', '2024-02-01'), (2, 30, '2024-02-01 09:00:00.5', NULL),
        (3, 5, '2024-02-20 00:00:00', '2024-02-21');
      """,
    ]
    try process.run()
    process.waitUntilExit()
    script = try Script()
    try script.run("use(open('\(path)'))")
  }

  private func texts(_ column: String) throws -> String {
    try script.value(
      "(select(2, pcall(function() local t = {} "
        + "for _, r in ipairs(store:sql(\"SELECT coalesce(\(column), '-') || '' AS x FROM orders ORDER BY id\")) do t[#t + 1] = r.x end "
        + "return table.concat(t, ' | ') end)))")
  }

  @Test func questionsNeedNoCast() throws {
    #expect(try script.value("Orders:find(1).ordered_at, Orders:find(2).ship_on") == "2024-01-31T18:30:00Z nil")
    #expect(
      try script.value("Orders:count('ordered_at >= %@', Date '2024-02-01'), Orders:count 'ship_on == nil'") == "2 1")
    #expect(try script.value("Orders:count 'year(ordered_at) == 2024 AND month(ship_on) == \"2024-02\"'") == "2")
    #expect(
      try script.value("Orders:min 'ordered_at', Orders:max 'ship_on'") == "2024-01-31T18:30:00Z 2024-02-21T00:00:00Z")
    #expect(try script.value("Orders:sorted('-ordered_at'):first().id") == "3")
    #expect(
      try script.value(
        "(function() local t = {} for _, g in ipairs(Orders:groupBy({ m = 'month(ordered_at)' }, { n = 'count()' })) do t[#t + 1] = g.m .. '=' .. g.n end return table.concat(t, ' ') end)()"
      ) == "2024-01=1 2024-02=2")
  }

  @Test func theTextsAreThereForThoseWhoAsk() throws {
    #expect(try script.value("Orders:count 'CAST(ordered_at, \"NSString\") BEGINSWITH \"2024-02\"'") == "2")
    try script.run("use(open('\(path)', { textDates = false }))")
    #expect(try script.value("Orders:find(1).ordered_at") == "2024-01-31 18:30:00")
    #expect(
      script.error("Orders:count 'year(ordered_at) == 2024'")
        == #"year takes a date, not ordered_at (String); write CAST(ordered_at, "NSDate")"#)
    var options = Engine.Options()
    options.readsDateTexts = false
    let other = try Script(options)
    try other.run("use(open('\(path)'))")
    #expect(try other.value("Orders:find(1).ordered_at") == "2024-01-31 18:30:00")
  }

  @Test func whatIsWrittenHasTheFormOfTheColumn() throws {
    try script.run(
      "Orders:find(1).ordered_at = Date '2024-03-01T10:00:00.25Z' Orders { total = 1, ordered_at = Date(0) } save()")
    #expect(
      try texts("ordered_at")
        == "2024-03-01 10:00:00.25 | 2024-02-01 09:00:00.5 | 2024-02-20 00:00:00 | 1970-01-01 00:00:00")
    #expect(try script.value("Orders:find(1).ordered_at") == "2024-03-01T10:00:00.25Z")
    try script.run("Orders:batchUpdate('id == 2', { ship_on = Date '2024-05-05' })")
    #expect(try texts("ship_on") == "2024-02-01 | 2024-05-05 | 2024-02-21 | -")
    #expect(
      script.error("Orders:find(3).ship_on = Date '2024-03-01T10:00:00Z' save()")
        == "Orders.ship_on is kept as text such as '2024-03-01', which cannot hold 2024-03-01T10:00:00Z")
    try script.run("rollback() store:undoSave() store:undoSave()")
    #expect(try texts("ordered_at") == "2024-01-31 18:30:00 | 2024-02-01 09:00:00.5 | 2024-02-20 00:00:00")
  }

  @Test func liveResultsFollow() throws {
    try script.run(
      """
      live = Orders:where("ordered_at >= %@", Date "2024-02-01"):sorted("-ordered_at"):live()
      days = SectionedFetchRequest { entity = Orders, sectionIdentifier = "day(ordered_at)", sortDescriptors = { "ordered_at" } }:live()
      """)
    try script.run("Orders { total = 1, ordered_at = Date '2024-02-10T00:00:00Z' } context:processPendingChanges()")
    #expect(try script.value("#live, live[2].total, #days, days[3].name") == "3 1.0 4 2024-02-10")
    try script.run("save() Orders:find(1).ordered_at = Date '2025-01-01' save()")
    #expect(try script.value("#live, live[1].id, days[#days].name") == "4 1 2025-01-01")
    try script.run("store:sql \"UPDATE orders SET ordered_at = 'never' WHERE id = 1\"")
    #expect(try script.value("#live, Orders:find(1).ordered_at") == "3 never")
  }

  @Test func rowsAreImportedAndCopiedAsDates() throws {
    let rows = folder.file("more.csv")
    try Data("id,total,ordered_at,ship_on\n7,1,2024-06-01T10:00:00Z,2024-06-02\n".utf8).write(to: URL(filePath: rows))
    try script.run("import(Orders, '\(rows)')")
    #expect(try texts("ordered_at").hasSuffix(" | 2024-06-01 10:00:00"))
    #expect(try texts("ship_on").hasSuffix(" | 2024-06-02"))
    try script.run(
      """
      shop = store
      own = open("\(folder.file("own.sqlite"))", { create = true,
        model = Model { Orders = Entity { total = Double, ordered_at = Date, ship_on = Date } } })
      shop:copy(own)
      """)
    #expect(
      try script.value(
        "own:sql('SELECT min(typeof(ordered_at)) AS kind, count(*) AS n, min(ordered_at) AS first FROM orders')[1].kind"
      )
        == "real")
    #expect(try script.value("own.entities.Orders:count('ordered_at >= %@', Date '2024-02-01')") == "3")
  }
}
