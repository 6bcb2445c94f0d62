import Modeling
import Queries
import SQLiteStorage
import Stores
import Testing

@testable import ObjectGraph

@Suite struct DuplicateResolverTests {
  /// What becomes of the stored `Emma b1 77 1` when a new book `New b1` without pages is saved.
  static let upserts: [(MergePolicy, String, [String])] = [
    (.error, "Book/t1 not unique, as Book/1: code nil → b1 | b1", ["Emma b1 77 1"]),
    (.storeTrump, "saved", ["Emma b1 77 1"]), (.objectTrump, "saved", ["New b1 77 2"]),
    (.overwrite, "saved", ["New b1 10 2"]), (.rollback, "saved", ["Emma b1 77 1"]),
  ]

  @Test(arguments: upserts, [true, false])
  func aNewObjectWithAStoredUniqueValueIsMerged(
    upsert: (policy: MergePolicy, outcome: String, rows: [String]), isKnown: Bool
  ) throws {
    let rivals = try Rivals(upsert.policy)
    let made = try rivals.library.shelve()
    _ = try rivals.library.store.sql("UPDATE book SET pages = 77")
    if !isKnown { rivals.mine.forgetObjects() }
    let fresh = isKnown ? made : nil
    let book = try rivals.library.make("Book", ["title": .string("New"), "code": .string("b1")])
    try book.setOne("author", rivals.library.all("Author")[1])
    let loan = try rivals.library.make("Loan", ["who": .string("x")])
    try loan.setOne("book", book)
    let tag = try rivals.library.make("Tag", ["label": .string("t")])
    try tag.add("books", book)
    let outcome = try rivals.save()
    guard upsert.policy != .error else {
      #expect(outcome.contains("not unique, as Book/1: code nil → b1 | b1"))
      #expect(book.isInserted && rivals.mine.changeCount == 3)
      #expect(try loan.one("book") == book && book.many("tags") == [tag])
      return
    }
    #expect(outcome == upsert.outcome)
    #expect(try rivals.books() == upsert.rows)
    let survivor = fresh ?? book
    #expect(book.isDeleted == isKnown && !survivor.isDeleted)
    #expect(try loan.one("book") == survivor && tag.many("books") == [survivor])
    #expect(try survivor.many("loans") == [loan] && survivor.many("tags") == [tag])
    #expect(try rivals.library.rows("SELECT book_pk FROM loan") == [[.int(1)]])
    #expect(try rivals.differences() == [])
  }

