import Modeling
import Queries
import Stores
import Testing

@testable import ObjectGraph

@Suite struct FrequentValuesTests {
  private let library: Library
  private let request: FetchRequest

  /// Books of 1 to 40 pages, the more pages the more often, and some without any; one author wrote every third.
  init() throws {
    library = try Library()
    let author = try library.make("Author", ["name": .string("A")])
    for pages in 1...40 {
      for copy in 0..<pages {
        let book = try library.make("Book", ["title": .string("b\(pages).\(copy)"), "pages": .int(Int64(pages))])
        if copy % 3 == 0 { try book.setOne("author", author) }
      }
    }
    for copy in 0..<25 { try library.make("Book", ["title": .string("n\(copy)"), "pages": .null]) }
    try library.context.save()
    request = FetchRequest(try library.entity("Book"))
  }

  private func values(_ path: String, _ request: FetchRequest, most: Int) throws -> FrequentValues {
    try library.context.frequentValues(request, of: try .parse(path), most: most)
  }

  /// The values with their counts, and nil last, as a pass over the objects finds them.
  private func expect(_ path: String, _ request: FetchRequest, most: Int = 1_000) throws {
    let facets = try library.context.facets(request, of: try .parse(path))
    let found = try values(path, request, most: most)
    let wanted = facets.filter { !$0.value.isNull }.prefix(most) + facets.filter(\.value.isNull)
    #expect(found.values.map(\.value) == wanted.map(\.value))
    #expect(found.values.map(\.count) == wanted.map(\.count))
    #expect(found.isCut == (facets.count { !$0.value.isNull } > most))
    #expect(!found.leavesOutUnsaved)
  }

  @Test func theStoreCountsAsAPassOverTheObjectsDoes() throws {
    for path in ["pages", "author", "title", "abs(pages - 20)", "author.name"] { try expect(path, request) }
    var some = request
    some.predicate = try .parse("pages > 5 OR pages == nil")
    try expect("pages", some)
    try expect("pages", some, most: 5)
    try expect("pages", request, most: 40)
    try expect("pages", request, most: 39)
  }

  @Test func noValueIsToldWhereTheListIsCut() throws {
    let found = try values("pages", request, most: 10)
    #expect(found.isCut)
    #expect(found.values.count == 11)
    #expect(found.values[0].value == .int(40) && found.values[0].count == 40)
    #expect(found.values[10].value.isNull && found.values[10].count == 25)
    // Among the first by its number it stands last all the same.
    #expect(found.values.prefix(10).allSatisfy { !$0.value.isNull })
  }

  @Test func unsavedChangesAndPartsCount() throws {
    try library.make("Book", ["title": .string("new"), "pages": .int(7)])
    try expect("pages", request)
    try expect("pages", request, most: 3)
    var part = request
    part.sortDescriptors = [SortDescriptor("-pages")]
    part.fetchLimit = 50
    try expect("pages", part)
    part.fetchOffset = 20
    try expect("pages", part, most: 1)
  }
}
