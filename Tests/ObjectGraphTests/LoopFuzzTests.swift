import Modeling
import Queries
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

/// The plainest graph of authors, books, tags and loans: what the real one must agree with.
struct PlainLibrary {
  var authors: Set<Int> = []
  var tags: Set<Int> = []
  var books: [Int: (title: Int, author: Int?, tags: Set<Int>)] = [:]
  var loans: [Int: Int] = [:]

  mutating func deleteBook(_ id: Int) {
    books[id] = nil
    loans = loans.filter { $0.value != id }
  }

  mutating func deleteAuthor(_ id: Int) {
    authors.remove(id)
    for (book, value) in books where value.author == id { books[book]?.author = nil }
  }

  mutating func deleteTag(_ id: Int) {
    tags.remove(id)
    for book in books.keys { books[book]?.tags.remove(id) }
  }
}

/// Loops that follow relationships, between changes and saves of all kinds.
@Suite(.seeded) struct LoopFuzzTests {
  @Test(arguments: 1...8) func loopsAgreeWithThePlainGraph(seed: UInt64) throws {
    var program = try LoopProgram(seed: seed)
    for step in 0..<150 { try program.step(step) }
    try program.save()
    try program.compareWithStore()
  }
}

struct LoopProgram {
  let library: Library
  var random: XorShift
  var now = PlainLibrary()
  var saved = PlainLibrary()
  var objects: [Int: ManagedObject] = [:]
  var nextID = 1

  init(seed: UInt64) throws {
    library = try Library()
    random = XorShift(seed: seed)
  }

