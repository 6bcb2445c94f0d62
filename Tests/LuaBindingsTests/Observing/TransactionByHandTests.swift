import TestSupport
import Testing

/// Observers are notified of a transaction that SQL begins after its COMMIT, and of none that is rolled back.
@Suite struct TransactionByHandTests {
  private static let model = "Model { Note = Entity { text = String } }"
  private static let observers = """
    told = {}
    local function tell(what) return function() table.insert(told, what) end end
    Note = store.entities.Note
    live = Note:sorted 'text':live()
    live:onChange(function(change) table.insert(told, 'live ' .. #change.inserted) end)
    Note:on('insert', tell 'insert')
    Note:on('update', tell 'update')
    context:on('objectsDidChange', tell 'objects')
    groups = Note:all():grouped({ 'text' }, { n = 'count' }):live()
    groups:onChange(tell 'groups')
    function take() local text = table.concat(told, ', ') told = {} return text end
    """

  private func onEachStore(_ body: (Script) throws -> Void) throws {
    let script = try Script()
    try script.run("use(open(':memory:', { model = \(Self.model) })) \(Self.observers)")
    try body(script)
    guard PostgresServer.isInstalled else { return }
    let server = try PostgresServer.shared.get()
    let address = try server.address(of: server.makeDatabase(for: "byhand"))
    let other = try Script()
    try other.run("use(open('\(address)', { create = true, model = \(Self.model) })) \(Self.observers)")
    try body(other)
  }

  @Test func nothingIsToldBeforeTheCommitAndAllOfItThen() throws {
    try onEachStore { script in
      try script.run("store:sql 'BEGIN' store:sql \"INSERT INTO note (text) VALUES ('a')\"")
      try script.run("store:sql \"INSERT INTO note (text) VALUES ('b')\"")
      _ = script.engine.turns.end()
      #expect(try script.value("take() .. #live .. Note:count()") == "02")
      try script.run("store:sql 'COMMIT'")
      #expect(try script.value("take()") == "live 2, insert, insert, objects, groups")
      #expect(try script.value("#live, #groups") == "2 2")
    }
  }

  @Test func nothingIsToldOfWhatIsTakenBack() throws {
    try onEachStore { script in
      try script.run(
        """
        store:sql 'BEGIN' store:sql "INSERT INTO note (text) VALUES ('a')"
        Note { text = 'b' } save()
        store:sql 'ROLLBACK'
        """)
      #expect(try script.value("take() .. #live .. Note:count()") == "00")
      try script.run("store:sql \"INSERT INTO note (text) VALUES ('c')\"")
      #expect(try script.value("take() .. #live") == "live 1, insert, objects, groups1")
    }
  }

  @Test func aSaveWithinItIsToldWithIt() throws {
    try onEachStore { script in
      try script.run("store:sql 'BEGIN' Note { text = 'b' } save()")
      #expect(try script.value("take()") == "")
      try script.run("store:sql \"UPDATE note SET text = 'z'\" store:sql 'COMMIT'")
      #expect(try script.value("#live, live[1].text, groups[1].text, take():find 'live 1' ~= nil") == "1 z z true")
    }
  }
}
