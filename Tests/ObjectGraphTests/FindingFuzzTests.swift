import Modeling
import Queries
import SQLiteStorage
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

/// Objects are found by their values among saved and unsaved ones, however many of these there are.
@Suite(.seeded) struct FindingFuzzTests {
  @Test(arguments: 1...12) func whatIsFoundIsWhatLookingAtEachObjectFinds(seed: UInt64) throws {
    var program = try FindingProgram(seed: seed)
    for _ in 0..<120 { try program.step() }
  }

  @Test func manyUnsavedObjectsAreNotLookedAtOneByOne() throws {
    let library = try Library()
    let book = try library.entity("Book")
    for number in 0..<2000 {
      let code = Value.string("code \(number % 1000)")
      if let known = try library.context.find(book, [code]) {
        try known.set("pages", .int(Int64(number)))
      } else {
        try library.make("Book", ["title": .string("A"), "code": code])
      }
    }
    #expect(try library.all("Book").count == 1000)
    #expect(library.context.table(for: book).pendingKeys.count == 1)
    #expect(try library.context.checkInvariants() == [])
    try library.context.save()
    #expect(library.context.table(for: book).pendingKeys.isEmpty)
    #expect(try library.context.find(book, [.string("code 999")])?.get("pages") == .int(1999))
  }

  @Test func unsavedObjectsAreFoundByTransientValuesAsTheyAre() throws {
    var mark = Attribute("mark", .string)
    mark.isTransient = true
    var options = StoreOptions(path: ":memory:")
    options.model = try Model([EntityDescription("Page", properties: [.attribute(mark)])])
    options.create = true
    let context = ObjectContext(store: try SQLiteStore(options))
    let page = try #require(context.store.model.entity(named: "Page"))
    let pages = try (0..<20).map { _ in try context.insert(page) }
    try pages[5].set("mark", .string("there"))
    #expect(try context.find(page, where: [0], equal: [.string("there")]) == pages[5])
    try pages[13].set("mark", .string("here"))
    #expect(try context.find(page, where: [0], equal: [.string("here")]) == pages[13])
  }
}

private struct FindingProgram {
  let library: Library
  let book: Entity
  let titleAndPages: [Int]
  var random: XorShift

  init(seed: UInt64) throws {
    library = try Library()
    random = XorShift(seed: seed)
    book = try library.entity("Book")
    library.context.levelsOfUndo = 50
    titleAndPages = ["title", "pages"].compactMap { [book] name in book.properties.firstIndex { $0.name == name } }
    for number in 0..<60 { try insert(number % 40) }
  }

  private var context: ObjectContext { library.context }

  private mutating func code() -> Value { .string("c\(Int.random(in: 0..<60, using: &random))") }
  private mutating func title() -> Value { .string("t\(Int.random(in: 0..<5, using: &random))") }
  private mutating func pages() -> Value { .int(Int64.random(in: 0..<5, using: &random)) }

  private mutating func insert(_ number: Int) throws {
    try library.make("Book", ["title": title(), "code": .string("c\(number)"), "pages": pages()])
  }

  mutating func step() throws {
    let books = try library.all("Book")
    let one = books.randomElement(using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1, 2: try insert(Int.random(in: 0..<60, using: &random))
    case 3, 4: try one?.set("code", code())
    case 5: try one?.set("title", title())
    case 6: try one?.set("pages", pages())
    case 7: try one?.delete()
    case 8: if context.undoManager?.canUndo == true { _ = try context.undo() }
    case 9: _ = try context.redo()
    case 10:
      // Equal codes are refused, and everything stays as it was.
      do { try context.save() } catch is GraphError {} catch is StoreError {}
    case 11: if Bool.random(using: &random) { context.rollback() }
    case 12: try one?.refresh(mergeChanges: Bool.random(using: &random))
    case 13:
      struct Stop: Error {}
      do {
        try context.transaction {
          for book in books.prefix(5) { try book.set("code", .null) }
          try compare()
          throw Stop()
        }
      } catch is Stop {}
    case 14: try write("UPDATE OR IGNORE book SET code = ?, pages = ? WHERE rowid % 7 = 1", [code(), pages()])
    default: context.undoManager?.closeGroup()
    }
    try compare()
  }

  private func write(_ sql: String, _ values: [Value]) throws {
    let cursor = try library.store.sql(sql, values)
    while try cursor.step() {}
    cursor.close()
    context.noticeRemoteWrites()
  }

  private func compare() throws {
    let books = try library.all("Book")
    let codes = try books.map { try $0.get("code") }
    for number in 0..<60 {
      let code = Value.string("c\(number)")
      let found = try context.find(book, [code])
      #expect(try found?.get("code") == (codes.contains(code) ? code : nil))
    }
    let pairs = try books.map { [try $0.get("title"), try $0.get("pages")] }
    for number in 0..<5 {
      let wanted: [Value] = [.string("t\(number)"), .int(Int64(number))]
      let found = try context.find(book, where: titleAndPages, equal: wanted)
      if let found { #expect([try found.get("title"), try found.get("pages")] == wanted) }
      // The store gives one of those that it has, which may have other values by now.
      if pairs.contains(wanted), !context.hasChanges { #expect(found != nil) }
    }
    #expect(try context.checkInvariants() == [])
  }
}
