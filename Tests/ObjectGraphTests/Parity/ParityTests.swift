import Modeling
import Queries
import Testing

@testable import ObjectGraph

@Suite struct ParityTests {
  let library: Library
  var context: ObjectContext { library.context }
  let book: Entity

  init() throws {
    library = try Library()
    book = try library.entity("Book")
  }

  private func add(_ count: Int) throws {
    for number in 0..<count {
      let object = try context.insert(book)
      try object.set("title", .string("Book \(number)"))
      try object.set("code", number % 3 == 0 ? .null : .string("c\(number)"))
      try object.set("pages", number % 5 == 0 ? .null : .int(Int64(number)))
    }
    try context.save()
  }

  private func parity(_ text: String, limit: Int = 100) throws -> Parity {
    try context.parity(Predicate.parse(text), of: book, limit: limit)
  }

  /// The first differences have no references while the rest is compared, and their slots go to others.
  @Test func theFirstDifferencesAreStillThemselvesAtTheEnd() throws {
    try add(3000)
    context.reset()
    context.isReferenced = { _ in { _ in false } }
    context.sweepThreshold = 0
    let parity = try parity("code != \"x\"", limit: 5)
    #expect(parity.count == 1000)
    #expect(
      try parity.differences.map { try $0.object.get("title") }
        == [0, 3, 6, 9, 12].map { .string("Book \($0)") })
  }

  @Test func theObjectsThatDifferAreThoseThatOneSelectsAndTheOtherDoesNot() throws {
    try add(2500)
    let texts = [
      "code != \"c1\"", "NOT (pages > 100)", "pages > 5", "code == nil OR pages != 3", "code IN {\"c4\", nil}",
      "author.name != \"x\"", "ANY tags.label == \"x\"", "NOT (code == \"c1\" AND pages < 50)", "published == nil",
    ]
    for text in texts {
      let predicate = try Predicate.parse(text)
      var request = FetchRequest(book)
      let all = try context.fetch(request).objectList()
      request.predicate = predicate
      let selected = Set(try context.store.keys(request))
      let expected = try all.filter { object in
        try (predicate.evaluate(object, semantics: .memory) == true) != selected.contains(object.objectID.key)
      }
      let parity = try parity(text, limit: .max)
      #expect(parity.comparedCount == 2500)
      #expect(parity.count == expected.count, "\(text)")
      #expect(Set(parity.differences.map(\.object.objectID)) == Set(expected.map(\.objectID)), "\(text)")
      #expect(parity.groups.reduce(0) { $0 + $1.count } == parity.count)
      for group in parity.groups {
        if case .answer = group.cause { continue }
        Issue.record("\(text): \(group.cause)")
      }
    }
  }

  @Test func allAreCountedAndOnlyTheFirstKept() throws {
    try add(30)
    let parity = try parity("code != \"x\"", limit: 4)
    #expect(parity.count == 10 && parity.differences.count == 4 && parity.groups.map(\.count) == [10])
  }

  @Test func whatIsNotSavedDiffersAndIsSaidToBeUnsaved() throws {
    try add(6)
    let objects = try context.fetch(FetchRequest(book)).objectList()
    try objects[1].set("pages", .int(500))
    try objects[4].delete()
    let new = try context.insert(book)
    try new.set("title", .string("New"))
    try new.set("pages", .int(900))
    let parity = try parity("pages > 300 OR pages == 4")
    #expect(Set(parity.groups.map(\.cause)) == [.unsavedChange, .unsavedObject, .unsavedDeletion])
    #expect(parity.differences.first { !$0.isInMemory }?.object == objects[4])
    try context.save()
    #expect(try self.parity("pages > 300 OR pages == 4").count == 0)
  }

  @Test func anErrorOfTheCheckpointEndsIt() throws {
    struct Stop: Error {}
    try add(1500)
    #expect(throws: Stop.self) {
      try context.parity(Predicate.parse("pages != 3"), of: book) { throw Stop() }
    }
    #expect(try parity("pages != 3").count == 300)
  }

  @Test func wrongNamesAreErrors() throws {
    #expect(throws: PredicateError.self) { try parity("page > 3") }
    #expect(throws: PredicateError.self) { try parity("pages > $least") }
  }
}
