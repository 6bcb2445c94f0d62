import LuaBindings
import TestSupport
import Testing

/// Where stores are opened read-only, those that rows and dumps make in memory are, too.
@Suite struct ReadOnlyRowsTests {
  private let folder: TemporaryFolder
  private let script: Script

  init() throws {
    folder = try TemporaryFolder()
    var options = Engine.Options()
    options.opensReadOnly = true
    script = try Script(options)
  }

  static let files = [
    ("item.csv", "n\n1\n2\n"), ("item.json", "[{\"n\": 1}, {\"n\": 2}]"),
    ("item.sql", "CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO item (n) VALUES (1), (2);"),
  ]

  @Test(arguments: files) func everyWriteIsRefused(_ name: String, _ text: String) throws {
    try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
    try script.run("use(open('\(folder.file(name))'))")
    let writes = [
      "Item { n = 3 } save()", "Item:first().n = 3 save()", "Item:first():delete() save()",
      "Item:all():update { n = 3 }",
      "Item:all():delete()", "store:sql 'DELETE FROM item'", "store:sql 'BEGIN; UPDATE item SET n = 3'",
      "store:sql 'ROLLBACK; PRAGMA query_only = OFF; BEGIN; UPDATE item SET n = 3'",
      "store:sql 'ROLLBACK; DROP TABLE item'",
      "import(Item, '\(folder.file(name))')",
    ]
    for write in writes where write != writes.last || !name.hasSuffix("sql") {
      #expect(script.error(write)?.contains("read-only") == true, "\(write): \(script.error(write) ?? "written")")
    }
    #expect(try script.value("Item:count(), Item:all():sum 'n'") == "2 3")
    try script.run("local other = open(':memory:', { model = store.model }) store:copy(other)")
  }
}
