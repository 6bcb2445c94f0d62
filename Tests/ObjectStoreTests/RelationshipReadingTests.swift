import Modeling
import Queries
import Stores
import Testing

/// The rules of `RelationshipReading`, for each kind of store.
@Suite struct RelationshipReadingTests {
  @Test(arguments: Conformance.allCases)
  func membersComeByOwnerInTheirOrder(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let authors = try (0..<3).map { try shop.insert("Author", ["name": .string("\($0)")]) }
    let books = try (0..<6).map { try shop.insert($0 % 2 == 0 ? "Book" : "Novel", ["author": .int(authors[$0 % 2])]) }
    let (entity, index) = (shop.entity("Author"), shop.index("Author", "books"))
    try shop.store.setOrder(index, in: entity, owner: authors[0], members: [books[4], books[0], books[2]])
    let pairs = try shop.store.members(of: index, in: entity, owners: authors)
    #expect(pairs.filter { $0.owner == authors[0] }.map(\.member) == [books[4], books[0], books[2]])
    #expect(Set(pairs.filter { $0.owner == authors[1] }.map(\.member)) == [books[1], books[3], books[5]])
    #expect(pairs.count == 6)
    // Grouped by owner.
    #expect(pairs.map(\.owner).reduce(into: [Int64]()) { if $0.last != $1 { $0.append($1) } }.count == 2)
    let counts = try shop.store.memberCounts(of: index, in: entity, owners: authors)
    #expect(authors.map { counts[$0] ?? 0 } == [3, 3, 0])
  }

  @Test(arguments: Conformance.allCases)
  func manyOwnersAreAnsweredAsEachAlone(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    try shop.fill()
    for (name, relationship) in [("Author", "books"), ("Book", "tags"), ("Tag", "books"), ("Publisher", "books")] {
      let owners = try shop.keys(name)
      let (entity, index) = (shop.entity(name), shop.index(name, relationship))
      let pairs = try shop.store.members(of: index, in: entity, owners: owners)
      let counts = try shop.store.memberCounts(of: index, in: entity, owners: owners)
      for owner in owners {
        let alone = try shop.members(name, relationship, owner)
        #expect(pairs.filter { $0.owner == owner }.map(\.member) == alone, "\(name).\(relationship)")
        #expect(counts[owner] ?? 0 == alone.count)
        #expect(try shop.store.memberCounts(of: index, in: entity, owners: [owner])[owner] ?? 0 == alone.count)
      }
    }
  }

  @Test(arguments: Conformance.allCases)
  func aReferenceIsResolvedToTheRowThatItNames(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let author = try shop.insert("Author")
    let (book, index) = (shop.entity("Book"), shop.index("Book", "author"))
    let values = try shop.store.referenceValues(to: author, of: index, in: book)
    #expect(try shop.store.resolve(values, of: index, in: book) == author)
    #expect(try shop.store.resolve(values.map { _ in .null }, of: index, in: book) == nil)
    _ = try shop.store.delete(shop.entity("Author"), key: author)
    #expect(try shop.store.resolve(values, of: index, in: book) == nil)
  }

  @Test(arguments: Conformance.allCases)
  func manyReferencesAreResolvedAtOnce(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let authors = try (0..<150).map { try shop.insert("Author", ["name": .string("\($0)")]) }
    let (book, index) = (shop.entity("Book"), shop.index("Book", "author"))
    let found = try shop.store.resolveAll(authors.map(Value.int) + [.int(999_999)], of: index, in: book)
    #expect(found.map(\.key).sorted() == authors)
    #expect(found.allSatisfy { $0.value == .int($0.key) })
  }

  @Test(arguments: Conformance.allCases)
  func looseRelationshipsAreThoseWithoutAWayBack(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let references = shop.store.looseReferences(to: shop.entity("Novel"))
    #expect(references.map { "\($0.entity.name).\($0.relationship.name)" } == ["Book.sequel"])
    #expect(references.allSatisfy { $0.effect == .emptied })
    let collections = shop.store.looseCollections(to: shop.entity("Book"))
    #expect(collections.map { "\($0.entity.name).\($0.relationship.name)" } == ["Shelf.books"])
    #expect(shop.store.looseReferences(to: shop.entity("Author")).isEmpty)
    #expect(shop.store.looseReferences(to: shop.entity("Tag")).map(\.relationship.name) == ["tag"])
  }

  @Test(arguments: Conformance.allCases)
  func referrersAreVisitedOnceForEachTarget(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let books = try (0..<4).map { _ in try shop.insert("Book") }
    let first = try shop.insert("Book", ["sequel": .int(books[0])])
    let second = try shop.insert("Novel", ["sequel": .int(books[0])])
    let third = try shop.insert("Book", ["sequel": .int(books[1])])
    let reference = try #require(shop.store.looseReferences(to: shop.entity("Book")).first)
    var found: [[Int64]] = []
    try shop.store.visitReferrers(of: reference, to: shop.entity("Book"), keys: [books[0], books[1], books[2]]) {
      found.append([$0, $1])
    }
    let expected = [[first, books[0]], [second, books[0]], [third, books[1]]]
    #expect(found.sorted { $0.lexicographicallyPrecedes($1) } == expected)
    struct Enough: Error {}
    #expect(throws: Enough.self) {
      try shop.store.visitReferrers(of: reference, to: shop.entity("Book"), keys: books) { _, _ in throw Enough() }
    }
  }

  @Test(arguments: Conformance.allCases)
  func ownersOfLooseCollectionsAreFound(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let (book, other) = (try shop.insert("Book"), try shop.insert("Book"))
    let shelves = try (0..<3).map { _ in try shop.insert("Shelf") }
    try shop.link("Shelf", "books", shelves[0], book)
    try shop.link("Shelf", "books", shelves[2], book)
    try shop.link("Shelf", "books", shelves[1], other)
    let reference = try #require(shop.store.looseCollections(to: shop.entity("Book")).first)
    #expect(try shop.store.owners(of: reference, members: [book]) == [shelves[0], shelves[2]])
    #expect(try shop.store.owners(of: reference, members: []).isEmpty)
  }
}
