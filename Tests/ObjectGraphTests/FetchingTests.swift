import Modeling
import Queries
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct FetchingTests {
  let library: Library
  init() throws {
    library = try Library()
    for index in 1...600 {
      try library.make(
        "Book", ["title": .string("b\(index)"), "code": .string("c\(index)"), "pages": .int(Int64(index))])
    }
    try library.context.save()
  }

  func request(_ format: String? = nil, sort: [String] = []) throws -> FetchRequest {
    var request = FetchRequest(try library.entity("Book"))
    request.predicate = try format.map { try Predicate.parse($0) }
    request.sortDescriptors = sort.map { SortDescriptor($0) }
    return request
  }

  @Test func oneRowIsOneObject() throws {
    let first = try library.context.fetch(request("pages == 5"))[0]
    let again = try library.context.fetch(request("code == 'c5'"))[0]
    #expect(first == again)
  }

  @Test func aLimitOfZeroIsNone() throws {
    var request = try request(sort: ["pages"])
    request.fetchLimit = 0
    #expect(try library.context.fetch(request).count == 600)
    try library.make("Book", ["title": .string("new"), "pages": .int(0)])
    #expect(try library.context.fetch(request).count == 601)
    request.fetchLimit = 1
    #expect(try library.context.fetch(request).objectList().map { try $0.get("pages") } == [.int(0)])
  }

  @Test func faultsAreFilledInBatches() throws {
    let context = library.reread()
    let result = try context.fetch(request())
    for index in 0..<result.count { _ = try result[index].get("title") }
    #expect(context.statistics.faultBatches < 10)
    #expect(context.statistics.rowsFaulted == 600)
  }

  @Test func unsavedObjectsThatSortAlikeComeLastInTheOrderOfTheirInsertion() throws {
    for title in ["x", "y", "z"] { try library.make("Book", ["title": .string(title), "pages": .int(300)]) }
    for sort in [["pages"], ["pages", "author.name"]] {
      let found = try library.context.fetch(request("pages == 300", sort: sort)).objectList()
      #expect(try found.map { try $0.get("title") } == ["b300", "x", "y", "z"].map(Value.string))
    }
  }

  /// Unsaved changes of related objects count for changed objects alone, also where they would order others.
  @Test(arguments: [false, true])
  func aChangedObjectIsPlacedAmongOthersByWhatIsStoredOfThese(isInChild: Bool) throws {
    let authors = try (1...9).map { try library.make("Author", ["name": .string("n\($0)")]) }
    let books = try (1...9).map { number in
      let book = try library.make("Book", ["title": .string("t\(number)"), "pages": .int(9_000)])
      try book.setOne("author", authors[number - 1])
      return book
    }
    try library.context.save()
    let context = isInChild ? ObjectContext(parent: library.context) : library.context
    for (number, name) in [(2, "n95"), (3, "n1"), (5, "z")] {
      try context.object(authors[number - 1].objectID).set("name", .string(name))
    }
    if isInChild {
      // What the parent has placed by its own values stays there.
      try authors[8].set("name", .string("n0"))
      try books[8].set("pages", .int(9_001))
    }
    for (number, title) in [(8, "t8'"), (2, "t2'")] {
      try context.object(books[number - 1].objectID).set("title", .string(title))
    }
    let found = try context.fetch(request("pages >= 9000", sort: ["author.name"])).objectList()
    let order = (isInChild ? ["t9"] : []) + ["t1", "t3", "t4", "t5", "t6", "t7", "t8'"] + (isInChild ? [] : ["t9"])
    #expect(try found.map { try $0.get("title") } == (order + ["t2'"]).map(Value.string))
  }

  @Test func theMemoryOfRowsIsAccountedForUntilTheyGo() throws {
    let context = library.reread()
    var bytes = 0
    context.onMemory = { bytes += $0 }
    let result = try context.fetch(request())
    for index in 0..<result.count { _ = try result[index].get("title") }
    #expect(bytes > 600 * 8)
    context.reset()
    #expect(bytes == 0)
  }

  @Test func whatTheNextObjectsLeadToIsReadWithIt() throws {
    for book in try library.all("Book") {
      try book.setOne("author", library.make("Author", ["name": .string("a")]))
    }
    try library.context.save()
    let context = library.reread()
    let result = try context.fetch(request())
    for index in 0..<result.count { #expect(try result[index].one("author")?.get("name") == .string("a")) }
    #expect(context.statistics.rowsFaulted == 1200)
    #expect(context.statistics.faultBatches < 30)
  }

  @Test func aCursorsObjectBecomesAFaultWhenTheCursorMovesOn() throws {
    let context = library.reread()
    let cursor = try context.cursor(request("pages <= 3", sort: ["pages"]))
    let first = try #require(try cursor.next())
    #expect(!cursor.objects.isFault(first))
    #expect(try cursor.objects.attribute(first, 0) == .string("b1"))
    _ = try cursor.next()
    #expect(cursor.objects.isFault(first))
    #expect(try cursor.objects.attribute(first, 0) == .string("b1"))
    cursor.close()
  }

  @Test func changesMadeUnderACursorAreKept() throws {
    let cursor = try library.context.cursor(request(sort: ["pages"]))
    while let slot = try cursor.next() {
      let pages = try cursor.objects.attribute(slot, 2)
      if case .int(let number) = pages { try cursor.objects.setAttribute(slot, 2, .int(number + 1)) }
    }
    try library.context.save()
    #expect(try library.rows("SELECT min(pages), max(pages) FROM book") == [[.int(2), .int(601)]])
  }

  @Test func pendingChangesTakePart() throws {
    try library.make("Book", ["title": .string("new"), "pages": .int(3)])
    try library.context.fetch(request("pages == 1"))[0].delete()
    try library.context.fetch(request("pages == 2"))[0].set("pages", .int(1000))
    let result = try library.context.fetch(request("pages <= 4", sort: ["pages", "title"]))
    #expect(try result.objectList().map { try $0.get("title") } == [.string("b3"), .string("new"), .string("b4")])
    #expect(try library.context.count(request("pages <= 4")) == 3)
    var stored = try request("pages <= 4")
    stored.includesPendingChanges = false
    #expect(try library.context.fetch(stored).count == 4)
  }

  @Test func aChangedObjectKeepsItsPlaceInAResultWithoutOrder() throws {
    let first = try library.context.fetch(request())[0]
    try first.set("title", .string("changed"))
    #expect(try library.context.first(request()) == first)
  }

  @Test func prefetchingAsksOncePerRelationship() throws {
    let authors = try (1...50).map { try library.make("Author", ["name": .string("a\($0)")]) }
    for (index, book) in try library.all("Book").enumerated() { try book.setOne("author", authors[index % 50]) }
    try library.context.save()
    let context = library.reread()
    var request = FetchRequest(try library.entity("Author"))
    request.relationshipKeyPathsForPrefetching = [PropertyPath(["books"])]
    let result = try context.fetch(request)
    let before = context.statistics.faultBatches
    var count = 0
    for author in try result.objectList() { count += try author.many("books").count { try $0.get("title") != .null } }
    #expect(count == 600)
    #expect(context.statistics.faultBatches == before)
  }

  @Test func aReferenceToAMissingRowIsAnErrorWhenReadThrough() throws {
    let author = try library.make("Author")
    let book = try #require(try library.context.find(library.entity("Book"), [.string("c1")]))
    try book.setOne("author", author)
    try library.context.save()
    _ = try library.store.sql("PRAGMA foreign_keys = OFF", [])
    _ = try library.store.sql("DELETE FROM author", [])
    let context = library.reread()
    let read = try #require(try context.find(library.entity("Book"), [.string("c1")]))
    let dangling = try #require(try read.one("author"))
    #expect(caseName(#expect(throws: GraphError.self) { try dangling.get("name") }?.fact) == "missingRow")
  }

  @Test func unreferencedCleanObjectsAreGivenBack() throws {
    library.context.isReferenced = { _ in { _ in false } }
    for _ in 0..<30 {
      let cursor = try library.context.cursor(request())
      while try cursor.next() != nil {}
    }
    #expect(try library.context.checkInvariants().isEmpty)
    #expect(library.context.table(for: try library.entity("Book")).liveCount <= 1024 + 1024)
  }

  @Test func aLoopUnderUnsavedChangesMeetsEachObjectOnceWhateverItFetches() throws {
    library.context.isReferenced = { _ in { _ in false } }
    library.context.sweepThreshold = 0
    try library.context.fetch(request("pages == 300"))[0].set("title", .string("changed"))
    let cursor = try library.context.cursor(request(sort: ["pages"]))
    var codes: [Value] = []
    while let slot = try cursor.next() {
      codes.append(try ManagedObject(table: cursor.objects, slot: slot).get("code"))
      if codes.count % 50 == 0 {
        for object in try library.context.fetch(request("pages > 500")).objectList() { _ = try object.get("title") }
      }
    }
    #expect(codes == (1...600).map { .string("c\($0)") })
  }

  @Test func slotsGivenBackAreTakenAgainInOrder() throws {
    library.context.isReferenced = { _ in { _ in false } }
    let table = library.context.table(for: try library.entity("Book"))
    table.sweep(pinned: []) { _ in false }
    let result = try library.context.fetch(request())
    let before = library.context.statistics.faultBatches
    for index in 0..<result.count { _ = try result[index].get("title") }
    #expect(library.context.statistics.faultBatches - before < 20)
  }
}
