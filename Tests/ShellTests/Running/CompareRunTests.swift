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
}
