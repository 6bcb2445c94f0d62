import Modeling
import Queries
import Stores
import Testing

@testable import ObjectGraph

@Suite struct ConflictResolverTests {
  /// What two contexts do to one book, and what each policy makes of it.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var mine: @Sendable (ManagedObject, Library) throws -> Void
    var theirs: @Sendable (ManagedObject, ObjectContext) throws -> Void
    var outcomes: [MergePolicy: (String, [String])]

    init(
      _ name: String, mine: @escaping @Sendable (ManagedObject, Library) throws -> Void,
      theirs: @escaping @Sendable (ManagedObject, ObjectContext) throws -> Void, error: String, after: [String],
      storeTrump: [String], objectTrump: [String], overwrite: [String], rollback: [String]
    ) {
      testDescription = name
      self.mine = mine
      self.theirs = theirs
      outcomes = [
        .error: (error, after), .storeTrump: ("saved", storeTrump), .objectTrump: ("saved", objectTrump),
        .overwrite: ("saved", overwrite), .rollback: ("saved", rollback),
      ]
    }
  }

  /// The book is `Emma b1 10 1`, by the first of three authors.
  static let cases: [Case] = [
    Case(
      "both change one property",
      mine: { book, _ in try book.set("pages", .int(11)) },
      theirs: { book, _ in try book.set("pages", .int(12)) },
      error: "Book/1 changed: pages 10 → 11 | 12", after: ["Emma b1 12 1"], storeTrump: ["Emma b1 12 1"],
      objectTrump: ["Emma b1 11 1"], overwrite: ["Emma b1 11 1"], rollback: ["Emma b1 12 1"]),
    Case(
      "both set the same value",
      mine: { book, _ in try book.set("pages", .int(11)) },
      theirs: { book, _ in try book.set("pages", .int(11)) },
      error: "Book/1 changed: pages 10 → 11 | 11", after: ["Emma b1 11 1"], storeTrump: ["Emma b1 11 1"],
      objectTrump: ["Emma b1 11 1"], overwrite: ["Emma b1 11 1"], rollback: ["Emma b1 11 1"]),
    Case(
      "each changes another property",
      mine: { book, _ in try book.set("pages", .int(11)) },
      theirs: { book, _ in try book.set("title", .string("Their")) },
      error: "Book/1 changed: title Emma → - | Their", after: ["Their b1 10 1"], storeTrump: ["Their b1 11 1"],
      objectTrump: ["Their b1 11 1"], overwrite: ["Emma b1 11 1"], rollback: ["Their b1 10 1"]),
    Case(
      "one property of both and one of each",
      mine: { book, _ in
        try book.set("pages", .int(11))
        try book.set("code", .string("m"))
      },
      theirs: { book, _ in
        try book.set("pages", .int(12))
        try book.set("title", .string("Their"))
      },
      error: "Book/1 changed: title Emma → - | Their, pages 10 → 11 | 12", after: ["Their b1 12 1"],
      storeTrump: ["Their m 12 1"], objectTrump: ["Their m 11 1"], overwrite: ["Emma m 11 1"],
      rollback: ["Their b1 12 1"]),
    Case(
      "mine is deleted, theirs is changed",
      mine: { book, _ in try book.delete() },
      theirs: { book, _ in try book.set("pages", .int(12)) },
      error: "Book/1 deleted here: pages 10 → - | 12", after: ["Emma b1 12 1"], storeTrump: ["Emma b1 12 1"],
      objectTrump: [], overwrite: [], rollback: ["Emma b1 12 1"]),
    Case(
      "mine is changed, theirs is deleted",
      mine: { book, _ in try book.set("pages", .int(11)) },
      theirs: { book, _ in try book.delete() },
      error: "Book/1 deleted in store: pages 10 → 11 | nil", after: [], storeTrump: [],
      objectTrump: ["Emma b1 11 1"], overwrite: ["Emma b1 11 1"], rollback: []),
    Case(
      "both delete it",
      mine: { book, _ in try book.delete() }, theirs: { book, _ in try book.delete() },
      error: "saved", after: [], storeTrump: [], objectTrump: [], overwrite: [], rollback: []),
    Case(
      "both change a to-one",
      mine: { book, library in try book.setOne("author", library.all("Author")[1]) },
      theirs: { book, context in try book.setOne("author", context.fetch(FetchRequest(book.entity.author))[2]) },
      error: "Book/1 changed: author Author/1 → Author/2 | Author/3", after: ["Emma b1 10 3"],
      storeTrump: ["Emma b1 10 3"], objectTrump: ["Emma b1 10 2"], overwrite: ["Emma b1 10 2"],
      rollback: ["Emma b1 10 3"]),
    Case(
      "they change a to-one",
      mine: { book, _ in try book.set("pages", .int(11)) },
      theirs: { book, context in try book.setOne("author", context.fetch(FetchRequest(book.entity.author))[2]) },
      error: "Book/1 changed: author Author/1 → - | Author/3", after: ["Emma b1 10 3"],
      storeTrump: ["Emma b1 11 3"], objectTrump: ["Emma b1 11 3"], overwrite: ["Emma b1 11 1"],
      rollback: ["Emma b1 10 3"]),
  ]

  @Test(arguments: cases, MergePolicy.allCases)
  func aConflictIsSettledByThePolicy(situation: Case, policy: MergePolicy) throws {
    let rivals = try Rivals(policy)
    let book = try rivals.library.shelve()
    let their = try rivals.their(book)
    _ = (try book.get("pages"), try their.get("pages"), try book.one("author")?.many("books"))
    try situation.mine(book, rivals.library)
    try situation.theirs(their, rivals.theirs)
    try rivals.theirs.save()
    let (message, rows) = try #require(situation.outcomes[policy])
    #expect(try rivals.save() == message)
    #expect(try rivals.books() == rows)
    guard message == "saved" else {
      #expect(rivals.mine.hasChanges)
      #expect(try rivals.save() == message)
      rivals.mine.rollback()
      #expect(try rivals.differences() == [])
      return
    }
    #expect(try rivals.differences() == [])
    #expect(try rivals.save() == "saved")
  }

  @Test(arguments: MergePolicy.allCases)
  func pairsMergeAsSets(policy: MergePolicy) throws {
    let rivals = try Rivals(policy)
    let book = try rivals.library.shelve()
    let tags = try ["a", "b", "c", "d"].map { try rivals.library.make("Tag", ["label": .string($0)]) }
    for tag in tags.prefix(2) { try book.add("tags", tag) }
    try rivals.mine.save()
    let their = try rivals.their(book)
    try book.remove("tags", tags[0])
    try book.add("tags", tags[2])
    try their.remove("tags", rivals.their(tags[0]))
    try their.remove("tags", rivals.their(tags[1]))
    try their.add("tags", rivals.their(tags[2]))
    try rivals.their(tags[3]).add("books", their)
    try rivals.theirs.save()
    #expect(try rivals.save() == "saved")
    #expect(try Set(book.many("tags")) == [tags[2], tags[3]])
    #expect(try rivals.library.rows("SELECT count(*) FROM book_tags") == [[.int(2)]])
  }

  @Test(arguments: MergePolicy.allCases)
  func whatWasSetBackIsNoChange(policy: MergePolicy) throws {
    let rivals = try Rivals(policy)
    let book = try rivals.library.shelve()
    try book.set("pages", .int(11))
    try book.set("pages", .int(10))
    try book.add("tags", rivals.library.make("Tag"))
    _ = try rivals.library.store.sql("UPDATE book SET pages = 99")
    #expect(try rivals.save() == "saved")
    #expect(try rivals.books() == ["Emma b1 99 1"])
    #expect(try rivals.differences() == [])
  }

  @Test func writersThatKnowOfNoVersionsAreFound() throws {
    let rivals = try Rivals()
    let book = try rivals.library.shelve()
    try book.set("pages", .int(11))
    _ = try rivals.library.store.sql("UPDATE book SET pages = 99")
    #expect(try rivals.save() == "Book/1 changed: pages 10 → 11 | 99")
    rivals.mine.rollback()
    #expect(try book.get("pages") == .int(99))
  }

  @Test func whatWasTakenBackIsNoConflict() throws {
    let rivals = try Rivals()
    let book = try rivals.library.shelve()
    try book.set("pages", .int(11))
    _ = try rivals.library.store.sql("UPDATE book SET pages = 99")
    _ = try rivals.library.store.sql("UPDATE book SET pages = 10")
    #expect(try rivals.save() == "saved")
  }

  @Test func anObjectChangedAgainKeepsItsFirstBase() throws {
    let rivals = try Rivals()
    let book = try rivals.library.shelve()
    try book.set("pages", .int(11))
    let their = try rivals.their(book)
    try their.set("pages", .int(12))
    try rivals.theirs.save()
    _ = try rivals.library.all("Book")
    try book.set("pages", .int(13))
    #expect(try rivals.save() == "Book/1 changed: pages 10 → 13 | 12")
  }

  @Test func aRowReadByACursorIsTheBaseOfWhatIsChangedThen() throws {
    let rivals = try Rivals()
    try rivals.library.shelve()
    let cursor = try rivals.mine.cursor(FetchRequest(rivals.library.entity("Book"), sortedBy: "title"))
    let slot = try #require(try cursor.next())
    let book = ManagedObject(table: cursor.objects, slot: slot)
    #expect(try book.get("pages") == .int(10))
    _ = try rivals.library.store.sql("UPDATE book SET pages = 99")
    rivals.mine.noticeRemoteWrites()
    let seen = try book.get("pages")
    try book.set("pages", .int(11))
    cursor.close()
    let expected = seen == .int(99) ? "saved" : "Book/1 changed: pages 10 → 11 | 99"
    #expect(try rivals.save() == expected)
  }

  @Test func everyConflictIsReported() throws {
    let rivals = try Rivals()
    let first = try rivals.library.shelve()
    let second = try rivals.library.make("Book", ["title": .string("Two"), "code": .string("b2")])
    try rivals.mine.save()
    try first.set("pages", .int(1))
    try second.set("pages", .int(2))
    _ = try rivals.library.store.sql("UPDATE book SET pages = 99")
    #expect(
      try rivals.save() == "Book/1 changed: pages 10 → 1 | 99; Book/2 changed: pages 10 → 2 | 99")
  }

  @Test func whatWasMergedIsValidatedAgain() throws {
    let rivals = try Rivals(.overwrite)
    let book = try rivals.library.shelve()
    _ = try rivals.library.store.sql("UPDATE book SET pages = -5")
    rivals.mine.refreshAllObjects()
    #expect(try book.get("pages") == .int(-5))
    try book.set("title", .string("Mine"))
    _ = try rivals.library.store.sql("UPDATE book SET pages = 7")
    #expect(try rivals.save() == "invalid [\"pages\"]")
    #expect(try book.get("title") == .string("Mine"))
    #expect(try book.get("pages") == .int(-5))
    #expect(try rivals.books() == ["Emma b1 7 1"])
  }

  @Test func aDryRunSettlesNothing() throws {
    let rivals = try Rivals(.storeTrump)
    let book = try rivals.library.shelve()
    try book.set("pages", .int(11))
    _ = try rivals.library.store.sql("UPDATE book SET pages = 12")
    try rivals.mine.save(dryRun: true)
    #expect(try book.get("pages") == .int(11) && book.hasChanges)
    #expect(try rivals.books() == ["Emma b1 12 1"])
  }
}

extension Library {
  /// A saved book of the first of three authors.
  @discardableResult
  func shelve() throws -> ManagedObject {
    let authors = try ["A", "B", "C"].map { try make("Author", ["name": .string($0)]) }
    let book = try make("Book", ["title": .string("Emma"), "code": .string("b1")])
    try book.setOne("author", authors[0])
    try context.save()
    return book
  }
}

extension Entity {
  fileprivate var author: Entity { destination(at: index(of: "author") ?? 0) }
}

extension FetchRequest {
  fileprivate init(_ entity: Entity, sortedBy name: String) {
    self.init(entity)
    sortDescriptors = [SortDescriptor(.path(PropertyPath([name])))]
  }
}
