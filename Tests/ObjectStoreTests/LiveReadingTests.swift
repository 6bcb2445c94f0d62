import Modeling
import Queries
import Stores
import Testing

/// The rules of `LiveReading`, for each kind of store.
@Suite struct LiveReadingTests {
  static let requests: [(String?, [String])] = [
    (nil, []), ("pages > 10", ["-pages"]), ("author.name != nil", ["author.name", "title"]),
    ("ANY tags.label == 'tag 1'", ["price"]), ("isInPrint == YES", ["title", "-pages"]),
    // What a server leaves to us.
    ("title MATCHES '.*[0-9].*'", ["pages"]), ("title MATCHES '.*[0-9].*'", ["author.name", "-title"]),
  ]

  @Test(arguments: Conformance.allCases, requests.indices)
  func theWholeTheHeadAndLookUpsAgreeWithAFetch(_ conformance: Conformance, _ number: Int) throws {
    let shop = try Bookshop(conformance)
    try shop.fill()
    let (format, order) = Self.requests[number]
    var request = try shop.request("Book", format, order: order)
    let all = try shop.store.keys(request)
    request.fetchLimit = 1
    let reader = try shop.store.placements(of: request)
    var keys: [Int64] = []
    try reader.readAll(restart: { keys = [] }) { keys.append($0.key) }
    #expect(keys.sorted() == all.sorted() && !all.isEmpty)
    for (limit, offset) in [(5, 0), (3, 4), (100, 0), (100, 20), (0, 0)] {
      keys = []
      try reader.readHead(from: .beginning, limit: limit, offset: offset) { keys.append($0.key) }
      #expect(keys == Array(all.dropFirst(offset).prefix(limit)))
    }
    let some = try shop.keys("Book").filter { $0 % 3 != 0 }
    keys = []
    try reader.read(keys: some + [.max]) { keys.append($0.key) }
    #expect(keys.sorted() == all.filter(some.contains).sorted())
    #expect(reader.components.count == order.count && !reader.isTimeDependent)
  }

  @Test(arguments: Conformance.allCases)
  func rowsTellTheirValuesAndSections(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let author = try shop.insert("Author", ["name": .string("Ann")])
    let book = try shop.insert("Book", ["author": .int(author), "pages": .int(7), "title": .string("x")])
    var request = try shop.request("Book", order: ["-pages", "title"])
    request.sectionIdentifier = .path(PropertyPath(["author", "name"]))
    let reader = try shop.store.placements(of: request)
    #expect(reader.components.map(\.isAscending) == [true, false, true])
    #expect(reader.components.map(\.kind) == [.text, .number, .text])
    var rows = 0
    try reader.readAll(restart: { rows = 0 }) { row in
      rows += 1
      #expect(row.key == book)
      #expect((0..<3).map(row.value) == [.string("Ann"), .int(7), .string("x")])
      #expect(row.section == .string("Ann"))
      #expect(row.double(1) == 7 && row.storageClass(1) == .integer)
    }
    #expect(rows == 1)
  }

  @Test(arguments: Conformance.allCases, [["rating", "name"], ["-rating", "-name"]])
  func theOrderIsTakenUpAtANumber(_ conformance: Conformance, _ order: [String]) throws {
    let shop = try Bookshop(conformance)
    try shop.fill()
    let reader = try shop.store.placements(of: try shop.request("Author", order: order))
    func ratings(_ start: PlacementStart) throws -> [Value] {
      var values: [Value] = []
      try reader.readHead(from: start, limit: 100) { values.append($0.value(0)) }
      return values
    }
    let all = try ratings(.beginning)
    #expect(all.count == 6 && all.contains(.null))
    let isAscending = order[0] == "rating"
    for number in [-1, 0, 0.25, 1, 9] {
      let rest = all.drop { value in
        guard case .double(let rating) = value else { return isAscending }
        return isAscending ? rating < number : rating > number
      }
      #expect(try ratings(.number(number)) == Array(rest))
    }
    #expect(try ratings(.null) == (isAscending ? all : Array(all.drop { !$0.isNull })))
  }

  @Test(arguments: Conformance.allCases)
  func theOwnersOfMembersAreFound(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    try shop.fill()
    let books = try shop.keys("Book")
    try shop.link("Author", "friends", try shop.keys("Author")[0], try shop.keys("Author")[1])
    for book in books.prefix(5) { _ = try shop.update("Book", book, "sequel", .int(books[book % 2 == 0 ? 7 : 8])) }
    let places = [
      ("Book", "author"), ("Book", "sequel"), ("Author", "books"), ("Publisher", "books"), ("Book", "tags"),
      ("Tag", "books"), ("Author", "friends"),
    ]
    for (name, relationship) in places {
      let (entity, index) = (shop.entity(name), shop.index(name, relationship))
      let lookUp = try shop.store.ownerLookUp(index, of: entity)
      #expect(lookUp.isAlike)
      let destination = entity.destination(at: index)
      let members = Set(try shop.keys(destination.name).filter { $0 % 2 == 0 })
      var found: Set<Int64> = []
      try lookUp.owners(of: members) { found.insert($0) }
      let expected = try shop.keys(name).filter { owner in
        if entity.properties[index].relationship?.isToMany == true {
          return try shop.members(name, relationship, owner).contains(where: members.contains)
        }
        guard case .int(let target)? = try shop.value(name, owner, relationship) else { return false }
        return members.contains(target)
      }
      #expect(found == Set(expected), "\(name).\(relationship)")
    }
  }

  @Test(arguments: Conformance.allCases)
  func ownersAreFoundByWhatReferencesHeld(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let authors = try (0..<3).map { _ in try shop.insert("Author") }
    let (books, tag) = (try authors.map { try shop.insert("Book", ["author": .int($0)]) }, try shop.insert("Tag"))
    func owners(_ name: String, _ relationship: String, _ run: (any OwnerLookUp, (Int64) -> Void) throws -> Void) throws
      -> [Int64]
    {
      var found: [Int64] = []
      let lookUp = try shop.store.ownerLookUp(shop.index(name, relationship), of: shop.entity(name))
      try run(lookUp) { found.append($0) }
      return found.sorted()
    }
    // The former author of a book is still an author; a key without a row belongs to no author.
    let former = ReferenceNames.values([.int(authors[0]), .int(authors[2]), .int(999)])
    #expect(try owners("Author", "books") { try $0.owners(named: former, $1) } == [authors[0], authors[2]])
    #expect(try owners("Book", "author") { try $0.owners(ofMembersNamed: former, $1) } == [books[0], books[2]])
    #expect(
      try owners("Book", "tags") { try $0.owners(named: .values([.int(books[1])]), $1) } == [books[1]])
    #expect(try owners("Tag", "books") { try $0.owners(named: .values([.int(tag)]), $1) } == [tag])
    struct Enough: Error {}
    #expect(throws: Enough.self) {
      try owners("Author", "books") { lookUp, _ in try lookUp.owners(named: former) { _ in throw Enough() } }
    }
  }

  @Test(arguments: Conformance.allCases)
  func aTableOfRowsIsNotComputed(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let tables = Set(shop.store.model.entities.map { shop.store.layout(of: $0).table.lowercased() })
    #expect(try shop.store.computedTable(among: tables) == nil)
    for entity in shop.store.model.entities { #expect(try shop.store.computedColumns(of: entity).isEmpty) }
  }
}
