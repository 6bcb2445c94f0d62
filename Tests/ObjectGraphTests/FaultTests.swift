import Modeling
import Queries
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

/// How many statements it takes to read what is not in memory.
@Suite struct FaultTests {
  let library: Library
  let context: ObjectContext

  /// A thousand authors in ten clubs with two books each, read through a context that has nothing in memory.
  init() throws {
    let library = try Library()
    let clubs = try (0..<10).map { try library.make("Club", ["name": .string("c\($0)")]) }
    for index in 0..<1000 {
      let author = try library.make("Author", ["name": .string("a\(index)")])
      try author.setOne("club", clubs[index % 10])
      for number in 0..<2 {
        let book = try library.make("Book", ["title": .string("b\(index).\(number)"), "pages": .int(Int64(index))])
        try book.setOne("author", author)
      }
    }
    try library.context.save()
    self.library = library
    context = library.reread()
  }

  /// How many statements ran in `body`.
  private func statements(_ body: () throws -> Void) throws -> Int {
    final class Count { var number = 0 }
    let count = Count()
    let trace = library.store.trace { sql, _ in if sql.hasPrefix("SELECT") { count.number += 1 } }
    try withExtendedLifetime(trace) { try body() }
    return count.number
  }

  private func request(_ entity: String, sort: String? = nil, prefetching paths: [[String]] = []) throws -> FetchRequest
  {
    var request = FetchRequest(try library.entity(entity))
    request.sortDescriptors = sort.map { [SortDescriptor($0)] } ?? []
    request.relationshipKeyPathsForPrefetching = paths.map { PropertyPath($0) }
    return request
  }

  @Test func toManysOfObjectsFetchedTogetherAreReadTogether() throws {
    let result = try context.fetch(request("Author"))
    var members = 0
    let count = try statements { for index in 0..<result.count { members += try result[index].many("books").count } }
    #expect(members == 2000)
    #expect(count <= 10)
    #expect(context.statistics.memberStatements <= 10)
    #expect(context.statistics.membersRead == 2000)
  }

  @Test func toManysAreReadTogetherInWhateverOrderTheResultHas() throws {
    // The slots were taken in another order.
    _ = try context.fetch(request("Author")).objectList()
    let result = try context.fetch(request("Author", sort: "-name"))
    let count = try statements { for index in 0..<result.count { _ = try result[index].many("books") } }
    #expect(count <= 10)
  }

  @Test func toManysOfAStreamAreReadTogether() throws {
    let cursor = try context.cursor(request("Author", sort: "name"))
    var names: [Value] = []
    var members = 0
    let count = try statements {
      while let slot = try cursor.next() {
        let author = ManagedObject(table: cursor.objects, slot: slot)
        names.append(try author.get("name"))
        members += try author.many("books").count
        #expect(try author.one("club") != nil)
      }
    }
    #expect(members == 2000)
    #expect(count <= 12)
    #expect(Set(names).count == 1000)
    #expect(names.map(\.displayText) == (0..<1000).map { "a\($0)" }.sorted())
  }

  @Test func aStreamThatSeldomFollowsARelationshipDoesNotReadItForAll() throws {
    let cursor = try context.cursor(request("Author"))
    var position = 0
    while let slot = try cursor.next() {
      if position % 300 == 0 { _ = try ManagedObject(table: cursor.objects, slot: slot).many("books") }
      position += 1
    }
    #expect(position == 1000)
    #expect(context.statistics.membersRead < 100)
  }

