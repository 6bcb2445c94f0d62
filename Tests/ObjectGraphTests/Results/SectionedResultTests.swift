import Modeling
import Queries
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

@Suite(.seeded) struct SectionedResultTests {
  private let library: Library

  init() throws { library = try Library() }

  private func check(_ request: FetchRequest, _ section: String) throws {
    let found = try library.context.fetchSections(request, most: 1_000)
    let expression = try CompiledExpression(try .parse(section), entity: request.entity)
    let objects = try found.objects.objectList()
    #expect(found.sections.reduce(0) { $0 + $1.count } == objects.count)
    #expect(objects.map(\.objectID) == (try library.context.fetch(request.inSectionOrder)).objectIDs)
    var rest = objects[...]
    for (id, count) in found.sections {
      #expect(try rest.prefix(count).allSatisfy { try expression.value(of: $0) == id })
      rest = rest.dropFirst(count)
    }
    #expect(zip(found.sections, found.sections.dropFirst()).allSatisfy { $0.id != $1.id })
  }

  @Test(arguments: 1...4) func sectionsHoldTheObjectsThatAreAlike(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var books: [ManagedObject] = []
    for index in 0..<200 {
      let pages = Int64.random(in: 0...9, using: &random)
      let day = Timestamp(Double(Int.random(in: 0..<2_000, using: &random)) * 86_400)
      let values: [String: Value] = [
        "title": .string("b\(index)"), "pages": pages == 0 ? .null : .int(pages), "published": .date(day),
      ]
      books.append(try library.make("Book", values))
    }
    try library.context.save()
    for isUnsaved in [false, true] {
      if isUnsaved {
        for book in books.prefix(40) { try book.set("pages", .int(Int64.random(in: 1...9, using: &random))) }
        try library.make("Book", ["title": .string("new"), "pages": .int(3)])
        try books[50].delete()
      }
      for section in ["pages", "abs(pages - 5)"] {
        var request = FetchRequest(try library.entity("Book"))
        request.sectionIdentifier = try .parse(section)
        try check(request, section)
        request.sortDescriptors = [SortDescriptor("-title")]
        request.predicate = try .parse("pages > 2 OR pages == nil")
        try check(request, section)
        request.fetchLimit = 30
        try check(request, section)
        request.sortDescriptors = [SortDescriptor(try .parse(section), ascending: false), SortDescriptor("title")]
        request.fetchLimit = nil
        try check(request, section)
      }
      // Years stand in the order of their dates.
      var request = FetchRequest(try library.entity("Book"))
      request.sectionIdentifier = try .parse("year(published)")
      request.sortDescriptors = [SortDescriptor("-published")]
      try check(request, "year(published)")
    }
  }

  @Test func aFunctionMakesSectionsWhereTheirFirstObjectsStand() throws {
    for pages in [5, 2, 4, 1, 3] {
      try library.make("Book", ["title": .string("b\(pages)"), "pages": .int(Int64(pages))])
    }
    try library.context.save()
    var request = FetchRequest(try library.entity("Book"))
    request.sortDescriptors = [SortDescriptor("title")]
    request.sectionFunction = SectionFunction("parity") { book in
      guard let book = book as? ManagedObject, case .int(let pages) = try book.get("pages") else { return .null }
      return .string(pages % 2 == 0 ? "even" : "odd")
    }
    let found = try library.context.fetchSections(request, most: 10)
    #expect(found.sections.map(\.id) == [.string("odd"), .string("even")])
    #expect(found.sections.map(\.count) == [3, 2])
    #expect(
      try found.objects.objectList().map { try $0.get("title") } == ["b1", "b3", "b5", "b2", "b4"].map(Value.string))
  }

  @Test func tooManySectionsAreRefused() throws {
    for pages in 1...5 { try library.make("Book", ["title": .string("b"), "pages": .int(Int64(pages))]) }
    try library.context.save()
    var request = FetchRequest(try library.entity("Book"))
    request.sectionIdentifier = try .parse("pages")
    #expect(throws: GraphError.self) { try library.context.fetchSections(request, most: 4) }
    #expect(try library.context.fetchSections(request, most: 5).sections.count == 5)
  }
}