  mutating func step(_ number: Int) throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0, 1: try insert("Author") { $0.authors.insert($1) }
    case 2, 3, 4: try insert("Book", ["title": .string("0")]) { $0.books[$1] = (0, nil, []) }
    case 5: try insert("Tag") { $0.tags.insert($1) }
    case 6, 7: try lend()
    case 8: try retitle()
    case 9, 10, 11: try setAuthor()
    case 12, 13: try toggleTag()
    case 14: try delete()
    case 15: try save()
    case 16: try rollback()
    case 17: library.context.refreshAllObjects()
    default: try moveBooks()
    }
    try compareInLoops(number)
    try compareInMemory(number)
    let problems = try library.context.checkInvariants()
    #expect(problems.isEmpty, "step \(number): \(problems)")
  }

  private mutating func insert(
    _ entity: String, _ values: [String: Value] = [:], _ note: (inout PlainLibrary, Int) -> Void
  ) throws {
    objects[nextID] = try library.make(entity, values)
    note(&now, nextID)
    nextID += 1
  }

  private mutating func lend() throws {
    guard let book = now.books.keys.sorted().randomElement(using: &random), let object = objects[book] else { return }
    let id = nextID
    try insert("Loan") { $0.loans[$1] = book }
    try objects[id]?.setOne("book", object)
  }

  private mutating func retitle() throws {
    guard let book = now.books.keys.sorted().randomElement(using: &random) else { return }
    let title = Int.random(in: 0..<1000, using: &random)
    try objects[book]?.set("title", .string("\(title)"))
    now.books[book]?.title = title
  }

  private mutating func setAuthor() throws {
    guard let book = now.books.keys.sorted().randomElement(using: &random) else { return }
    let author = Bool.random(using: &random) ? now.authors.sorted().randomElement(using: &random) : nil
    if let author, Bool.random(using: &random), let object = objects[book] {
      try objects[author]?.add("books", object)
    } else {
      try objects[book]?.setOne("author", author.flatMap { objects[$0] })
    }
    now.books[book]?.author = author
  }

  private mutating func moveBooks() throws {
    guard let author = now.authors.sorted().randomElement(using: &random), let object = objects[author] else { return }
    let chosen = now.books.keys.sorted().filter { _ in Bool.random(using: &random) }
    try object.setMembers(at: object.index("books"), chosen.compactMap { objects[$0] })
    for book in now.books.keys where now.books[book]?.author == author { now.books[book]?.author = nil }
    for book in chosen { now.books[book]?.author = author }
  }

  private mutating func toggleTag() throws {
    guard let book = now.books.keys.sorted().randomElement(using: &random), let object = objects[book],
      let tag = now.tags.sorted().randomElement(using: &random), let label = objects[tag]
    else { return }
    let isMember = now.books[book]?.tags.contains(tag) == true
    if Bool.random(using: &random) {
      try object.setMember(at: object.index("tags"), label, isMember: !isMember)
    } else {
      try label.setMember(at: label.index("books"), object, isMember: !isMember)
    }
    if isMember { now.books[book]?.tags.remove(tag) } else { now.books[book]?.tags.insert(tag) }
  }

  private mutating func delete() throws {
    let everything = now.books.keys.sorted() + now.authors.sorted() + now.tags.sorted() + now.loans.keys.sorted()
    guard let id = everything.randomElement(using: &random) else { return }
    try objects[id]?.delete()
    now.deleteBook(id)
    now.deleteAuthor(id)
    now.deleteTag(id)
    now.loans[id] = nil
  }

  mutating func save() throws {
    try library.context.save()
    saved = now
  }

  private mutating func rollback() throws {
    library.context.rollback()
    now = saved
  }

  /// Follows relationships in loops over results and cursors, where they are read for several objects at once.
  func compareInLoops(_ step: Int) throws {
    let names = Dictionary(uniqueKeysWithValues: objects.map { ($1, $0) })
    let entity = try library.entity(step % 3 == 0 ? "Book" : "Author")
    var read: [ManagedObject] = []
    func compare(_ object: ManagedObject) throws {
      read.append(object)
      guard let id = names[object] else { return }
      if entity.name == "Book" {
        #expect(try object.one("author") == now.books[id]?.author.flatMap { objects[$0] }, "step \(step)")
        _ = try object.one("author")?.get("name")
        let count = try object.memberCount(at: object.index("tags"))
        #expect(count == now.books[id]?.tags.count, "step \(step): tags of \(id)")
      } else {
        let books = now.books.filter { $0.value.author == id }.keys
        if step % 2 == 0 { #expect(try object.memberCount(at: object.index("books")) == books.count, "step \(step)") }
        #expect(Set(try object.many("books")) == Set(books.compactMap { objects[$0] }), "step \(step): books of \(id)")
      }
    }
    var request = FetchRequest(entity)
    if step % 5 == 0 { request.sortDescriptors = [SortDescriptor(entity.name == "Book" ? "-title" : "-name")] }
    if step % 4 < 2 {
      let cursor = try library.context.cursor(request)
      while let slot = try cursor.next() { try compare(ManagedObject(table: cursor.objects, slot: slot)) }
    } else {
      let result = try library.context.fetch(request)
      for index in 0..<result.count { try compare(try result[index]) }
    }
    let expected = entity.name == "Book" ? Set(now.books.keys) : now.authors
    #expect(Set(read) == Set(expected.compactMap { objects[$0] }) && read.count == expected.count, "step \(step)")
  }

  func compareInMemory(_ step: Int) throws {
    for (id, book) in now.books {
      guard let object = objects[id] else { continue }
      #expect(try object.get("title") == .string("\(book.title)"), "step \(step)")
      #expect(try object.one("author") == book.author.flatMap { objects[$0] }, "step \(step): author of \(id)")
      #expect(Set(try object.many("tags")) == Set(book.tags.compactMap { objects[$0] }), "step \(step): tags of \(id)")
    }
    for author in now.authors {
      let books = Set(now.books.filter { $0.value.author == author }.keys.compactMap { objects[$0] })
      guard let object = objects[author] else { continue }
      #expect(Set(try object.many("books")) == books, "step \(step): books of \(author)")
      #expect(try object.memberCount(at: object.index("books")) == books.count)
    }
    for loan in now.loans { #expect(try objects[loan.key]?.one("book") == objects[loan.value]) }
  }

  func compareWithStore() throws {
    let titles = try library.rows("SELECT title FROM book ORDER BY title").map { $0[0] }
    #expect(titles == now.books.values.map { "\($0.title)" }.sorted().map { .string($0) })
    let counts = try library.rows(
      "SELECT (SELECT count(*) FROM author), (SELECT count(*) FROM loan), (SELECT count(*) FROM book WHERE author_pk IS NOT NULL)"
    )
    let written = now.books.values.count { $0.author != nil }
    #expect(counts == [[.int(Int64(now.authors.count)), .int(Int64(now.loans.count)), .int(Int64(written))]])
    let other = library.reread()
    var tags = 0
    for book in try other.fetch(FetchRequest(library.entity("Book"))).objectList() {
      tags += try book.many("tags").count
    }
    #expect(tags == now.books.values.reduce(0) { $0 + $1.tags.count })
  }
}
