import Foundation
import TestSupport
import Testing

/// A model that is given with `--model` may change a store only as far as that was said.
@Suite struct MigratingTests {
  private let program: BuiltProgram

  init() throws {
    program = try BuiltProgram()
    for (name, properties) in [("old", "name = String, phone = String"), ("new", "name = String")] {
      let text = "return Model { Customer = Entity { \(properties) } }"
      try Data(text.utf8).write(to: URL(fileURLWithPath: program.path("\(name).lua")))
    }
  }

  private func fill(_ store: String) throws {
    let code = "for i = 1, 3 do Customer { name = 'c' .. i, phone = i < 3 and '555' or nil } end save()"
    let made = try program.run(["--create", "--model", "old.lua", store, "-e", code])
    #expect(made.status == 0, "\(made.errors)")
  }

  private func phones(_ store: String) throws -> String {
    try program.run([store, "-e", "Customer:count('phone != nil')"]).output
  }

  private let losses = "Customer.phone: 2 values would be lost"

  @Test func aModelThatLacksAColumnIsRefusedUnlessThatIsSaid() throws {
    try fill("shop.sqlite")
    let refused = try program.run(["--model", "new.lua", "shop.sqlite", "-e", "Customer:count()"])
    #expect(refused.status == 69 && refused.output.isEmpty)
    #expect(refused.errors.contains(losses) && refused.errors.contains("--migrate"), "\(refused.errors)")
    #expect(try phones("shop.sqlite") == "2\n")
    #expect(!FileManager.default.fileExists(atPath: program.path("shop.sqlite.migration-backup")))

    let tried = try program.run(["--dry-run", "--model", "new.lua", "shop.sqlite", "-e", "Customer:count()"])
    #expect(tried.status == 0 && tried.output.hasPrefix("3\n"), "\(tried)")
    #expect(
      tried.errors.contains("! " + losses) && tried.errors.contains("refused without --migrate"), "\(tried.errors)")
    #expect(try phones("shop.sqlite") == "2\n")

    let confined = try program.run(["--sandbox", "--model", "new.lua", "shop.sqlite", "-e", "Customer:count()"])
    #expect(confined.status == 69 && confined.errors.contains(losses), "\(confined)")

    let done = try program.run(["--migrate", "--model", "new.lua", "shop.sqlite", "-e", "Customer:count()"])
    #expect(done.status == 0 && done.output == "3\n")
    #expect(done.errors.contains("shop.sqlite.migration-backup"), "\(done.errors)")
    #expect(try phones("shop.sqlite.migration-backup") == "2\n")
    #expect(try program.run(["shop.sqlite", "-e", "Customer:where('phone != nil')"]).status == 1)
  }

  @Test(.enabled(if: PostgresServer.isInstalled))
  func aServersStoreIsRefusedInTheSameWay() throws {
    let server = try PostgresServer.shared.get()
    let address = server.address(of: try server.makeDatabase(for: "migrating"))
    try fill(address)
    let refused = try program.run(["--model", "new.lua", address, "-e", "Customer:count()"])
    #expect(refused.status == 69 && refused.output.isEmpty)
    #expect(refused.errors.contains(losses), "\(refused.errors)")
    #expect(refused.errors.contains("pg_dump makes a copy first") && !refused.errors.contains("keeps a copy"))
    let tried = try program.run(["--dry-run", "--model", "new.lua", address, "-e", "Customer:count()"])
    #expect(tried.status == 0 && tried.errors.contains("! " + losses), "\(tried)")
    #expect(try phones(address) == "2\n")
    let done = try program.run(["--migrate", "--model", "new.lua", address, "-e", "Customer:count()"])
    #expect(done.status == 0 && done.output == "3\n", "\(done)")
  }

  @Test(arguments: [["--migrate", "-e", "1"], ["--migrate", "--read-only", "--model", "new.lua", "a.sqlite"]])
  func theOptionIsRefusedWhereItMeansNothing(arguments: [String]) throws {
    #expect(try program.run(arguments).status == 64)
  }
}