  @Test func aNewObjectIsMergedWithOneOfWhichOnlyAnAncestorOfItsEntityIsKnown() throws {
    var code = Attribute("code", .string)
    code.isUnique = true
    var options = StoreOptions(path: ":memory:")
    options.create = true
    options.model = try Model([
      EntityDescription("Person", properties: [.attribute(code)]),
      EntityDescription(
        "Student", parent: "Person",
        properties: [.relationship(Relationship(toMany: "courses", "Course", inverse: "students"))]),
      EntityDescription(
        "Course", properties: [.relationship(Relationship(toMany: "students", "Student", inverse: "courses"))]),
    ])
    let store = try SQLiteStore(options)
    func entity(_ name: String) throws -> Entity { try #require(store.model.entity(named: name)) }
    let first = ObjectContext(store: store)
    try first.insert(entity("Student")).set("code", .string("a"))
    try first.save()
    let context = ObjectContext(store: store)
    context.mergePolicy = .objectTrump
    let known = context.object(ObjectID(entity: try entity("Person"), key: 1))
    let student = try context.insert(entity("Student"))
    try student.set("code", .string("a"))
    let course = try context.insert(entity("Course"))
    try student.add("courses", course)
    try context.save()
    #expect(student.isDeleted && known.entity.name == "Student")
    #expect(try known.many("courses") == [course])
    #expect(try course.many("students") == [known])
  }

  @Test func theRowsObjectGivesWayToTheNewOneWhereNobodyRefersToIt() throws {
    /// Whether the new object becomes the row's.
    func takesOver(_ prepare: (Rivals, ManagedObject) throws -> Any? = { _, _ in nil }) throws -> Bool {
      let rivals = try Rivals(.overwrite)
      let made = try rivals.library.shelve()
      rivals.mine.isReferenced = { _ in { _ in false } }
      let kept = try prepare(rivals, made)
      let book = try rivals.library.make("Book", ["title": .string("New"), "code": .string("b1")])
      #expect(try rivals.save() == "saved")
      #expect(try rivals.books().count == 1)
      return withExtendedLifetime(kept) { !book.isDeleted }
    }
    #expect(try takesOver())
    // A result, a step that can be undone, and unsaved members refer to it.
    #expect(
      try !takesOver { rivals, made in
        let result = try rivals.mine.fetch(FetchRequest(made.entity))
        _ = try result[0]
        return result
      })
    #expect(
      try !takesOver { rivals, _ in
        rivals.mine.levelsOfUndo = 10
        return try rivals.library.make("Club")
      })
    #expect(
      try !takesOver { rivals, made in
        let list = try rivals.library.make("ReadingList")
        try list.add("books", made)
        return list
      })
    #expect(
      try !takesOver { rivals, made in
        let tag = try rivals.library.make("Tag")
        try made.add("tags", tag)
        return tag
      })
  }

  @Test func aMergeAccountsForTheRowsThatItExchanges() throws {
    let rivals = try Rivals(.objectTrump)
    var bytes = 0
    rivals.mine.onMemory = { bytes += $0 }
    let made = try rivals.library.shelve()
    _ = try rivals.library.store.sql("UPDATE book SET pages = 77")
    #expect(try made.get("title") == .string("Emma"))
    try rivals.library.make("Book", ["title": .string("New"), "code": .string("b1")])
    #expect(try rivals.save() == "saved")
    rivals.mine.reset()
    #expect(bytes == 0)
  }

  @Test func storeTrumpFillsWhatTheRowHasNot() throws {
    let rivals = try Rivals(.storeTrump)
    try rivals.library.shelve()
    _ = try rivals.library.store.sql("UPDATE book SET pages = NULL, author_pk = NULL")
    let book = try rivals.library.make("Book", ["title": .string("New"), "code": .string("b1"), "pages": .int(5)])
    try book.setOne("author", rivals.library.all("Author")[2])
    #expect(try rivals.save() == "saved")
    #expect(try rivals.books() == ["Emma b1 5 3"])
    #expect(try rivals.differences() == [])
  }

  @Test func whatTheRowHasIsAskedOfTheStoreAndNotOfItsObject() throws {
    let rivals = try Rivals(.storeTrump)
    rivals.mine.automaticallyMergesChangesFromParent = false
    let made = try rivals.library.shelve()
    #expect(try made.get("pages") == .int(10))
    _ = try rivals.library.store.sql("UPDATE book SET pages = NULL")
    try rivals.library.make("Book", ["title": .string("New"), "code": .string("b1"), "pages": .int(5)])
    #expect(try rivals.save() == "saved")
    #expect(try rivals.books() == ["Emma b1 5 1"])
  }

  @Test func aValueThatEqualsTheDefaultCountsWhenItWasGiven() throws {
    let rivals = try Rivals(.objectTrump)
    try rivals.library.shelve()
    _ = try rivals.library.store.sql("UPDATE book SET pages = 77")
    try rivals.library.make("Book", ["title": .string("New"), "code": .string("b1"), "pages": .int(10)])
    #expect(try rivals.save() == "saved")
    #expect(try rivals.books() == ["New b1 10 1"])
  }

  @Test(arguments: MergePolicy.allCases)
  func aChangedObjectCannotTakeAnothersUniqueValue(policy: MergePolicy) throws {
    let rivals = try Rivals(policy)
    try rivals.library.shelve()
    let other = try rivals.library.make("Book", ["title": .string("Two"), "code": .string("b2")])
    try rivals.mine.save()
    try other.set("code", .string("b1"))
    try other.set("pages", .int(5))
    let outcome = try rivals.save()
    let rows: [String]
    switch policy {
    case .storeTrump: rows = ["Emma b1 10 1", "Two b2 5 nil"]
    case .rollback: rows = ["Emma b1 10 1", "Two b2 10 nil"]
    default: rows = ["Emma b1 10 1", "Two b2 10 nil"]
    }
    #expect(
      outcome
        == (policy == .storeTrump || policy == .rollback
          ? "saved" : "Book/2 not unique, as Book/1: code nil → b1 | b1"))
    #expect(try rivals.books() == rows)
  }

  @Test(arguments: MergePolicy.allCases)
  func twoNewObjectsMustDiffer(policy: MergePolicy) throws {
    let rivals = try Rivals(policy)
    try rivals.library.make("Book", ["title": .string("One"), "code": .string("x")])
    try rivals.library.make("Book", ["title": .string("Two"), "code": .string("x")])
    #expect(try rivals.save() == "Book/t2 not unique, as new Book/t1: code nil → x | x")
    #expect(rivals.mine.changeCount == 2)
    #expect(try rivals.books().isEmpty)
  }

  @Test(arguments: MergePolicy.allCases)
  func aNewObjectWithTheUniqueValuesOfTwoRowsIsRefused(policy: MergePolicy) throws {
    var (code, isbn) = (Attribute("code", .string), Attribute("isbn", .string))
    (code.isUnique, isbn.isUnique) = (true, true)
    var options = StoreOptions(path: ":memory:")
    options.model = try Model([EntityDescription("Book", properties: [.attribute(code), .attribute(isbn)])])
    let store = try SQLiteStore(options)
    let context = ObjectContext(store: store)
    context.mergePolicy = policy
    let entity = try #require(store.model.entity(named: "Book"))
    for name in ["a", "b"] {
      let book = try context.insert(entity)
      try book.set("code", .string(name))
      try book.set("isbn", .string(name))
    }
    try context.save()
    let book = try context.insert(entity)
    try book.set("code", .string("a"))
    try book.set("isbn", .string("b"))
    let error = try #require(#expect(throws: GraphError.self) { try context.save() })
    guard case .conflicts(let conflicts) = error.fact else { throw error }
    #expect(conflicts.map(Rivals.text).allSatisfy { $0.contains("not unique, as Book/") } && conflicts.count == 2)
    #expect(try store.count(FetchRequest(entity)) == 2)
  }

  @Test func rowsMayExchangeUniqueValues() throws {
    let rivals = try Rivals()
    let books = try ["x", "y", "z"].map {
      try rivals.library.make("Book", ["title": .string($0), "code": .string($0)])
    }
    try rivals.mine.save()
    for (book, code) in zip(books, ["y", "z", "x"]) { try book.set("code", .string(code)) }
    #expect(try rivals.save() == "saved")
    #expect(try rivals.books() == ["x y 10 nil", "y z 10 nil", "z x 10 nil"])
  }

  @Test func everyDuplicateIsReported() throws {
    let rivals = try Rivals()
    try rivals.library.shelve()
    for _ in 1...2 { try rivals.library.make("Book", ["title": .string("x"), "code": .string("b1")]) }
    try rivals.library.make("Book", ["title": .string("x"), "code": .string("y")])
    let outcome = try rivals.save()
    #expect(outcome.components(separatedBy: "; ").count == 2)
    #expect(outcome.contains("not unique, as Book/1") && outcome.contains("not unique, as new Book/"))
  }

  @Test func aFailedUpsertLeavesEverythingAsItWas() throws {
    let rivals = try Rivals(.objectTrump)
    try rivals.library.shelve()
    rivals.mine.forgetObjects()
    let book = try rivals.library.make("Book", ["title": .string("New"), "code": .string("b1")])
    let id = book.objectID
    let tag = try rivals.library.make("Tag")
    try book.add("tags", tag)
    try rivals.mine.save(dryRun: true)
    #expect(book.objectID == id && book.isInserted)
    #expect(try book.many("tags") == [tag])
    #expect(try rivals.books() == ["Emma b1 10 1"])
    #expect(try rivals.save() == "saved")
    #expect(try rivals.books() == ["New b1 10 1"])
    #expect(try rivals.differences() == [])
  }
}

extension ObjectContext {
  /// Gives every slot back, as a context does when its objects have no references.
  fileprivate func forgetObjects() {
    reset()
    for table in allTables { table.sweep(pinned: []) { _ in false } }
  }
}
