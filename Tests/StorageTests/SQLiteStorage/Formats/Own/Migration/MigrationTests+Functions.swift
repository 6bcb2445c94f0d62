import Modeling
import Queries
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

// Migrations with a function for what cannot be inferred.
extension MigrationTests {
  @Test func aFunctionSeesToTheRest() throws {
    let old = [EntityDescription("Person", properties: [Declare.attribute("name", .string)])]
    let new = [
      EntityDescription(
        "Person",
        properties: [
          Declare.attribute("first", .string) { $0.isOptional = false },
          Declare.attribute("last", .string) { $0.isOptional = false },
        ])
    ]
    var seen: [String] = []
    let store = try migrate(old, "INSERT INTO person VALUES (1, 'Ada Lovelace')", to: new) { migration in
      seen = migration.obstacles
      #expect(migration.old.isReadOnly && migration.old.model.entities[0].attributes.map(\.name) == ["name"])
      let (old, new) = (migration.old.model.entities[0], migration.new.model.entities[0])
      let people = try migration.old.cursor(FetchRequest(old))
      while try people.step() {
        let parts = String(decoding: people.bytes(0), as: UTF8.self).split(separator: " ").map(String.init)
        let changes = parts.enumerated().map { (column: $0, value: Value.string($1)) }
        #expect(try migration.new.update(new, key: people.key, changes))
      }
      #expect(fact { try migration.old.delete(old, key: 1) } == .readOnly)
    }
    #expect(
      seen == [
        "Person.first: 1 object has no value, and it is required",
        "Person.last: 1 object has no value, and it is required",
      ])
    #expect(try rows(store, "SELECT * FROM person") == [[.int(1), .string("Ada"), .string("Lovelace")]])
  }

  @Test func aFunctionIsCalledAlsoWhereEverythingIsInferred() throws {
    let old = [EntityDescription("Person", properties: [Declare.attribute("name", .string)])]
    var seen: [[String]] = []
    let more = old + [EntityDescription("Tag")]
    let store = try migrate(old, "INSERT INTO person VALUES (1, 'Ada')", to: more) { migration in
      seen.append(migration.obstacles)
      _ = try migration.new.sql("UPDATE person SET name = upper(name)")
    }
    #expect(seen == [[]])
    #expect(try rows(store, "SELECT name FROM person") == [[.string("ADA")]])
  }

  @Test func aFunctionThatFailsUndoesEverything() throws {
    struct Failure: Error {}
    let old = [EntityDescription("Person", properties: [Declare.attribute("name", .string)])]
    let new = [
      EntityDescription("Person", properties: [Declare.attribute("age", .integer64) { $0.isOptional = false }])
    ]
    #expect(throws: Failure.self) {
      try migrate(old, "INSERT INTO person VALUES (1, 'Ada')", to: new) { _ in throw Failure() }
    }
    let store = try SQLiteStore(StoreOptions(path: folder.file("store.sqlite")))
    #expect(try rows(store, "SELECT * FROM person") == [[.int(1), .string("Ada")]])
  }
}
