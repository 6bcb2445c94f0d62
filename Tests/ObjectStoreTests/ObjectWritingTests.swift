import Modeling
import Queries
import Stores
import Testing

/// The rules of `ObjectWriting`, for each kind of store.
@Suite struct ObjectWritingTests {
  private struct Failure: Error {}

  // MARK: Transactions

  @Test(arguments: Conformance.allCases)
  func aTransactionThatThrowsHasWrittenNothing(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let (tag, book) = (try shop.insert("Tag", ["label": .string("a")]), try shop.insert("Book"))
    try shop.link("Book", "tags", book, tag)
    #expect(throws: Failure.self) {
      try shop.store.transaction {
        try shop.insert("Tag")
        _ = try shop.update("Tag", tag, "label", .string("b"))
        try shop.store.unlink(shop.index("Book", "tags"), in: shop.entity("Book"), owner: book, member: tag)
        _ = try shop.store.delete(shop.entity("Book"), key: book)
        throw Failure()
      }
    }
    #expect(try shop.keys("Tag") == [tag] && shop.keys("Book") == [book])
    #expect(try shop.value("Tag", tag, "label") == .string("a"))
    #expect(try shop.members("Book", "tags", book) == [tag])
  }

  @Test(arguments: Conformance.allCases.filter { $0.profile?.has(.savepoints) != false })
  func aPartOfATransactionIsUndoneAlone(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let kept = try shop.store.transaction { () -> Int64 in
      let key = try shop.insert("Tag", ["label": .string("a")])
      // An expectation that is nested in a closure ends the compiler (Swift 6.3).
      try? shop.store.transaction {
        _ = try shop.update("Tag", key, "label", .string("b"))
        try shop.insert("Tag")
        throw Failure()
      }
      try shop.store.transaction { _ = try shop.insert("Author") }
      return key
    }
    #expect(try shop.keys("Tag") == [kept])
    #expect(try shop.value("Tag", kept, "label") == .string("a"))
    #expect(try shop.keys("Author").count == 1)
  }

  @Test(arguments: Conformance.allCases)
  func aStoreThatIsOnlyReadRefusesEveryWrite(_ conformance: Conformance) throws {
    let shop = try Bookshop(readOnly: conformance)
    let (store, tag) = (shop.store, shop.entity("Tag"))
    #expect(store.isReadOnly)
    let writes: [() throws -> Void] = [
      { try shop.insert("Tag") }, { _ = try shop.update("Tag", 1, "label", .null) },
      { _ = try store.delete(tag, key: 1) }, { try shop.link("Book", "tags", 1, 1) },
      { try store.unlink(shop.index("Book", "tags"), in: shop.entity("Book"), owner: 1, member: 1) },
      { try store.transaction {} }, { _ = try store.batchDelete(try shop.request("Tag")) },
      { _ = try store.batchUpdate(try shop.request("Tag"), [(0, .null)]) },
      { try store.bulkInsert(into: tag, expecting: 1) {} },
    ]
    for (number, write) in writes.enumerated() {
      #expect(fact(write) == store.readOnlyError.fact, "write \(number)")
    }
    #expect(try shop.keys("Tag").isEmpty)
    #expect(store.onOwnCommit { _ in } == nil)
  }

  // MARK: Rows

  @Test(arguments: Conformance.allCases)
  func theKeyOfADeletedRowIsNotGivenAgain(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    var seen: Set<Int64> = []
    for _ in 0..<4 {
      let key = try shop.insert("Novel")
      #expect(seen.insert(key).inserted)
      #expect(try shop.store.delete(shop.entity("Novel"), key: key))
    }
    // Relatives share their keys.
    #expect(seen.insert(try shop.insert("Book")).inserted)
  }

  @Test(arguments: Conformance.allCases)
  func aDeletedRowComesBackUnderItsKey(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let key = try shop.insert("Tag", ["label": .string("a")])
    let other = try shop.insert("Tag")
    _ = try shop.store.delete(shop.entity("Tag"), key: key)
    #expect(try shop.insert("Tag", ["label": .string("b")], key: key) == key)
    #expect(try shop.value("Tag", key, "label") == .string("b"))
    #expect(try shop.keys("Tag") == [key, other])
  }

  @Test(arguments: Conformance.allCases)
  func aUniqueValueIsThereOnce(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let first = try shop.insert("Author", ["name": .string("Ann")])
    let second = try shop.insert("Author", ["name": .string("Bob")])
    let refused = StoreError.Fact.notUnique(entity: "Author", properties: ["name"], values: [.string("Ann")])
    #expect(fact { try shop.insert("Author", ["name": .string("Ann")]) } == refused)
    #expect(fact { _ = try shop.update("Author", second, "name", .string("Ann")) } == refused)
    #expect(try shop.value("Author", second, "name") == .string("Bob"))
    // Nothing is unlike nothing, and a row does not stand in its own way.
    for _ in 0..<2 { try shop.insert("Author") }
    #expect(try shop.update("Author", first, "name", .string("Ann")))
    #expect(try shop.keys("Author").count == 4)
  }

  @Test(arguments: Conformance.allCases)
  func aRowThatIsGoneIsNeitherUpdatedNorDeleted(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let key = try shop.insert("Tag")
    #expect(try shop.store.delete(shop.entity("Tag"), key: key))
    #expect(try shop.store.delete(shop.entity("Tag"), key: key) == false)
    #expect(try shop.update("Tag", key, "label", .string("x")) == false)
    #expect(try shop.value("Tag", key, "label") == nil)
  }

  @Test(arguments: Conformance.allCases)
  func nothingLeadsToADeletedRow(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let (book, tag, shelf) = (try shop.insert("Book"), try shop.insert("Tag"), try shop.insert("Shelf"))
    let prequel = try shop.insert("Book", ["sequel": .int(book)])
    try shop.link("Book", "tags", book, tag)
    try shop.link("Shelf", "books", shelf, book)
    _ = try shop.store.delete(shop.entity("Book"), key: book)
    #expect(try shop.value("Book", prequel, "sequel") == .null)
    #expect(try shop.members("Tag", "books", tag).isEmpty)
    #expect(try shop.members("Shelf", "books", shelf).isEmpty)
  }

  // MARK: Pairs and order

  @Test(arguments: Conformance.allCases)
  func aPairIsThereOnceAndSeenFromBothSides(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let (book, tags) = (try shop.insert("Book"), try (0..<3).map { _ in try shop.insert("Tag") })
    for tag in tags + tags { try shop.link("Book", "tags", book, tag) }
    #expect(try shop.members("Book", "tags", book) == tags)
    #expect(try shop.members("Tag", "books", tags[1]) == [book])
    let index = shop.index("Book", "tags")
    try shop.store.unlink(index, in: shop.entity("Book"), owner: book, member: tags[1])
    try shop.store.unlink(index, in: shop.entity("Book"), owner: book, member: tags[1])
    #expect(try shop.members("Book", "tags", book) == [tags[0], tags[2]])
    #expect(try shop.members("Tag", "books", tags[1]).isEmpty)
    // From the other side it is the same pair.
    try shop.link("Tag", "books", tags[1], book)
    try shop.link("Book", "tags", book, tags[1])
    #expect(try shop.members("Tag", "books", tags[1]) == [book])
    #expect(try Set(shop.members("Book", "tags", book)) == Set(tags))
  }

  @Test(arguments: Conformance.allCases)
  func aRelationshipThatIsItsOwnInverseHasAPairForEachDirection(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let (one, other) = (try shop.insert("Author"), try shop.insert("Author"))
    let index = shop.index("Author", "friends")
    try shop.link("Author", "friends", one, other)
    #expect(try shop.members("Author", "friends", one) == [other])
    #expect(try shop.members("Author", "friends", other).isEmpty)
    try shop.link("Author", "friends", other, one)
    #expect(try shop.members("Author", "friends", other) == [one])
    try shop.store.unlink(index, in: shop.entity("Author"), owner: other, member: one)
    #expect(try shop.members("Author", "friends", one) == [other])
    #expect(try shop.members("Author", "friends", other).isEmpty)
  }

  @Test(arguments: Conformance.allCases, [("Author", "books"), ("Book", "tags")])
  func membersAreBroughtIntoAnyOrder(_ conformance: Conformance, _ place: (entity: String, relationship: String)) throws
  {
    let shop = try Bookshop(conformance)
    let owner = try shop.insert(place.entity)
    var members = try (0..<5).map { _ -> Int64 in
      if place.entity == "Author" { return try shop.insert("Book", ["author": .int(owner)]) }
      let tag = try shop.insert("Tag")
      try shop.link("Book", "tags", owner, tag)
      return tag
    }
    let index = shop.index(place.entity, place.relationship)
    for _ in 0..<4 {
      members = [members[2], members[4], members[0], members[3], members[1]]
      try shop.store.setOrder(index, in: shop.entity(place.entity), owner: owner, members: members)
      #expect(try shop.members(place.entity, place.relationship, owner) == members)
    }
    #expect(try shop.store.checkInvariants() == [])
  }

  @Test(arguments: Conformance.allCases, [("Author", "books"), ("Book", "tags")])
  func anOrderLeavesAloneWhatOthersMovedAndPutsLastWhatTheyAdded(
    _ conformance: Conformance, _ place: (entity: String, relationship: String)
  ) throws {
    let shop = try Bookshop(conformance)
    let owners = try (0..<2).map { _ in try shop.insert(place.entity) }
    func member(of owner: Int64) throws -> Int64 {
      if place.entity == "Author" { return try shop.insert("Book", ["author": .int(owner)]) }
      let tag = try shop.insert("Tag")
      try shop.link("Book", "tags", owner, tag)
      return tag
    }
    func order(_ owner: Int64, _ members: [Int64]) throws {
      let index = shop.index(place.entity, place.relationship)
      try shop.store.setOrder(index, in: shop.entity(place.entity), owner: owner, members: members)
    }
    let members = try (0..<4).map { _ in try member(of: owners[0]) }
    let others = try (0..<3).map { _ in try member(of: owners[1]) }
    try order(owners[0], members)
    try order(owners[1], others.reversed())
    try order(owners[0], [members[2], others[0], members[0]])
    #expect(
      try shop.members(place.entity, place.relationship, owners[0])
        == [members[2], members[0], members[1], members[3]])
    #expect(try shop.members(place.entity, place.relationship, owners[1]) == others.reversed())
  }

  // MARK: Batches

  @Test(arguments: Conformance.allCases)
  func aBatchSetsWhatTheRequestSelects(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    try shop.fill()
    let author = try shop.insert("Author", ["name": .string("new")])
    let request = try shop.request("Book", "pages > 20")
    let keys = try shop.store.keys(request)
    let changes: [(property: Int, value: Value)] = [
      (shop.index("Book", "title"), .string("thick")),
      (shop.index("Book", "author"), .object(ObjectID(entity: shop.entity("Author"), key: author))),
    ]
    #expect(try shop.store.batchUpdate(request, changes) == keys.count)
    #expect(try shop.keys("Book", "title == 'thick'") == keys)
    #expect(try Set(shop.members("Author", "books", author)) == Set(keys))
  }

  @Test(arguments: Conformance.allCases)
  func aBatchDeletesByTheModelsRules(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    try shop.fill()
    let author = try #require(try shop.keys("Author", "name == 'author 0'").first)
    let books = try shop.members("Author", "books", author)
    let all = try shop.keys("Book")
    #expect(!books.isEmpty)
    #expect(try shop.store.batchDelete(try shop.request("Author", "name == 'author 0'")) == 1)
    #expect(try shop.keys("Book") == all.filter { !books.contains($0) })
  }

  @Test(arguments: Conformance.allCases)
  func aBatchThatARuleDeniesDeletesNothing(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let publishers = try (0..<2).map { _ in try shop.insert("Publisher") }
    try shop.insert("Book", ["publisher": .int(publishers[1])])
    let denied = StoreError.Fact.deleteDenied(entity: "Publisher", relationship: "books", count: 1)
    #expect(fact { _ = try shop.store.batchDelete(try shop.request("Publisher")) } == denied)
    #expect(try shop.keys("Publisher") == publishers)
  }

  @Test(arguments: Conformance.allCases)
  func aBatchThatWouldEmptyAMandatoryToOneDeletesNothing(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let tags = try (0..<2).map { _ in try shop.insert("Tag") }
    try shop.insert("Loan", ["tag": .int(tags[1])])
    let refusal = fact { _ = try shop.store.batchDelete(try shop.request("Tag")) }
    guard case .deleteHeld(entity: "Tag", let hold)? = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(hold.entity == "Loan" && hold.property == "tag" && hold.count == 1)
    #expect(try shop.keys("Tag") == tags)
  }

  @Test(arguments: Conformance.allCases)
  func manyRowsAreInsertedOrNone(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let author = shop.entity("Author")
    // In memory each row is compared with all others.
    let count = conformance == .memory ? 200 : 3000
    try shop.store.bulkInsert(into: author, expecting: count) {
      for number in 0..<count { try shop.insert("Author", ["name": .string("\(number)")]) }
    }
    #expect(try shop.keys("Author", "name == '\(count - 1)'").count == 1)
    let refusal = fact {
      try shop.store.bulkInsert(into: author, expecting: count) {
        try shop.insert("Author", ["name": .string("new")])
        try shop.insert("Author", ["name": .string("new")])
      }
    }
    #expect(refusal == .notUnique(entity: "Author", properties: ["name"], values: [.string("new")]))
    #expect(try shop.store.count(try shop.request("Author")) == count)
  }

  // MARK: Depth

  @Test(arguments: Conformance.allCases)
  func aCascadeReachesAsDeepAsTheData(_ conformance: Conformance) throws {
    var down = Relationship(toMany: "down", "Node", inverse: "up")
    down.deleteRule = .cascade
    let store = try conformance.open(
      Model([
        EntityDescription(
          "Node",
          properties: [
            .attribute(Attribute("number", .integer64)), .relationship(down),
            .relationship(Relationship(toOne: "up", "Node", inverse: "down")),
          ])
      ]))
    let node = try #require(store.model.entity(named: "Node"))
    let names = store.layout(of: node).columns.map(\.name)
    let (number, up) = (try #require(names.firstIndex(of: "number")), names.firstIndex(of: "number") == 0 ? 1 : 0)
    let keys = try store.transaction { () -> [Int64] in
      var keys: [Int64] = []
      for level in 0..<3_000 {
        var values = [Value](repeating: .null, count: names.count)
        values[number] = .int(Int64(level))
        if let above = keys.last { values[up] = .int(above) }
        keys.append(try store.insert(node, values))
      }
      return keys
    }
    var request = FetchRequest(node)
    request.predicate = try Predicate.parse("number = 2")
    #expect(try store.batchDelete(request) == 1)
    #expect(try store.keys(FetchRequest(node)) == Array(keys[..<2]))
  }
}
