import Foundation
import Testing

@Suite struct CompareRunTests {
  private func changed() throws -> BuiltProgram {
    let program = try BuiltProgram.withStore()
    try FileManager.default.copyItem(atPath: program.path("quakes.sqlite"), toPath: program.path("b.sqlite"))
    #expect(try program.run(["b.sqlite", "-e", "Quake:first().magnitude = 0.5 save()"]).status == 0)
    return program
  }

  @Test func theStatusSaysWhetherStoresAreEqual() throws {
    let program = try changed()
    let same = try program.run(["compare", "quakes.sqlite", "quakes.sqlite"])
    #expect(same.status == 0, "\(same.errors)")
    #expect(!same.output.contains("~"))
    let other = try program.run(["compare", "quakes.sqlite", "b.sqlite"])
    #expect(other.status == 1)
    #expect(other.output.contains("~ Quake ") && other.output.contains(" → 0.5\n"), "\(other.output)")
    #expect(other.output.contains("1 updated"))
    #expect(try program.run(["compare", "quakes.sqlite", "nothere.sqlite"]).status == 66)
    #expect(try program.run(["compare", "quakes.sqlite"]).status == 64)
    let unknown = try program.run(["compare", "quakes.sqlite", "b.sqlite", "Quak"])
    #expect(unknown.status == 64)
    #expect(unknown.errors.contains("the store has no entity 'Quak'; did you mean 'Quake'?"))
  }

  @Test func differencesAreRowsInTheModesOfData() throws {
    let program = try changed()
    let rows = try program.run(["compare", "quakes.sqlite", "b.sqlite", "Quake", "--mode", "csv"])
    #expect(try program.run(["compare", "quakes.sqlite", "b.sqlite", "Quake", "--csv"]).output == rows.output)
    #expect(try program.run(["compare", "quakes.sqlite", "b.sqlite", "--csv", "--sql"]).status == 64)
    let lines = rows.output.split(separator: "\n")
    #expect(rows.status == 1 && lines.count == 2, "\(rows.output)")
    #expect(lines.first == "change,entity,identity,property,old,new")
    #expect(lines.last?.hasPrefix("updated,Quake,") == true && lines.last?.hasSuffix(",0.5") == true)
    let ignored = try program.run(["compare", "quakes.sqlite", "b.sqlite", "--ignore", "magnitude", "--json"])
    #expect(ignored.output == "[]\n" && ignored.status == 0)
    let none = try program.run(["compare", "quakes.sqlite", "b.sqlite", "Quake", "--where", "magnitude > 11"])
    #expect(none.status == 0 && none.output.hasSuffix(": 0 equal\n"), "\(none.output)")
  }

  @Test func theCommandComparesTheOpenStore() throws {
    let program = try changed()
    let result = try program.run(["quakes.sqlite"], input: ".compare b.sqlite Quake\nprint 'not reached'\n")
    #expect(result.status == 1)
    #expect(result.output.contains(" → 0.5\n") && !result.output.contains("not reached"), "\(result.output)")
    let refused = try program.run(["--sandbox", "quakes.sqlite"], input: ".compare b.sqlite\n")
    #expect(refused.errors.contains("scripts have no files in it"), "\(refused.errors)")
  }

  @Test func rowsAreComparedWithAStore() throws {
    let program = try BuiltProgram()
    for folder in ["a", "b"] {
      try FileManager.default.createDirectory(atPath: program.path(folder), withIntermediateDirectories: true)
    }
    try program.write("a/items.csv", "code,n\nx,1\ny,2\n")
    try program.write("b/items.csv", "code,n\ny,3\nx,1\n")
    let plain = try program.run(["compare", "a/items.csv", "b/items.csv", "--by", "code", "-q"])
    #expect(plain.output == "~ Item y: n 2 → 3\nItem by code: 1 updated, 1 equal\n", "\(plain)")
  }

  /// Two stores whose books have other numbers, slightly other prices, and another order of one author.
  private func libraries() throws -> BuiltProgram {
    let program = try BuiltProgram()
    try program.write(
      "make.lua",
      """
      local store = open(..., { create = true, model = Model {
        Author = Entity { name = String { unique = true }, books = ToMany "Book" { inverse = "author", ordered = true } },
        Book = Entity { title = String, price = Double, at = Date, author = ToOne "Author" { inverse = "books" } } } })
      local isOther = select(2, ...) ~= nil
      for _, name in ipairs(isOther and { "b", "a" } or { "a", "b" }) do
        local author = store.entities.Author { name = name }
        for i = 1, 3 do
          local extra = isOther and 0.001 or 0
          author.books:add(store.entities.Book { title = "t" .. i, price = i + extra, at = Date(1e9 + i + extra) })
        end
        if isOther and name == "b" then author.books = { author.books[3], author.books[1], author.books[2] } end
        store.context:save()
      end
      """)
    #expect(try program.run(["make.lua", "a.sqlite"]).status == 0)
    #expect(try program.run(["make.lua", "b.sqlite", "other"]).status == 0)
    return program
  }

  @Test func anIdentityOfAnotherObjectAToleranceAndAnOrderAreCompared() throws {
    let program = try libraries()
    let stores = ["compare", "a.sqlite", "b.sqlite", "--by", "author,title"]
    let exact = try program.run(stores + ["Book"])
    #expect(
      exact.output.hasPrefix(
        "~ Book a, t1: at Date \"2001-09-09T01:46:41Z\" → Date \"2001-09-09T01:46:41.001Z\", price 1.0 → 1.001\n")
        && exact.output.hasSuffix("\nBook by author, title: 6 updated, 0 equal\n"), "\(exact)")
    let near = try program.run(stores + ["--tolerance", "0.01"])
    #expect(
      near.output
        == "~ Author b: books moved (b, t3)\nAuthor by name: 1 updated, 1 equal\nBook by author, title: 6 equal\n",
      "\(near)")
    let json = try program.run(stores + ["--tolerance", "0.01", "--json"])
    #expect(json.output.contains(#""old":"{ (b, t1), (b, t2), (b, t3) }""#), "\(json)")
  }

  @Test(arguments: ["--sql", "--lua", "--patch"]) func whatIsWrittenMakesTheStoresEqual(_ form: String) throws {
    let program = try libraries()
    let stores = ["compare", "a.sqlite", "b.sqlite", "--by", "author,title"]
    let written = try program.run(stores + (form == "--patch" ? [form, "p.patch"] : [form]))
    #expect(written.status == 1, "\(written)")
    try program.write("made.lua", written.output)
    let applied =
      switch form {
      case "--sql": try program.run(["a.sqlite", "-e", ".sql " + written.output.replacing("\n", with: " ")])
      case "--lua": try program.run(["a.sqlite", "made.lua"])
      default: try program.run(["apply", "p.patch", "a.sqlite"])
      }
    #expect(applied.status == 0, "\(applied)")
    let same = try program.run(stores)
    #expect(same.status == 0, "\(same)")
  }
}