  @Test func aStreamReadAheadSeesWhatChangesMeanwhile() throws {
    let cursor = try context.cursor(request("Author"))
    var seen: Set<Int32> = []
    var position = 0
    while let slot = try cursor.next() {
      let author = ManagedObject(table: cursor.objects, slot: slot)
      _ = try author.many("books").count
      #expect(seen.insert(slot).inserted)
      position += 1
      if position % 100 == 0 {
        try author.set("name", .string("changed"))
        try context.save()
        context.refreshAllObjects()
      }
      if position % 170 == 0 { context.reset() }
      if position == 500 { #expect(try author.get("name") == .string("changed")) }
    }
    #expect(position == 1000)
    #expect(try library.rows("SELECT count(*) FROM author WHERE name = 'changed'") == [[.int(10)]])
    #expect(try context.checkInvariants() == [])
  }

  @Test(arguments: [nil, "name"]) func aStreamReadAheadGivesRowsAsTheyAreNow(sort: String?) throws {
    let cursor = try context.cursor(request("Author", sort: sort))
    var position = 0
    while let slot = try cursor.next() {
      let author = ManagedObject(table: cursor.objects, slot: slot)
      _ = try author.many("books").count
      position += 1
      if position == 3 {
        _ = try library.store.sql("UPDATE author SET name = 'new' WHERE name > 'a5'", [])
        _ = try library.store.sql("DELETE FROM author WHERE name = 'a499'", [])
        context.refreshAllObjects()
      }
      guard position > 3 else { continue }
      let name = try author.get("name").displayText
      #expect(name == "new" || name <= "a5")
    }
    #expect(position == 999)
  }

  @Test func aStreamReadAheadStaysSmall() throws {
    context.isReferenced = { _ in { _ in false } }
    for _ in 0..<12 {
      let cursor = try context.cursor(request("Author"))
      while let slot = try cursor.next() {
        _ = try ManagedObject(table: cursor.objects, slot: slot).many("books").count
      }
    }
    #expect(try context.checkInvariants().isEmpty)
    #expect(context.allTables.reduce(0) { $0 + $1.liveCount } <= 1024 + 3072)
    let table = context.table(for: try library.entity("Author"))
    #expect((0..<Int32(table.count)).count { table.isUsed($0) && !table.isFault($0) } <= 256)
  }

  @Test func countsAreAskedTogetherAndRememberedUntilARefresh() throws {
    let result = try context.fetch(request("Author"))
    let books = try library.rows("SELECT count(*) FROM book")
    var sum = 0
    let count = try statements {
      for index in 0..<result.count { sum += try result[index].memberCount(at: result[index].index("books")) }
    }
    #expect(books == [[.int(Int64(sum))]])
    #expect(count <= 10)
    let first = try result[0]
    #expect(try statements { _ = try first.memberCount(at: first.index("books")) } == 0)
    let extra = try context.insert(library.entity("Book"))
    try extra.set("title", .string("new"))
    try extra.setOne("author", first)
    #expect(try first.memberCount(at: first.index("books")) == 3)
    try context.save()
    #expect(try first.memberCount(at: first.index("books")) == 3)
    _ = try library.store.sql("DELETE FROM book", [])
    context.refreshAllObjects()
    #expect(try first.memberCount(at: first.index("books")) == 0)
  }

  @Test func whatToOnesLeadToIsReadTogether() throws {
    let result = try context.fetch(request("Book"))
    var names: Set<Value> = []
    let count = try statements {
      for index in 0..<result.count {
        if let name = try result[index].one("author")?.get("name") { names.insert(name) }
      }
    }
    #expect(names.count == 1000)
    // A batch of books and one of authors each time.
    #expect(count <= 30)
  }

  @Test func whatToOnesOfAStreamLeadToIsReadTogether() throws {
    let cursor = try context.cursor(request("Book"))
    var names: Set<Value> = []
    let count = try statements {
      while let slot = try cursor.next() {
        let book = ManagedObject(table: cursor.objects, slot: slot)
        if let name = try book.one("author")?.get("name") { names.insert(name) }
      }
    }
    #expect(names.count == 1000)
    #expect(count <= 20)
  }

  @Test func prefetchingTakesAStatementAStep() throws {
    var result: FetchResult?
    let fetching = try statements {
      result = try context.fetch(
        request("Club", prefetching: [["members", "books", "author"], ["members", "profile"]]))
    }
    // Statements for many keys run once for each 256 of them.
    #expect(fetching <= 30)
    let reading = try statements {
      for club in try #require(result).objectList() {
        for member in try club.many("members") {
          _ = try member.get("name")
          for book in try member.many("books") { #expect(try book.one("author")?.get("name") == member.get("name")) }
        }
      }
    }
    #expect(reading == 0)
  }

  @Test func objectsAreFaultsUnlessTheRequestSaysOtherwise() throws {
    #expect(FetchRequest(try library.entity("Author")).returnsObjectsAsFaults)
    #expect(try context.fetch(request("Author"))[0].isFault)
    var full = try request("Author")
    full.returnsObjectsAsFaults = false
    let result = try library.reread().fetch(full)
    #expect(try statements { for author in try result.objectList() { _ = try author.get("name") } } == 0)
  }

  // MARK: Rows that are gone

  @Test func aFaultWhoseRowIsGoneIsAnErrorThatNamesIt() throws {
    let author = try context.fetch(request("Author"))[0]
    _ = try library.store.sql("PRAGMA foreign_keys = OFF", [])
    _ = try library.store.sql("DELETE FROM author", [])
    do {
      _ = try author.get("name")
      Issue.record("the row is gone")
    } catch let error as GraphError {
      guard case .missingRow(let entity, let key, _) = error.fact else { throw error }
      #expect(entity == "Author" && key == "\(author.objectID.key)")
    }
    #expect(!author.isDeleted)
  }

  @Test func aFaultWhoseRowIsGoneMayCountAsDeleted() throws {
    context.shouldDeleteInaccessibleFaults = true
    let author = try context.fetch(request("Author"))[0]
    _ = try library.store.sql("PRAGMA foreign_keys = OFF", [])
    _ = try library.store.sql("DELETE FROM author", [])
    #expect(!author.isDeleted)
    #expect(try author.get("name") == .null)
    #expect(author.isDeleted)
    #expect(try author.one("club") == nil)
    #expect(
      caseName(#expect(throws: GraphError.self) { try author.set("name", .string("x")) }?.fact) == "deletedObject")
    #expect(!context.hasChanges)
    try context.save()
    let book = try context.fetch(request("Book"))[0]
    #expect(try book.one("author")?.get("name") == .null)
    _ = try library.store.sql("INSERT INTO author (_pk, name) VALUES (?, 'back')", [.int(author.objectID.key)])
    context.refreshAllObjects()
    #expect(try author.get("name") == .string("back"))
    #expect(!author.isDeleted)
  }

  // MARK: Refreshing

  @Test func refreshingAllKeepsChangedObjectsAndTurnsOthersIntoFaults() throws {
    let authors = try context.fetch(request("Author"))
    let (changed, clean) = (try authors[0], try authors[1])
    _ = (try changed.get("name"), try clean.get("name"))
    try changed.set("name", .string("mine"))
    _ = try library.store.sql("UPDATE author SET name = 'theirs'", [])
    context.refreshAllObjects()
    #expect(clean.isFault && !changed.isFault)
    #expect(try changed.get("name") == .string("mine"))
    #expect(try clean.get("name") == .string("theirs"))
    try changed.refresh(mergeChanges: false)
    #expect(try changed.get("name") == .string("theirs"))
    #expect(!context.hasChanges)
  }

  @Test func resetForgetsChangesAndNewObjectsAreGone() throws {
    let author = try context.fetch(request("Author"))[0]
    try author.set("name", .string("mine"))
    let new = try context.insert(library.entity("Tag"))
    context.reset()
    #expect(!context.hasChanges && author.isFault)
    #expect(try author.get("name") == .string("a0"))
    #expect(new.isDeleted)
    #expect(caseName(#expect(throws: GraphError.self) { try new.get("label") }?.fact) == "deletedObject")
  }
}
