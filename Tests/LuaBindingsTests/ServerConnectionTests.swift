import Foundation
import TestSupport
import Testing

@testable import LuaBindings

/// Connections to a server that the server ends, and those of stores that scripts drop.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ServerConnectionTests {
  private let server: PostgresServer
  private let database: String
  private let script: Script

  init() throws {
    server = try PostgresServer.shared.get()
    database = try server.makeDatabase(for: "connections")
    script = try Script()
    try script.run(
      """
      path = '\(server.address(of: database))'
      use(open(path, { create = true, model = Model { Note = Entity { text = String } } }))
      """)
  }

  private var connections: Int {
    get throws {
      let count = try server.psql(
        database,
        "SELECT 'n=' || count(*) FROM pg_stat_activity WHERE datname = '\(database)' AND pid <> pg_backend_pid()")
      return count.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }.last ?? -1
    }
  }

  @Test func liveResultsGoOnWhereTheServerHasEndedTheirConnections() throws {
    try script.run(
      """
      live = store.entities.Note:sorted 'text':live()
      told = 0
      live:onChange(function(change) told = told + #change.inserted end)
      """)
    try script.run("Note { text = 'a' } save()")
    for text in ["b", "c"] {
      try server.psql(
        database,
        "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE datname = '\(database)' AND pid <> pg_backend_pid()"
      )
      try server.psql(database, "INSERT INTO note (text) VALUES ('\(text)')")
      try script.run("runLoop { seconds = 2.5 }")
      #expect(
        try script.value("#live, live[#live].text, told") == "\(text == "b" ? 2 : 3) \(text) \(text == "b" ? 2 : 3)")
    }
    try script.run("Note { text = 'd' } save()")
    #expect(try script.value("#live, told") == "4 4")
  }

  @Test func storesThatARunDropsKeepFewConnections() throws {
    let before = try connections
    try script.run(
      "for i = 1, 60 do local s = open(path) for note in s.entities.Note:all():each() do assert(note.text) end end")
    #expect(script.engine.stores.all.count <= 9)
    #expect(try connections <= before + 30)
    script.collect()
    #expect(script.engine.stores.all.count == 1)
    for _ in 0..<100 where try connections > before { usleep(50_000) }
    #expect(try connections <= before)
    #expect(try script.value("Note:count()") == "0")
  }
}
