import Foundation
import TestSupport
import Testing

/// Differences of stores of one kind are made in stores of another kind.
@Suite struct DifferencesAcrossStoresTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .path

  /// `quakes.sqlite`, two changed copies of it, and a database on a server with the objects of the first copy.
  private func onServer(_ mine: String, _ theirs: String) throws -> (program: BuiltProgram, address: String) {
    let program = try BuiltProgram.withStore()
    let server = try PostgresServer.shared.get()
    let address = server.address(of: try server.makeDatabase(for: "differences"))
    for (name, change) in [("mine.sqlite", mine), ("theirs.sqlite", theirs)] {
      try FileManager.default.copyItem(atPath: program.path("quakes.sqlite"), toPath: program.path(name))
      try expect(program, [name, "-e", change + " save()"])
    }
    try expect(program, ["subset", "mine.sqlite", address])
    return (program, address)
  }

  /// Runs the program, which must succeed.
  @discardableResult
  private func expect(_ program: BuiltProgram, _ arguments: [String]) throws -> BuiltProgram.Result {
    let result = try program.run(arguments)
    #expect(result.status == 0, "\(arguments): \(result)")
    return result
  }

  @Test(.enabled(if: PostgresServer.isInstalled)) func aPatchMakesADatabaseOnAServerAFile() throws {
    let (program, address) = try onServer(
      "",
      "Quake:find('us1').magnitude = 0.5 Quake:find('us2'):delete() Report { text = 'r', quake = Quake { code = 'n' } }"
    )
    let compared = try program.run(["compare", address, "theirs.sqlite", "--patch", "p.patch"])
    #expect(compared.status == 1, "\(compared)")
    let dry = try expect(program, ["apply", "p.patch", address, "--dry-run"])
    #expect(dry.output.contains("nothing of this was kept"), "\(dry)")
    let applied = try expect(program, ["apply", "p.patch", address])
    #expect(applied.errors.contains("2 inserted, 1 updated, 1 deleted\n"), "\(applied)")
    let same = try program.run(["compare", address, "theirs.sqlite", "Quake"])
    #expect(same.status == 0, "\(same)")
    // What has become another value meanwhile is refused, and nothing is written.
    try expect(program, [address, "-e", "Quake:find('us1').magnitude = 9 save()"])
    let back = try program.run(["compare", "theirs.sqlite", "mine.sqlite", "Quake", "--patch", "back.patch"])
    #expect(back.status == 1)
    let refused = try program.run(["apply", "back.patch", address])
    #expect(
      refused.status == 1 && refused.errors.contains("Quake us1: magnitude is 9.0, expected 0.5, to become 1.5"),
      "\(refused)")
    #expect(try program.run([address, "-e", "print(Quake:find('us2'))"]).output == "nil\n")
  }

  @Test(.enabled(if: PostgresServer.isInstalled)) func threeStoresAreMergedOnAServer() throws {
    let (program, address) = try onServer(
      "Quake:find('us1').magnitude = 9 Quake { code = 'm' }",
      "Quake:find('us1').magnitude = 8 Quake:find('us3').place = 'there' Quake { code = 'n' } Quake:find('us4'):delete()"
    )
    let state =
      "local t = {} for q in Quake:all():sorted 'code':each() do t[#t + 1] = q.code .. ' ' .. q.magnitude end print(table.concat(t, ','))"
    let refused = try program.run(["merge", "quakes.sqlite", address, "theirs.sqlite"])
    #expect(
      refused.status == 1 && refused.errors.contains("Quake us1: magnitude is 9.0, expected 1.5, to become 8.0"),
      "\(refused)")
    #expect(
      try program.run([address, "-e", state]).output == "m 0.0,us1 9.0,us2 2.5,us3 3.5,us4 4.5,us5 5.5\n")
    let merged = try expect(program, ["merge", "quakes.sqlite", address, "theirs.sqlite", "--policy", "storeTrump"])
    #expect(merged.errors.contains("1 inserted, 1 updated, 1 deleted\n"), "\(merged)")
    #expect(
      merged.errors.contains("left as it is: Quake us1: magnitude is 9.0, expected 1.5, to become 8.0"), "\(merged)")
    #expect(
      try program.run([address, "-e", state]).output == "m 0.0,n 0.0,us1 9.0,us2 2.5,us3 3.5,us5 5.5\n")
    #expect(try program.run([address, "-e", "Quake:find('us3').place"]).output == "there\n")
  }

  @Test(.enabled(if: PostgresServer.isInstalled)) func aServerIsTextForProgramsThatCompareLines() throws {
    let (program, address) = try onServer("", "")
    let text = try expect(program, ["compare", "--textconv", address]).output
    #expect(text == (try expect(program, ["compare", "--textconv", "mine.sqlite"]).output))
    #expect(text.contains("\nQuake us1\n  code = \"us1\"\n  magnitude = 1.5\n"), "\(text)")
  }

  @Test(arguments: [false, true]) func rowsOfAFileAreApplied(_ isOnServer: Bool) throws {
    if isOnServer, !PostgresServer.isInstalled { return }
    let program = try BuiltProgram()
    var store = "items.sqlite"
    if isOnServer {
      let server = try PostgresServer.shared.get()
      store = server.address(of: try server.makeDatabase(for: "rows"))
    }
    try program.write(
      "make.lua",
      """
      local model = Model { Item = Entity { code = String { unique = true }, count = Int, place = String } }
      local store = open("\(store)", { model = model, create = true })
      for i = 1, 3 do store.entities.Item { code = "i" .. i, count = i, place = "left" } end
      store.context:save()
      """)
    try expect(program, ["make.lua"])
    try program.write("items.csv", "code,count,place\ni3,30,left\ni1,1,right\ni4,4,\n")
    let compared = try program.run(["compare", store, "items.csv", "--patch", "p.patch"])
    #expect(compared.status == 1, "\(compared)")
    let applied = try expect(program, ["apply", "p.patch", store])
    #expect(applied.errors.contains("1 inserted, 2 updated, 1 deleted\n"), "\(applied)")
    let rows =
      "for i in Item:all():sorted 'code':each() do print(i.code, i.count, i.place) end"
    #expect(try expect(program, [store, "-e", rows]).output == "i1\t1\tright\ni3\t30\tleft\ni4\t4\tnil\n")
  }

  /// An app's store, one of our own, tables of another program, rows, and a server.
  @Test func eachKindOfStoreIsComparedWithEachOther() throws {
    let program = try BuiltProgram()
    #expect(try program.shell(["python3", Self.root + "/Examples/app-store/make.py", "Recipes.sqlite"]).status == 0)
    try FileManager.default.createDirectory(atPath: program.path("other"), withIntermediateDirectories: true)
    let table = "CREATE TABLE ingredient (id INTEGER PRIMARY KEY, name TEXT)"
    let make = "import sqlite3; sqlite3.connect('tables.sqlite').execute('\(table)')"
    #expect(try program.shell(["python3", "-c", make]).status == 0)
    var address = "none"
    if PostgresServer.isInstalled {
      let server = try PostgresServer.shared.get()
      address = server.address(of: try server.makeDatabase(for: "kinds"))
    }
    try program.write(
      "compare.lua",
      """
      local address = ...
      local stores, names = { app = open "Recipes.sqlite" }, {}
      for object in stores.app.entities.Ingredient:all():sorted "name":each() do names[#names + 1] = object.name end
      local model = Model { Ingredient = Entity { name = String { unique = true } } }
      local function fill(store)
        for i = #names, 1, -1 do store.entities.Ingredient { name = names[i] } end
        store.context:save()
        return store
      end
      stores.own = fill(open(":memory:", { model = model }))
      if address ~= "none" then stores.server = fill(open(address, { model = model, create = true })) end
      stores.tables = fill(open "tables.sqlite")
      local function rows(path, first, from)
        local file <close> = io.open(path, "w")
        file:write("name\\n", first, table.concat(names, "\\n", from), "\\n")
        file:close()
        return open(path)
      end
      stores.rows = rows("ingredients.csv", "", 1)
      local changed = rows("other/ingredients.csv", "new\\n", 2)
      local count = 0
      local function check(what, one, two, new, equal)
        local found = one:compare(two, { by = "name", entities = { "Ingredient" } }).counts.Ingredient
        local text = found.inserted .. " " .. found.deleted .. " " .. found.updated .. " " .. found.equal
        assert(text == new .. " " .. new .. " 0 " .. equal, what .. ": " .. text)
        count = count + 1
      end
      for first, one in pairs(stores) do
        for second, two in pairs(stores) do check(first .. ", " .. second, one, two, 0, #names) end
        check(first .. ", changed rows", one, changed, 1, #names - 1)
        check("changed rows, " .. first, changed, one, 1, #names - 1)
      end
      print(count)
      """)
    let kinds = PostgresServer.isInstalled ? 5 : 4
    #expect(try expect(program, ["compare.lua", address]).output == "\(kinds * (kinds + 2))\n")
  }

  @Test func theStoreOfAnAppBecomesWhatItWasAfterARun() throws {
    let program = try BuiltProgram()
    #expect(try program.shell(["python3", Self.root + "/Examples/app-store/make.py", "Recipes.sqlite"]).status == 0)
    try FileManager.default.copyItem(atPath: program.path("Recipes.sqlite"), toPath: program.path("after.sqlite"))
    let change = """
      local recipe = Recipe:where("title == 'Tacos'"):first()
      recipe.title = "Tacos al pastor"
      recipe.ingredients:add(Ingredient { name = "pineapple" })
      Recipe:where("title == 'Crêpes'"):first():delete()
      save()
      """
    try expect(program, ["--write", "after.sqlite", "-e", change])
    let compared = try program.run(["compare", "Recipes.sqlite", "after.sqlite", "--patch", "p.patch"])
    #expect(compared.status == 1, "\(compared)")
    try expect(program, ["apply", "p.patch", "Recipes.sqlite"])
    let same = try program.run(["compare", "Recipes.sqlite", "after.sqlite", "Recipe"])
    #expect(same.status == 0, "\(same)")
    // The books of the framework are kept.
    #expect(
      try expect(program, ["Recipes.sqlite", "-e", "print(store.kind, #store:verify(), Recipe:count())"]).output
        == "coredata\t0\t4\n")
  }

  @Test func aValueWhoseFileIsMissingIsNotCompared() throws {
    let program = try BuiltProgram()
    #expect(try program.shell(["python3", Self.root + "/Examples/app-store/make.py", "Recipes.sqlite"]).status == 0)
    // Large values are in a folder beside the store.
    try FileManager.default.copyItem(atPath: program.path("Recipes.sqlite"), toPath: program.path("alone.sqlite"))
    for stores in [["Recipes.sqlite", "alone.sqlite"], ["alone.sqlite", "Recipes.sqlite"]] {
      let compared = try expect(program, ["compare"] + stores)
      #expect(!compared.output.contains("photo") && compared.errors.contains("which is not there"), "\(compared)")
    }
  }
}
