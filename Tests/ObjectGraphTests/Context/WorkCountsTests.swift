import Modeling
import Queries
import Testing

@testable import ObjectGraph

/// The number of objects that a change would concern, counted before it is made.
@Suite struct WorkCountsTests {
  let library: Library
  init() throws {
    library = try Library()
    for (title, loans) in [("a", 2), ("b", 0), ("c", 1)] {
      let book = try library.make("Book", ["title": .string(title)])
      for _ in 0..<loans { try book.add("loans", library.make("Loan")) }
    }
    try library.context.save()
  }

  private func request(_ name: String, _ predicate: String? = nil) throws -> FetchRequest {
    var request = FetchRequest(try library.entity(name))
    request.predicate = try predicate.map { try Predicate.parse($0) }
    return request
  }

  private func named(_ counts: [Entity: WorkCounts]) -> [String: WorkCounts] {
    Dictionary(uniqueKeysWithValues: counts.map { ($0.key.name, $0.value) })
  }

  @Test func deletingCountsWhatGoesAlongAndDeletesNothing() throws {
    let counts = try BatchForecast(library.context).deleted(by: request("Book", "title != 'b'"))
    #expect(named(counts) == ["Book": WorkCounts(deleted: 2), "Loan": WorkCounts(deleted: 3)])
    #expect(try library.rows("SELECT count(*) FROM book") == [[.int(3)]])
    #expect(try library.rows("SELECT count(*) FROM loan") == [[.int(3)]])
    #expect(!library.context.hasChanges)
  }

  @Test func whatHasNoneToTakeAlongIsCountedAlone() throws {
    #expect(named(try BatchForecast(library.context).deleted(by: request("Loan"))) == ["Loan": WorkCounts(deleted: 3)])
    #expect(try BatchForecast(library.context).deleted(by: request("Book", "title == 'x'")).isEmpty)
  }

  @Test func withinATransactionTheObjectsOfTheRequestAreCounted() throws {
    try library.context.transaction {
      let counts = try BatchForecast(library.context).deleted(by: request("Book"))
      #expect(named(counts) == ["Book": WorkCounts(deleted: 3)])
    }
    #expect(try library.rows("SELECT count(*) FROM book") == [[.int(3)]])
  }

  @Test func updatingCountsTheObjectsOfTheRequest() throws {
    let counts = try BatchForecast(library.context).updated(by: request("Book", "title > 'a'"), [])
    #expect(named(counts) == ["Book": WorkCounts(updated: 2)])
    #expect(try BatchForecast(library.context).updated(by: request("Book", "title == 'x'"), []).isEmpty)
  }

  @Test func unsavedChangesAreCountedByEntity() throws {
    let book = try library.all("Book")[0]
    try book.set("pages", .int(3))
    try library.make("Tag")
    try library.make("Tag").delete()
    let counts = named(library.context.unsavedCounts)
    #expect(counts["Book"] == WorkCounts(updated: 1))
    #expect(counts["Tag"].map { ($0.inserted, $0.updated, $0.deleted) } ?? (0, 0, 0) == (1, 0, 0))
    #expect(counts.count == 2)
  }
}
