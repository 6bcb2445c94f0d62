import Modeling
import PostgresStorage
import Queries
import Stores
import Testing

import struct Foundation.Decimal
import struct Foundation.UUID

/// The rules of `ObjectReading`, for each kind of store.
@Suite struct ObjectReadingTests {
  @Test(arguments: Conformance.allCases)
  func keysAscendWithoutAnOrder(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    try shop.fill()
    let keys = try shop.keys("Book")
    #expect(keys.count == 24 && keys == keys.sorted() && Set(keys).count == 24)
    #expect(keys.allSatisfy { $0 > ObjectID.temporaryLimit })
    let cursor = try shop.store.cursor(try shop.request("Book"))
    var walked: [Int64] = []
    while try cursor.step() { walked.append(cursor.key) }
    #expect(walked.count == 24 && (walked == keys || shop.store.traits.rowsPerRoundTrip > 0))
  }

  @Test(arguments: Conformance.allCases)
  func predicateOrderLimitAndOffsetHold(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    for pages in [5, 1, 4, 2, 3] as [Int64] { try shop.insert("Book", ["pages": .int(pages)]) }
    var request = try shop.request("Book", "pages > 1", order: ["-pages"])
    let all = try shop.store.keys(request)
    #expect(try all.map { try shop.value("Book", $0, "pages") } == [5, 4, 3, 2].map { Value.int($0) })
    request.fetchLimit = 2
    request.fetchOffset = 1
    #expect(try shop.store.keys(request) == Array(all[1...2]))
    #expect(try shop.store.count(request) == 2)
    request.fetchOffset = 9
    #expect(try shop.store.keys(request).isEmpty)
    #expect(try shop.store.count(request) == 0)
  }

  @Test(arguments: Conformance.allCases)
  func rowsThatTheOrderDoesNotTellApartComeByTheirKeys(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    try shop.fill()
    let keys = try shop.keys("Book", order: ["isInPrint"])
    let flags = try keys.map { try shop.value("Book", $0, "isInPrint") }
    for (pair, flag) in zip(zip(keys, keys.dropFirst()), zip(flags, flags.dropFirst())) where flag.0 == flag.1 {
      #expect(pair.0 < pair.1)
    }
    let cursor = try shop.store.cursor(try shop.request("Book", order: ["isInPrint"]))
    var walked: [Int64] = []
    while try cursor.step() { walked.append(cursor.key) }
    #expect(walked == keys)
  }

  @Test(arguments: Conformance.allCases)
  func objectsOfSubentitiesAreAmongThoseOfTheirAncestors(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let (book, novel) = (try shop.insert("Book"), try shop.insert("Novel", ["genre": .string("crime")]))
    #expect(book != novel)
    #expect(try shop.keys("Book") == [book, novel].sorted())
    #expect(try shop.keys("Novel") == [novel])
    var alone = try shop.request("Book")
    alone.includesSubentities = false
    #expect(try shop.store.keys(alone) == [book])
    let cursor = try shop.store.rows(of: shop.entity("Book"), keys: [book, novel])
    var entities: [Int64: Entity] = [:]
    while try cursor.step() { entities[cursor.key] = cursor.entity }
    #expect(entities == [book: shop.entity("Book"), novel: shop.entity("Novel")])
    #expect(try shop.value("Novel", novel, "genre") == .string("crime"))
  }

