import Modeling
import PostgresStorage
import Queries
import StorageTestSupport
import Stores
import TestSupport
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled)) struct PostgresExaminingTests {
  private let server: PostgresServer
  private let database: String

  init() throws {
    server = try PostgresServer.shared.get()
    database = try server.makeDatabase(for: "examining")
  }

  private func shelf() throws -> PostgresStore {
    var title = Attribute("title", .string)
    title.isOptional = false
    var novel = EntityDescription("Novel", properties: [])
    novel.parent = "Book"
    let model = try Model([
      EntityDescription(
        "Book",
        properties: [.attribute(title), .relationship(Relationship(toOne: "author", "Author", inverse: "books"))]),
      novel,
      EntityDescription(
        "Author", properties: [.relationship(Relationship(toMany: "books", "Book", inverse: "author"))]),
    ])
    return try server.open(database) { ($0.model, $0.create) = (model, true) }
  }

  @Test func aSoundDatabaseHasNoProblems() throws {
    let store = try shelf()
    _ = try store.insert(try #require(store.model.entity(named: "Author")), [])
    #expect(try store.verify().isEmpty)
    let diagnosis = store.examine()
    #expect(diagnosis.isHealthy && diagnosis.unread.isEmpty && diagnosis.failure == nil)
    #expect(diagnosis.kind == .perilune && diagnosis.server?.hasPrefix("PostgreSQL ") == true)
    let author = try #require(diagnosis.sizes.first { $0.entities == ["Author"] })
    #expect(author.rows == 1 && (author.bytes ?? 0) > 0 && diagnosis.size > 0)
    #expect(diagnosis.foreignTriggers.isEmpty)
  }

  @Test func whatTheServerDoesNotEnforceIsFound() throws {
    let store = try shelf()
    let book = try #require(store.model.entity(named: "Book"))
    let (table, kind) = (store.layout(of: book).table, try #require(store.layout(of: book).discriminator?.column))
    let key = try #require(store.layout(of: book).key.columns.first)
    let author = try #require(store.layout(of: book).columns.first { $0.name.hasPrefix("author") }?.name)
    let constraints = try server.psql(
      database, "SELECT conname FROM pg_constraint WHERE conrelid = '\(table)'::regclass AND contype IN ('f', 'c')")
    for name in constraints.split(separator: "\n") {
      try server.psql(database, "ALTER TABLE \(table) DROP CONSTRAINT \"\(name)\"")
    }
    try server.psql(
      database,
      """
      ALTER TABLE \(table) ALTER COLUMN title DROP NOT NULL, ALTER COLUMN \(kind) DROP NOT NULL;
      INSERT INTO \(table) (\(key), \(kind), title, \(author)) VALUES (1, 'Book', NULL, NULL), (2, 'Novel', 'a', 99),
        (3, 'Play', 'b', NULL);
      ALTER TABLE \(table) ADD CONSTRAINT long CHECK (length(title) > 3) NOT VALID
      """)
    let problems = try store.verify()
    func keys(_ rule: StoreProblem.Rule) -> [Int64?] { problems.filter { $0.rule == rule }.map(\.key) }
    #expect(keys(.mandatory) == [1] && keys(.destination) == [2] && keys(.entity) == [3], "\(problems)")
    #expect(problems.first { $0.rule == .integrity }?.subject == "long")
    #expect(problems.count == 4 && store.examine().problems == problems)
  }

  @Test func whatOthersAddedIsTold() throws {
    let store = try server.open(
      database,
      after: """
        CREATE TABLE box (id int PRIMARY KEY, inside int REFERENCES box);
        CREATE FUNCTION ring() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
        CREATE TRIGGER bell BEFORE INSERT ON box FOR EACH ROW EXECUTE FUNCTION ring()
        """)
    let diagnosis = store.examine()
    #expect(diagnosis.unindexed == ["box.inside"] && diagnosis.foreignTriggers == ["bell"])
    #expect(diagnosis.fileObstacle == nil)
    let other = try server.open(database)
    #expect(store.examine().holders.contains { $0.hasPrefix("perilune of ") })
    other.close()
  }
}
