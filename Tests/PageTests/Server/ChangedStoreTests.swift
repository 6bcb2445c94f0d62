import Foundation
import Stores
import TestSupport
import Testing

@testable import Page

/// Forms of pages do the same in stores of all kinds.
@Suite struct ChangedStoreTests {
  @Test(.enabled(if: PostgresServer.isInstalled)) func aDatabaseOnAServerIsChanged() throws {
    let server = try PostgresServer.shared.get()
    let database = server.address(of: try server.makeDatabase(for: "page"))
    let served = try ServedStore(permitsChanges: true, at: database)
    #expect(try set("magnitude", of: "us4", to: "7.25", served) == 303)
    try served.run("assert(context.hasChanges)")
    #expect(try served.form("/-/changes", [:], "/-/save").send([:]).status == .seeOther)
    #expect(try set("place", of: "us4", to: "mine", served) == 303)
    try served.commit("Quake:find('us4').place = 'theirs'")
    let refused = try served.form("/-/changes", [:], "/-/save").send([:])
    #expect(refused.status == .conflict && refused.text.contains("<td>&quot;theirs&quot;</td>"))
    #expect(try served.form(in: refused.text, "/-/resolve", at: 1).send([:]).status == .seeOther)
    try served.run("assert(Quake:find('us4').place == 'theirs' and not context.hasChanges)")
    let key = try key(of: "us4", "Quake", served)
    #expect(try served.form("/-/delete", ["entity": "Quake", "key": key]).send([:]).status == .seeOther)
    #expect(try served.form("/-/changes", [:], "/-/save").send([:]).status == .seeOther)
    #expect(try served.form("/-/changes", [:], "/-/undosave").send([:]).status == .seeOther)
    try served.run("assert(Quake:count() == 5 and #Quake:find('us4').reports == 1)")
  }

  /// The server counts first; what is unsaved, and what comes later, is counted here.
  @Test(.enabled(if: PostgresServer.isInstalled)) func facetsOfADatabaseOnAServerFollowIt() throws {
    let server = try PostgresServer.shared.get()
    let served = try ServedStore(permitsChanges: true, at: server.address(of: try server.makeDatabase(for: "facets")))
    served.server.store.lists.mostRowsRead = 2
    func counts(_ column: String, _ value: String, _ count: Int) throws -> Bool {
      try served.get("/Quake", ["facet": column, "part": "facets"]).text
        .contains(">\(value)</a></td><td class=\"number\">\(count)</td>")
    }
    #expect(try counts("place", "Lata", 1))
    try served.commit("Quake:find('us3').place = 'Lata'")
    try served.wait { try counts("place", "Lata", 2) }
    try served.run("Quake:find('us2').place = 'Lata'")
    #expect(try counts("place", "Lata", 3))
    // Counted while something is unsaved, and after that.
    try served.run("Quake:find('us1').magnitude = 4.5")
    #expect(try counts("magnitude", "4.5", 2))
    try served.run("rollback()")
    #expect(try counts("magnitude", "4.5", 1) && counts("place", "Lata", 2))
  }

  @Test func theStoreOfAnAppIsChangedByItsRules() throws {
    let served = try app(writes: true)
    let key = try key(of: "Tacos", "Recipe", served)
    let title = try served.form("/-/edit", ["entity": "Recipe", "key": key, "property": "title"])
    #expect(title.send(["value": "Tortas"]).status == .seeOther)
    let date = try served.form("/-/edit", ["entity": "Recipe", "key": key, "property": "createdAt"])
    #expect(date.text.contains(#"type="datetime-local""#))
    #expect(date.send(["value": "2024-06-01T00:00"]).status == .seeOther)
    let cost = try served.form("/-/edit", ["entity": "Recipe", "key": key, "property": "cost"])
    #expect(cost.send(["value": "12.345"]).status == .seeOther)
    let cuisine = try served.form("/-/edit", ["entity": "Recipe", "key": key, "property": "cuisine"])
    #expect(cuisine.send(["value": "French"]).status == .seeOther)
    #expect(try served.form("/-/changes", [:], "/-/save").send([:]).status == .seeOther)
    try served.run(
      """
      local r = Recipe:first "title == 'Tortas'"
      assert(r.createdAt == Date "2024-06-01" and r.cost == Decimal "12.345" and r.cuisine.name == "French")
      assert(#store:verify() == 0)
      """)
  }

  @Test func aStoreThatIsOnlyReadRefusesEachFormInItsWords() throws {
    let served = try app(writes: false)
    #expect(try !served.get("/Recipe", ["key": "1"]).text.contains("/-/edit"))
    #expect(try served.get("/-/edit", ["entity": "Recipe", "key": "1", "property": "title"]).status == 422)
    let added = try served.form("/-/add", ["entity": "Cuisine"]).send(["value.name": "x"])
    #expect(added.status == .unprocessable && added.text.contains("--write"))
  }

  private func app(writes: Bool) throws -> ServedStore {
    let folder = try TemporaryFolder()
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", root + "/Examples/app-store/make.py", folder.file("Recipes.sqlite")]
    try process.run()
    process.waitUntilExit()
    var options = StoreOptions(path: folder.file("Recipes.sqlite"))
    options.writesCoreData = writes
    return try ServedStore(options, in: folder, permitsChanges: true)
  }

  private func set(_ property: String, of code: String, to value: String, _ served: ServedStore) throws -> Int {
    let key = try key(of: code, "Quake", served)
    let form = try served.form("/-/edit", ["entity": "Quake", "key": key, "property": property])
    return form.send(["value": value]).status.rawValue
  }

  /// The key of the object with a name, from the link of its row.
  private func key(of name: String, _ entity: String, _ served: ServedStore) throws -> String {
    let condition = entity == "Quake" ? "code == '\(name)'" : "title == '\(name)'"
    let page = try served.get("/" + entity, ["where": condition]).text
    return page.firstMatch(of: /data-key="[A-Za-z]+\/([0-9]+)"/).map { String($0.1) } ?? ""
  }
}