  static let values: [(String, [Value])] = [
    ("title", [.string(""), .string("Ōsaka 🌊"), .string("a'b\"c"), .null]),
    ("pages", [.int(0), .int(.max), .int(.min), .null]),
    ("price", [.decimal(Decimal(string: "12.3456789012345678")!), .decimal(0), .null]),
    ("isInPrint", [.bool(true), .bool(false), .null]),
    ("code", [.uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!), .null]),
    ("cover", [.data([]), .data([0, 255, 0, 1]), .null]),
    ("page", [.url("https://example.org/ä"), .null]),
    ("notes", [.json(.object(["a": .array([.int(1), .null])])), .null]),
  ]

  @Test(arguments: Conformance.allCases, values.map(\.0))
  func aValueIsReadAsItWasWritten(_ conformance: Conformance, _ property: String) throws {
    let shop = try Bookshop(conformance)
    for value in Self.values.first(where: { $0.0 == property })?.1 ?? [] {
      let inserted = try shop.insert("Book", [property: value])
      #expect(try shop.value("Book", inserted, property) == value)
      let updated = try shop.insert("Novel")
      #expect(try shop.update("Novel", updated, property, value))
      #expect(try shop.value("Novel", updated, property) == value)
    }
  }

  @Test(arguments: Conformance.allCases)
  func aPackedRowOutlivesItsCursorAndHoldsTheSame(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    try shop.fill()
    let cursor = try shop.store.cursor(try shop.request("Author"))
    var rows: [PackedRow] = []
    var names: [String] = []
    let (name, rating) = (shop.column("Author", "name"), shop.column("Author", "rating"))
    while try cursor.step() {
      let row = cursor.pack()
      names.append(String(decoding: cursor.bytes(name), as: UTF8.self))
      #expect(row.count == shop.store.layout(of: shop.entity("Author")).columns.count)
      #expect(row.storageClass(rating) == cursor.storageClass(rating))
      #expect(cursor.storageClass(rating) != .real || row.real(rating) == cursor.real(rating))
      rows.append(row)
    }
    cursor.close()
    #expect(rows.map { String(decoding: $0.bytes(name), as: UTF8.self) } == names && names.count == 6)
    let copy = rows[0].copy()
    #expect(copy.isEqual(to: rows[0]) && !rows[1].isEqual(to: rows[0]))
    for row in rows + [copy] { row.free() }
  }

  @Test(arguments: Conformance.allCases)
  func keysWithoutARowAreLeftOut(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let keys = try (0..<300).map { _ in try shop.insert("Tag") }
    for key in keys where key % 3 == 0 { _ = try shop.store.delete(shop.entity("Tag"), key: key) }
    let cursor = try shop.store.rows(of: shop.entity("Tag"), keys: keys.reversed() + [.max])
    var found: [Int64] = []
    while try cursor.step() { found.append(cursor.key) }
    #expect(found.sorted() == keys.filter { $0 % 3 != 0 })
    #expect(try shop.store.rows(of: shop.entity("Tag"), keys: []).step() == false)
  }

  @Test(arguments: Conformance.allCases)
  func aRowIsFoundByItsValues(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    try shop.fill()
    let (author, name, rating) = (shop.entity("Author"), shop.index("Author", "name"), shop.index("Author", "rating"))
    let key = try #require(try shop.store.key(of: author, where: [name], equal: [.string("author 3")]))
    #expect(try shop.value("Author", key, "name") == .string("author 3"))
    #expect(try shop.store.key(of: author, where: [name, rating], equal: [.string("author 3"), .double(1.5)]) == key)
    #expect(try shop.store.key(of: author, where: [name, rating], equal: [.string("author 3"), .double(9)]) == nil)
    #expect(try shop.store.key(of: author, where: [name], equal: [.string("none")]) == nil)
  }

  @Test(arguments: Conformance.allCases)
  func whatPeopleCallAKeyLeadsBackToIt(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let key = try shop.insert("Tag")
    let values = shop.store.keyValues(of: shop.entity("Tag"), key: key)
    #expect(try shop.store.key(of: shop.entity("Tag"), fromKeyValues: values) == key)
    #expect(try shop.store.key(of: shop.entity("Tag"), fromKeyValues: values + values) == nil)
    #expect(try shop.store.key(of: shop.entity("Tag"), fromKeyValues: [.string("x")]) == nil)
  }

  @Test(arguments: Conformance.allCases)
  func answersAreYesNoOrNeitherForEveryRow(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    for pages in [.int(5), .null, .int(1)] as [Value] { try shop.insert("Book", ["pages": pages]) }
    let predicates = try ["pages > 2", "pages == nil", "TRUEPREDICATE"].map { try Predicate.parse($0) }
    var request = try shop.request("Book", "pages > 100")
    request.fetchLimit = 1
    let cursor = try shop.store.answers(request, to: predicates)
    var rows: [[Bool?]] = []
    var keys: [Int64] = []
    while try cursor.step() {
      rows.append(predicates.indices.map(cursor.answer))
      keys.append(cursor.key)
    }
    #expect(rows == [[true, false, true], [nil, true, true], [false, false, true]])
    #expect(try keys == shop.keys("Book"))
  }

  @Test(arguments: Conformance.allCases)
  func nothingIsInAListOfNothing(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    for pages in [.int(5), .null] as [Value] { try shop.insert("Book", ["pages": pages]) }
    for property in ["pages", "title", "author", "author.name", "price", "pages + 1"] {
      #expect(try shop.keys("Book", "\(property) IN {}").isEmpty, "\(property)")
      #expect(try shop.keys("Book", "NOT (\(property) IN {})").count == 2, "\(property)")
      #expect(try shop.keys("Book", "NOT (\(property) IN {}) AND pages == nil").count == 1, "\(property)")
    }
    #expect(try shop.keys("Book", "NOT (title IN[c] {})").count == 2)
  }

  @Test(arguments: Conformance.allCases.filter { $0 != .memory })
  func groupsAreOfSeveralKeysAndOfWhatConditionsName(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    for (title, pages) in [("a", 2), ("b", 3), ("a", 3), ("a", 3)] as [(String, Int64)] {
      try shop.insert("Book", ["title": .string(title), "pages": .int(pages)])
    }
    func rows(_ keys: [String], _ columns: [String], having: String? = nil, order: [String]) throws -> [[Value]] {
      var request = try shop.request("Book", order: order)
      request.resultType = .dictionaries
      request.propertiesToGroupBy = try keys.map { try Expression.parse($0) }
      request.propertiesToFetch = try (keys + columns).map { FetchedColumn($0, try Expression.parse($0)) }
      request.havingPredicate = try having.map { try Predicate.parse($0) }
      let cursor = try shop.store.dictionaries(request, tiesByKey: false)
      var rows: [[Value]] = []
      while try cursor.step() { rows.append(cursor.columns.indices.map(cursor.value)) }
      return rows
    }
    let (a, b) = (Value.string("a"), Value.string("b"))
    #expect(
      try rows(["title", "pages"], ["count(title)"], order: ["title", "-pages"])
        == [[a, .int(3), .int(2)], [a, .int(2), .int(1)], [b, .int(3), .int(1)]])
    #expect(
      try rows(["title"], ["sum(pages)"], having: "max(pages) > 2 AND count(title) > 1", order: ["title"])
        == [[a, .int(8)]])
    // Within an aggregate a key is a property of each row.
    #expect(try rows(["pages"], ["sum(pages)"], order: ["pages"]) == [[.int(2), .int(2)], [.int(3), .int(9)]])
  }

  private static func isPositiveZero(_ value: Value) -> Bool {
    guard case .double(let number) = value else { return false }
    return number == 0 && number.sign == .plus
  }

  @Test(arguments: Conformance.allCases)
  func thereIsOneZero(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    for rating in [0.0, -0.0, -0.0, 0.0] { try shop.insert("Author", ["rating": .double(rating)]) }
    let rating = Expression.path(PropertyPath(["rating"]))
    let least = try shop.store.aggregate(try shop.request("Author"), [.call(.min, rating), .call(.max, rating)])
    #expect(conformance == .memory || least.allSatisfy(Self.isPositiveZero))
    if let store = shop.store as? PostgresStore { _ = try store.sql("UPDATE author SET rating = '-0'", []) }
    for key in try shop.keys("Author") {
      let rating = try shop.value("Author", key, "rating") ?? .null
      #expect(conformance == .memory || Self.isPositiveZero(rating))
    }
  }

  @Test(arguments: Conformance.allCases.filter { $0 != .memory })
  func distinctDictionariesAreInTheOrderOfTheirColumns(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    // The column has the name of an attribute, by which titles would come the other way round.
    for (name, title) in [("Ann", "Z"), ("Bob", "Y"), ("Cid", "X")] {
      let author = try shop.insert("Author", ["name": .string(name)])
      for _ in 0..<2 { try shop.insert("Book", ["title": .string(title), "author": .int(author)]) }
    }
    var request = try shop.request("Book", order: ["title"])
    request.resultType = .dictionaries
    request.returnsDistinctResults = true
    request.propertiesToFetch = [FetchedColumn("title", .path(PropertyPath(["author", "name"])))]
    let cursor = try shop.store.dictionaries(request, tiesByKey: false)
    var found: [Value] = []
    while try cursor.step() { found.append(cursor.value(0)) }
    #expect(found == [.string("Ann"), .string("Bob"), .string("Cid")])
  }

  @Test(arguments: Conformance.allCases)
  func dictionariesHoldWhatTheRequestNames(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let author = try shop.insert("Author", ["name": .string("Ann")])
    try shop.insert("Book", ["pages": .int(3), "author": .int(author)])
    try shop.insert("Book", ["pages": .int(3)])
    try shop.insert("Book", ["pages": .int(1)])
    var request = try shop.request("Book", order: ["pages"])
    request.resultType = .dictionaries
    request.propertiesToFetch = [
      FetchedColumn("who", .path(PropertyPath(["author", "name"]))),
      FetchedColumn("twice", try Expression.parse("pages * 2")),
    ]
    let cursor = try shop.store.dictionaries(request, tiesByKey: true)
    #expect(cursor.columns == ["who", "twice"])
    var rows: [[Value]] = []
    while try cursor.step() { rows.append([cursor.value(0), cursor.value(1)]) }
    #expect(rows == [[.null, .int(2)], [.string("Ann"), .int(6)], [.null, .int(6)]])
    #expect(try shop.store.count(request) == 3)
  }

  @Test(arguments: Conformance.allCases.filter { $0 != .memory })
  func groupsHoldWhatTheRequestSelects(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let authors = try ["Ann", "Bob", "Abe"].map { try shop.insert("Author", ["name": .string($0)]) }
    for (pages, author) in [(3, 0), (1, 1), (3, 2), (2, 0), (3, 1)] as [(Int64, Int)] {
      try shop.insert("Book", ["pages": .int(pages), "author": .int(authors[author])])
    }
    // The second is one that a database may not decide.
    for predicate in ["author.name BEGINSWITH 'A'", "author.name MATCHES 'A[a-z]+'"] {
      var request = try shop.request("Book", predicate)
      request.resultType = .dictionaries
      request.propertiesToGroupBy = [try Expression.parse("pages")]
      request.propertiesToFetch = [
        FetchedColumn("pages", try Expression.parse("pages")), FetchedColumn("count", .call(.count, .object)),
      ]
      request.sortDescriptors = [Queries.SortDescriptor("pages")]
      let cursor = try shop.store.dictionaries(request, tiesByKey: false)
      var rows: [[Value]] = []
      while try cursor.step() { rows.append([cursor.value(0), cursor.value(1)]) }
      #expect(rows == [[.int(2), .int(1)], [.int(3), .int(2)]], "\(predicate)")
    }
  }

  @Test(arguments: Conformance.allCases)
  func aggregatesAreOverWhatTheRequestSelects(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    for pages in [.int(5), .null, .int(1), .int(3)] as [Value] { try shop.insert("Book", ["pages": pages]) }
    let pages = Expression.path(PropertyPath(["pages"]))
    let expressions: [Expression] = [.call(.count, pages), .call(.min, pages), .call(.max, pages)]
    #expect(try shop.store.aggregate(try shop.request("Book"), expressions) == [.int(3), .int(1), .int(5)])
    #expect(
      try shop.store.aggregate(try shop.request("Book", "pages > 2"), expressions) == [.int(2), .int(3), .int(5)])
  }

  @Test(arguments: Conformance.allCases)
  func aNameThatTheModelDoesNotHaveIsAPredicateError(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let request = try shop.request("Book", "pagse > 1")
    #expect(throws: PredicateError.self) { try shop.store.keys(request) }
    #expect(throws: PredicateError.self) { try shop.store.count(request) }
    #expect(throws: PredicateError.self) { try shop.store.cursor(request).step() }
    #expect(throws: PredicateError.self) { try shop.store.batchDelete(request) }
    #expect(throws: PredicateError.self) { try shop.store.placements(of: request) }
  }

  @Test(arguments: Conformance.allCases)
  func aTransactionReadsWhatItWrote(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    try shop.store.transaction {
      let key = try shop.insert("Tag", ["label": .string("x")])
      #expect(try shop.keys("Tag", "label == 'x'") == [key])
      #expect(try shop.store.reading { try shop.value("Tag", key, "label") } == .string("x"))
    }
  }

  @Test(arguments: Conformance.allCases)
  func readingWithinATransactionDoesNotEndIt(_ conformance: Conformance) throws {
    struct Refused: Error {}
    let shop = try Bookshop(conformance)
    #expect(throws: Refused.self) {
      try shop.store.transaction {
        let key = try shop.insert("Tag", ["label": .string("x")])
        #expect(try shop.store.reading { try shop.keys("Tag") } == [key])
        throw Refused()
      }
    }
    #expect(try shop.keys("Tag") == [])
  }

  @Test(arguments: Conformance.allCases)
  func aCursorIsCurrentUntilSomethingIsWritten(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    for _ in 0..<3 { try shop.insert("Tag") }
    let cursor = try shop.store.cursor(try shop.request("Tag"))
    #expect(try cursor.step())
    #expect(cursor.isCurrent)
    try shop.insert("Author")
    #expect(!cursor.isCurrent)
    // It goes on all the same.
    #expect(try cursor.step())
    cursor.close()
    cursor.close()
    #expect(try cursor.step() == false)
  }
}
