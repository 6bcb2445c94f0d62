import Modeling
import PostgresStorage
import Queries
import Stores
import Testing

/// The rules of `ChangeTelling`, for each kind of store.
@Suite struct ChangeTellingTests {
  private struct Failure: Error {}

  @Test(arguments: Conformance.allCases)
  func aCommitTellsTheRowsThatItTouched(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let (kept, gone) = (try shop.insert("Tag", ["label": .string("a")]), try shop.insert("Tag"))
    var new: Int64 = 0
    let touched = try shop.touched {
      try shop.store.transaction {
        new = try shop.insert("Tag")
        _ = try shop.update("Tag", kept, "label", .string("b"))
        _ = try shop.store.delete(shop.entity("Tag"), key: gone)
      }
    }
    #expect(touched.isComplete && !touched.isForeign && touched.tables.count == 1)
    let table = try #require(touched.tables["tag"])
    #expect(table.entity == shop.entity("Tag"))
    #expect(table.inserted == [new] && table.updated == [kept] && table.deleted == [gone])
    #expect(table.updatedColumns == ["label"])
  }

  @Test(arguments: Conformance.allCases)
  func rowsThatWentWithOthersBeforeTheyWereDeletedAreToldToo(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let (author, publisher) = (try shop.insert("Author"), try shop.insert("Publisher"))
    let book = try shop.insert("Book", ["author": .int(author), "publisher": .int(publisher)])
    let touched = try shop.touched {
      try shop.store.transaction {
        // The database may delete the books of an author by itself.
        _ = try shop.store.delete(shop.entity("Author"), key: author)
        _ = try shop.store.delete(shop.entity("Book"), key: book)
      }
    }
    #expect(try shop.keys("Book").isEmpty)
    #expect(
      !touched.isComplete || touched.tables["book"]?.deleted == [book] || touched.tables["book"]?.isUnknown == true)
    #expect(touched.tables["author"]?.deleted == [author] || !touched.isComplete)
  }

  @Test(arguments: Conformance.allCases)
  func anOpenTransactionSaysWhatItHasTouchedSoFar(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let (kept, gone) = (try shop.insert("Tag", ["label": .string("a")]), try shop.insert("Tag"))
    try shop.store.transaction {
      let new = try shop.insert("Tag")
      let first = try #require(try shop.store.rowsTouchedByOpenTransaction())
      #expect(!first.isComplete || first.tables["tag"]?.inserted == [new])
      _ = try shop.update("Tag", kept, "label", .string("b"))
      _ = try shop.store.delete(shop.entity("Tag"), key: gone)
      let touched = try #require(try shop.store.rowsTouchedByOpenTransaction())
      #expect(touched.isComplete == conformance.recordsWrites)
      let table = touched.tables["tag"]
      #expect(!touched.isComplete || table?.inserted == [new] && table?.updated == [kept] && table?.deleted == [gone])
    }
  }

  @Test(arguments: Conformance.allCases)
  func aCommitTellsWhatUpdatedRowsHeldAlsoLater(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let kept = try shop.insert("Tag", ["label": .string("a")])
    // SQL that was written by hand tells less; what is written after it tells the same as ever.
    if let store = shop.store as? PostgresStore { _ = try store.sql("UPDATE tag SET label = 'a'", []) }
    var replaced: ReplacedValues?
    let subscription = shop.store.onOwnCommit { replaced = $0.replacedValues(of: shop.entity("Tag")) }
    try shop.store.transaction {
      try shop.insert("Tag", ["label": .string("new")])
      _ = try shop.update("Tag", kept, "label", .string("b"))
      _ = try shop.update("Tag", kept, "label", .string("c"))
    }
    subscription?.cancel()
    _ = try shop.update("Tag", kept, "label", .string("d"))
    let values = replaced?() ?? [:]
    #expect(values.keys.sorted() == [kept])
    #expect(values[kept]?["label"]?.old == .string("a") && values[kept]?["label"]?.new == .string("c"))
  }

  @Test(arguments: Conformance.allCases)
  func rowsAreUncommittedUntilTheirTransactionIsOver(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    #expect(!shop.store.showsUncommittedRows)
    try shop.store.reading { #expect(!shop.store.showsUncommittedRows) }
    try shop.store.transaction {
      try shop.insert("Tag")
      #expect(shop.store.showsUncommittedRows)
      try shop.store.reading { #expect(shop.store.showsUncommittedRows) }
    }
    #expect(!shop.store.showsUncommittedRows)
    #expect(throws: Failure.self) {
      try shop.store.transaction {
        try shop.insert("Tag")
        throw Failure()
      }
    }
    #expect(!shop.store.showsUncommittedRows)
  }

  @Test(arguments: Conformance.allCases)
  func eachCommitIsToldOnceWhenItIsMade(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    var commits: [[Int64]] = []
    let subscription = shop.store.onOwnCommit { commits.append($0.touched.tables["tag"]?.inserted ?? []) }
    let first = try shop.insert("Tag")
    #expect(commits == [[first]])
    var both: [Int64] = []
    try shop.store.transaction {
      both.append(try shop.insert("Tag"))
      try shop.store.transaction { both.append(try shop.insert("Tag")) }
      #expect(commits.count == 1)
    }
    #expect(commits == [[first], both])
    subscription?.cancel()
    try shop.insert("Tag")
    #expect(commits.count == 2)
  }

  @Test(arguments: Conformance.allCases)
  func whatComesToNothingIsNotTold(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let tag = try shop.insert("Tag", ["label": .string("a")])
    var count = 0
    let subscription = shop.store.onOwnCommit { _ in count += 1 }
    defer { subscription?.cancel() }
    #expect(throws: Failure.self) {
      try shop.store.transaction {
        try shop.insert("Tag")
        throw Failure()
      }
    }
    try shop.store.transaction {
      let other = try shop.insert("Tag")
      _ = try shop.update("Tag", tag, "label", .string("b"))
      _ = try shop.update("Tag", tag, "label", .string("a"))
      _ = try shop.store.delete(shop.entity("Tag"), key: other)
    }
    try shop.store.transaction {}
    #expect(count == 0)
  }

  @Test(arguments: Conformance.allCases)
  func aCommitTellsWhoMadeIt(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let touched = try shop.touched {
      try shop.store.attributing(TransactionInfo(author: "import")) { _ = try shop.insert("Tag") }
    }
    #expect(touched.author == "import")
    #expect(try shop.touched { try shop.insert("Tag") }.author == nil)
  }

  @Test(arguments: Conformance.allCases)
  func whatReferencesHeldBeforeIsTold(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let authors = try (0..<3).map { _ in try shop.insert("Author") }
    let books = try authors.map { try shop.insert("Book", ["author": .int($0)]) }
    let column = shop.store.layout(of: shop.entity("Book")).columns[shop.column("Book", "author")].name
    let touched = try shop.touched {
      _ = try shop.update("Book", books[0], "author", .int(authors[1]))
      _ = try shop.store.delete(shop.entity("Book"), key: books[2])
    }
    let former = try #require(touched.tables["book"]?.formerReferences?[column])
    #expect(Set(former) == [.int(authors[0]), .int(authors[2])])
  }

  @Test(arguments: Conformance.allCases)
  func pairsTellWhatTheyHoldAndHeld(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let (book, tags) = (try shop.insert("Book"), try (0..<2).map { _ in try shop.insert("Tag") })
    guard case .join(let join) = shop.store.layout(of: shop.entity("Book")).properties[shop.index("Book", "tags")]
    else {
      Issue.record("the relationship is kept in pairs")
      return
    }
    let made = try shop.touched { try shop.link("Book", "tags", book, tags[0]) }
    let pairs = try #require(made.tables[join.table.lowercased()])
    #expect(pairs.entity == nil && pairs.formerReferences == [:])
    #expect(pairs.presentReferences == [join.ownerColumns[0]: [.int(book)], join.memberColumns[0]: [.int(tags[0])]])
    let ended = try shop.touched { _ = try shop.store.delete(shop.entity("Tag"), key: tags[0]) }
    let gone = try #require(ended.tables[join.table.lowercased()])
    #expect(gone.formerReferences == [join.ownerColumns[0]: [.int(book)], join.memberColumns[0]: [.int(tags[0])]])
  }

  @Test(arguments: Conformance.allCases)
  func equalStampsMeanThatNothingWasWritten(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let tag = try shop.insert("Tag")
    var seen = [shop.store.stamp]
    _ = try shop.keys("Tag")
    _ = try shop.value("Tag", tag, "label")
    #expect(shop.store.stamp == seen[0])
    _ = try shop.update("Tag", tag, "label", .string("x"))
    seen.append(shop.store.stamp)
    #expect(throws: Failure.self) {
      try shop.store.transaction {
        _ = try shop.update("Tag", tag, "label", .string("y"))
        seen.append(shop.store.stamp)
        throw Failure()
      }
    }
    seen.append(shop.store.stamp)
    _ = try shop.store.delete(shop.entity("Tag"), key: tag)
    seen.append(shop.store.stamp)
    #expect(Set(seen).count == seen.count)
  }

  @Test(arguments: Conformance.allCases.filter { !$0.hasOthers })
  func withoutOthersNothingOfThemIsTold(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    #expect(try shop.store.changesByOthers().map(\.isEmpty) == nil)
    try shop.insert("Tag")
    #expect(try shop.store.changesByOthers().map(\.isEmpty) == nil)
    #expect(shop.store.commitWatch == nil)
  }

  @Test(arguments: Conformance.allCases.filter { $0.hasOthers && $0.recordsWrites })
  func whatOthersCommitIsToldOnce(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    #expect(try shop.store.changesByOthers() == nil)
    let other = try shop.another()
    let key = try other.insert("Tag", ["label": .string("a")])
    #expect(shop.store.commitWatch?.check() == true)
    let before = shop.store.stamp
    let told = try #require(try shop.store.changesByOthers())
    #expect(told.isForeign && told.isComplete && told.tables["tag"]?.inserted == [key])
    #expect(try shop.store.changesByOthers() == nil && shop.store.commitWatch?.check() == false)
    #expect(shop.store.stamp == before)
    #expect(try shop.keys("Tag") == [key])
  }

  @Test(arguments: Conformance.allCases.filter { $0.hasOthers && $0.recordsWrites })
  func whatOthersCommitIsToldAsOurOwnCommitsAre(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let other = try shop.another()
    try shop.fill()
    _ = try other.store.changesByOthers()
    // The report of a commit here, and the report of the same commit to another store.
    func both(_ body: () throws -> Void) throws -> (own: TouchedRows, told: TouchedRows) {
      let own = try shop.touched(body)
      return (own, try #require(try other.store.changesByOthers()))
    }
    let (books, tags, authors) = (try shop.keys("Book"), try shop.keys("Tag"), try shop.keys("Author"))
    let changes: [() throws -> Void] = [
      { try shop.insert("Novel", ["title": .string("new"), "author": .int(authors[0])]) },
      { _ = try shop.update("Book", books[0], "author", .int(authors[1])) },
      { _ = try shop.update("Book", books[1], "title", .string("other")) },
      { _ = try shop.store.delete(shop.entity("Tag"), key: tags[0]) },
      { try shop.link("Book", "tags", books[2], tags[4]) },
      { try shop.store.unlink(shop.index("Book", "tags"), in: shop.entity("Book"), owner: books[2], member: tags[4]) },
      { _ = try shop.store.delete(shop.entity("Author"), key: authors[2]) },
      {
        try shop.store.transaction {
          let new = try shop.insert("Tag")
          _ = try shop.update("Tag", new, "label", .string("x"))
          _ = try shop.update("Tag", tags[1], "label", .string("y"))
          _ = try shop.store.delete(shop.entity("Tag"), key: new)
        }
      },
    ]
    for (number, change) in changes.enumerated() {
      let (own, told) = try both(change)
      #expect(told.isComplete && told.isForeign, "\(number)")
      for (name, table) in own.tables {
        let other = try #require(told.tables[name], "\(number): \(name)")
        #expect(other.inserted == table.inserted && other.deleted == table.deleted, "\(number): \(name)")
        // The owners of pairs may be reported, too.
        #expect(Set(other.updated).isSuperset(of: table.updated), "\(number): \(name)")
        #expect((other.updatedColumns ?? []).isSuperset(of: table.updatedColumns ?? []), "\(number): \(name)")
        for (column, values) in table.formerReferences ?? [:] {
          let others = Set((other.formerReferences ?? [:])[column] ?? [])
          #expect(others.isSuperset(of: values), "\(number): \(name).\(column)")
        }
        for (column, values) in table.presentReferences {
          let others = Set(other.presentReferences[column] ?? [])
          #expect(others.isSuperset(of: values), "\(number): \(name).\(column)")
        }
      }
      #expect(try other.store.changesByOthers().map(\.isEmpty) == nil, "\(number)")
    }
  }

  @Test(arguments: Conformance.allCases)
  func aStoreWithoutAHistorySaysSo(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    #expect(fact { _ = try shop.store.currentHistoryToken } == .noHistory)
    #expect(fact { _ = try shop.store.history(HistoryRequest()) } == .noHistory)
  }
}
