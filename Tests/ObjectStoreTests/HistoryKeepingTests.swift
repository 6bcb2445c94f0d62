import Modeling
import Postgres
import Stores
import Testing

/// The rules of `HistoryKeeping`, for each kind of store that keeps a history and undoes saves.
@Suite struct HistoryKeepingTests {
  static let kinds = Conformance.allCases.filter(\.keepsHistory)
  static let recording = kinds.filter(\.recordsWrites)

  private func open(_ conformance: Conformance, history: Bool = true) throws -> (Bookshop, any HistoryKeeping) {
    let shop = try Bookshop(conformance)
    let store = try #require(shop.store as? any HistoryKeeping)
    if history { try store.setHistoryEnabled(true) }
    return (shop, store)
  }

  private func lines(_ store: any HistoryKeeping, _ change: (inout HistoryRequest) -> Void = { _ in }) throws
    -> [String]
  {
    var request = HistoryRequest()
    change(&request)
    return try store.history(request).map { transaction in
      let changes = transaction.changes.map { change in
        var text = "\(change.kind) \(change.entityName) \(change.updatedProperties.joined(separator: ","))"
        for (name, value) in change.tombstone { text += "\(name)=\(value.displayText)" }
        return text
      }
      return "\(transaction.author ?? "-"): \(changes.sorted().joined(separator: "; "))"
    }
  }

  @Test(arguments: kinds) func aHistorySaysWhoChangedWhat(_ conformance: Conformance) throws {
    let (shop, store) = try open(conformance)
    var keys: [Int64] = []
    try shop.store.attributing(TransactionInfo(author: "ann", contextName: "main")) {
      try shop.store.transaction {
        keys = [try shop.insert("Tag", ["label": .string("a")]), try shop.insert("Tag", ["label": .string("b")])]
      }
    }
    _ = try shop.update("Tag", keys[0], "label", .string("c"))
    _ = try shop.update("Tag", keys[0], "label", .string("c"))
    _ = try shop.store.delete(shop.entity("Tag"), key: keys[1])
    try shop.store.transaction {
      let passing = try shop.insert("Tag")
      _ = try shop.store.delete(shop.entity("Tag"), key: passing)
    }
    let preserved = conformance.recordsWrites ? "label=b" : ""
    #expect(
      try lines(store) == ["ann: insert Tag ; insert Tag ", "-: update Tag label", "-: delete Tag \(preserved)"])
    let first = try #require(try store.history(HistoryRequest()).first)
    #expect(first.contextName == "main" && first.processID != nil && first.changes.map(\.key) == keys)
    #expect(try store.historyChanges(of: first, entity: shop.entity("Book")).isEmpty)
    #expect(try store.historyChanges(of: first, entity: nil).map(\.objectID?.key) == keys)
  }

  @Test(arguments: kinds) func membersAndOrdersAreChangesOfTheirOwners(_ conformance: Conformance) throws {
    let (shop, store) = try open(conformance)
    let (book, tag) = (try shop.insert("Novel"), try shop.insert("Tag"))
    let author = try shop.insert("Author")
    let members = try (0..<2).map { _ in try shop.insert("Book", ["author": .int(author)]) }
    let token = try store.currentHistoryToken
    try shop.link("Book", "tags", book, tag)
    try shop.store.setOrder(
      shop.index("Author", "books"), in: shop.entity("Author"), owner: author, members: members.reversed())
    _ = try shop.update("Book", members[0], "author", .null)
    let since = try lines(store) { $0.since = token }
    #expect(
      since == ["-: update Novel tags; update Tag books", "-: update Author books", "-: update Book author"])
    _ = try shop.store.delete(shop.entity("Tag"), key: tag)
    let last = try lines(store).last
    #expect(last == "-: delete Tag ; update Novel tags")
  }

  @Test(arguments: kinds) func tokensDivideTheHistory(_ conformance: Conformance) throws {
    let (shop, store) = try open(conformance)
    #expect(try store.currentHistoryToken == HistoryToken(number: 0))
    var tokens: [HistoryToken] = []
    for number in 0..<5 {
      try shop.store.attributing(TransactionInfo(author: number % 2 == 0 ? "even" : "odd")) {
        _ = try number == 3 ? shop.insert("Author") : shop.insert("Tag")
      }
      tokens.append(try store.currentHistoryToken)
    }
    #expect(tokens.map(\.number) == [1, 2, 3, 4, 5])
    func found(_ change: (inout HistoryRequest) -> Void) throws -> [Int64] {
      var request = HistoryRequest()
      change(&request)
      return try store.history(request).map(\.token.number)
    }
    #expect(try found { $0.since = tokens[1] } == [3, 4, 5])
    #expect(try found { ($0.since, $0.before) = (tokens[0], tokens[3]) } == [2, 3])
    #expect(try found { $0.author = "odd" } == [2, 4])
    #expect(try found { $0.entity = shop.entity("Author") } == [4])
    #expect(try found { $0.fetchLimit = 2 } == [1, 2])
    #expect(try found { $0.beforeDate = Timestamp(0) } == [])
    #expect(
      fact { _ = try found { $0.since = HistoryToken(number: 9) } }
        == .unknownHistoryToken(HistoryToken(number: 9), newest: tokens[4]))
  }

  @Test(arguments: kinds) func whatIsOldIsDeletedByTransactions(_ conformance: Conformance) throws {
    let (shop, store) = try open(conformance)
    for _ in 0..<3 { try shop.store.transaction { for _ in 0..<2 { try shop.insert("Tag") } } }
    let tokens = try store.history(HistoryRequest()).map(\.token)
    #expect(tokens.map(\.number) == [2, 4, 6])
    #expect(try store.deleteHistory(before: tokens[1]) == 2)
    #expect(try lines(store).count == 2)
    var request = HistoryRequest()
    request.since = tokens[0]
    #expect(try store.history(request).map(\.token) == [tokens[1], tokens[2]])
    request.since = HistoryToken(number: 1)
    #expect(
      fact { _ = try store.history(request) } == .historyExpired(token: HistoryToken(number: 1), oldest: tokens[0]))
    #expect(try store.deleteHistory(before: Timestamp(0)) == 0)
    #expect(try store.deleteHistory() == 4)
    #expect(try lines(store).isEmpty && store.currentHistoryToken == tokens[2])
    try shop.insert("Tag")
    #expect(try store.history(HistoryRequest()).map(\.token.number) == [7])
  }

  @Test(arguments: kinds) func whileItIsOffNothingIsRecorded(_ conformance: Conformance) throws {
    let (shop, store) = try open(conformance, history: false)
    try shop.insert("Tag")
    #expect(try !store.isHistoryEnabled)
    try store.setHistoryEnabled(true)
    try shop.insert("Tag")
    let token = try store.currentHistoryToken
    try store.setHistoryEnabled(false)
    try shop.insert("Tag")
    #expect(try !store.isHistoryEnabled && lines(store).count == 1)
    try store.setHistoryEnabled(true)
    let key = try shop.insert("Author")
    #expect(try lines(store) == ["-: insert Tag ", "-: insert Author "])
    var request = HistoryRequest()
    request.since = token
    if case .historyExpired? = fact({ _ = try store.history(request) }) {} else { Issue.record("there is a gap") }
    #expect(try store.history(HistoryRequest()).last?.changes.map(\.key) == [key])
  }

  // MARK: Undo

  /// Everything that the shop holds, as text.
  private func contents(_ shop: Bookshop) throws -> [String] {
    var found: [String] = []
    for entity in shop.store.model.entities where entity.parent == nil {
      let cursor = try shop.store.cursor(try shop.request(entity.name))
      var rows: [(Int64, String)] = []
      while try cursor.step() {
        let row = cursor.pack()
        defer { row.free() }
        let layout = shop.store.layout(of: cursor.entity)
        let values = layout.columns.indices.map { row.value($0, layout).debugText }
        rows.append((cursor.key, "\(cursor.entity.name) \(cursor.key) \(values)"))
      }
      found += rows.sorted { $0.0 < $1.0 }.map(\.1)
      for index in entity.properties.indices where entity.properties[index].relationship?.isToMany == true {
        for (owner, member) in try shop.store.members(of: index, in: entity, owners: rows.map(\.0).sorted()) {
          found.append("\(entity.properties[index].name) \(owner) \(member)")
        }
      }
    }
    return found.filter { !$0.hasPrefix("books") && !$0.hasPrefix("friends") }
      + found.filter { $0.hasPrefix("books") }.sorted()
  }

  @Test(arguments: recording) func aSaveIsTakenBackAndMadeAgain(_ conformance: Conformance) throws {
    let (shop, store) = try open(conformance, history: false)
    try shop.fill()
    let (books, tags, authors) = (try shop.keys("Book"), try shop.keys("Tag"), try shop.keys("Author"))
    let before = try contents(shop)
    try shop.store.transaction {
      let new = try shop.insert("Novel", ["title": .string("new"), "author": .int(authors[0]), "genre": .string("x")])
      try shop.link("Book", "tags", new, tags[3])
      _ = try shop.update("Book", books[0], "title", .string("'quoted', \\ (and) \"more\""))
      _ = try shop.update("Book", books[0], "cover", .data([0, 92, 255]))
      _ = try shop.update("Book", books[1], "author", .int(authors[2]))
      _ = try shop.update("Author", authors[0], "name", .string("author 1 no more"))
      _ = try shop.update("Author", authors[1], "name", .string("author 0"))
      _ = try shop.update("Author", authors[0], "name", .string("author 1"))
      _ = try shop.store.delete(shop.entity("Tag"), key: tags[0])
    }
    let after = try contents(shop)
    #expect(before != after)
    let objects = try store.saveToReverse(.undo).objects
    #expect(
      Set(objects.map { "\($0.entity.root.name)/\($0.key)" }).isSuperset(of: ["Tag/\(tags[0])", "Book/\(books[0])"]))
    let undone = try store.reverseSave(.undo)
    #expect(undone.inserted == 1 && undone.deleted == 1 && undone.updated == 4)
    #expect(try contents(shop) == before)
    let redone = try store.reverseSave(.redo)
    #expect(redone.inserted == 1 && redone.deleted == 1 && redone.updated == 4 && redone.links == undone.links)
    #expect(try contents(shop) == after)
    #expect(redone.time == undone.time)
    #expect(fact { _ = try store.reverseSave(.redo) } == .nothingTo(.redo))
    _ = try store.reverseSave(.undo)
    #expect(try contents(shop) == before)
  }

  @Test(arguments: recording) func whatIsReversedSaysWhenAndByWhomItWasSaved(_ conformance: Conformance) throws {
    let (shop, store) = try open(conformance, history: false)
    let before = Timestamp.now.seconds
    try shop.store.attributing(TransactionInfo(author: "ann")) { _ = try shop.insert("Tag") }
    let key = try shop.insert("Tag", ["label": .string("a")])
    let unknown = try store.saveToReverse(.undo)
    #expect(unknown.author == nil && unknown.deleted.map(\.key) == [key] && unknown.objects.count == 1)
    _ = try store.reverseSave(.undo)
    let save = try store.saveToReverse(.undo)
    #expect(save.author == "ann" && save.isOwn && save.deleted.count == 1 && save.updated.isEmpty)
    #expect(abs(save.time.seconds - before) < 60)
    let again = try store.saveToReverse(.redo)
    #expect(again.inserted.map(\.key) == [key] && again.deleted.isEmpty)
    _ = try shop.update("Tag", try shop.keys("Tag")[0], "label", .string("b"))
    #expect(try store.saveToReverse(.undo).updated.count == 1)
  }

  @Test(arguments: recording) func aNewSaveEndsWhatCanBeMadeAgain(_ conformance: Conformance) throws {
    let (shop, store) = try open(conformance, history: false)
    #expect(fact { _ = try store.reverseSave(.undo) } == .nothingTo(.undo))
    #expect(fact { _ = try store.saveToReverse(.undo).objects } == .nothingTo(.undo))
    let keys = try (0..<3).map { _ in try shop.insert("Tag") }
    _ = try store.reverseSave(.undo)
    _ = try store.reverseSave(.undo)
    #expect(try shop.keys("Tag") == [keys[0]])
    let new = try shop.insert("Tag")
    #expect(fact { _ = try store.reverseSave(.redo) } == .nothingTo(.redo))
    _ = try store.reverseSave(.undo)
    _ = try store.reverseSave(.undo)
    #expect(try shop.keys("Tag").isEmpty)
    #expect(fact { _ = try store.reverseSave(.undo) } == .nothingTo(.undo))
    for key in [keys[0], new] {
      _ = try store.reverseSave(.redo)
      #expect(try shop.keys("Tag").last == key)
    }
  }

  @Test(arguments: recording) func observersAreToldOfWhatIsTakenBack(_ conformance: Conformance) throws {
    let (shop, store) = try open(conformance, history: false)
    let key = try shop.insert("Tag", ["label": .string("a")])
    _ = try shop.update("Tag", key, "label", .string("b"))
    let touched = try shop.touched { _ = try store.reverseSave(.undo) }
    #expect(touched.isComplete && !touched.isForeign && touched.tables["tag"]?.updated == [key])
    #expect(touched.tables["tag"]?.updatedColumns == ["label"])
    #expect(try shop.touched { _ = try store.reverseSave(.undo) }.tables["tag"]?.deleted == [key])
  }

  @Test(arguments: recording) func aSaveThatIsTakenBackIsInTheHistory(_ conformance: Conformance) throws {
    let (shop, store) = try open(conformance)
    let key = try shop.insert("Tag", ["label": .string("a")])
    _ = try shop.update("Tag", key, "label", .string("b"))
    try shop.store.attributing(TransactionInfo(author: "ann")) { _ = try store.reverseSave(.undo) }
    #expect(try lines(store) == ["-: insert Tag ", "-: update Tag label", "ann: update Tag label"])
  }

  // MARK: With others

  @Test(arguments: recording.filter(\.hasOthers)) func whatOthersChangedSinceIsNotTakenBack(_ conformance: Conformance)
    throws
  {
    let (shop, store) = try open(conformance, history: false)
    let (tag, author) = (try shop.insert("Tag", ["label": .string("a")]), try shop.insert("Author"))
    func refused(_ change: () throws -> Void, _ meddle: () throws -> Void) throws -> [ReversalConflict] {
      try change()
      // A program that is none of ours: its writes are no saves.
      try meddle()
      guard case .changedSince(.undo, let conflicts)? = fact({ _ = try store.reverseSave(.undo) }) else { return [] }
      return conflicts
    }
    let other = try PostgresConnection(
      PostgresAddress(#require(shop.store as? any OpenedStore).path), isInterrupted: { false })
    defer { other.close() }
    func plainly(_ text: String) throws { _ = try other.run(text) }
    #expect(
      try refused({ _ = try shop.update("Tag", tag, "label", .string("b")) }) {
        try plainly("UPDATE tag SET label = 'c'")
      } == [ReversalConflict(entity: "Tag", key: "\(tag)", reason: .changed(["label"]))])
    #expect(try shop.value("Tag", tag, "label") == .string("c"))
    #expect(
      try refused({ _ = try shop.update("Tag", tag, "label", .string("d")) }) { try plainly("DELETE FROM tag") }
        == [ReversalConflict(entity: "Tag", key: "\(tag)", reason: .deleted)])
    let second = try shop.insert("Tag", ["label": .string("x")])
    #expect(
      try refused({ _ = try shop.store.delete(shop.entity("Tag"), key: second) }) {
        try plainly("INSERT INTO tag (_pk, label) VALUES (\(second), 'y')")
      } == [ReversalConflict(entity: "Tag", key: "\(second)", reason: .insertedAgain)])
    var book: Int64 = 0
    #expect(
      try refused({ book = try shop.insert("Author", ["name": .string("n")]) }) {
        try plainly("INSERT INTO book (_entity, author_pk) VALUES ('Novel', \(book))")
      } == [
        ReversalConflict(
          entity: "Author", key: "\(book)", reason: .referredTo(by: "Book \(try shop.keys("Book")[0])"))
      ])
    let held = try shop.insert("Book", ["author": .int(author)])
    #expect(
      try refused({ _ = try shop.update("Book", held, "author", .null) }) {
        try plainly("DELETE FROM author WHERE _pk = \(author)")
      } == [ReversalConflict(entity: "Book", key: "\(held)", reason: .leadsNowhere(to: "Author \(author)"))])
  }

  @Test(arguments: recording.filter(\.hasOthers))
  func aTransactionThatBeganEarlierAndEndsLaterIsNotMissed(_ conformance: Conformance) throws {
    let (shop, store) = try open(conformance)
    let (early, late) = (try shop.another(), try shop.another())
    _ = try shop.store.changesByOthers()
    var first: Int64 = 0
    var token = HistoryToken(number: 0)
    var second: Int64 = 0
    try early.store.transaction {
      first = try early.insert("Tag", ["label": .string("early")])
      // Sent, and not committed yet.
      #expect(try early.keys("Tag") == [first])
      second = try late.insert("Tag", ["label": .string("late")])
      #expect(try shop.store.changesByOthers()?.tables["tag"]?.inserted == [second])
      token = try store.currentHistoryToken
      #expect(try store.history(HistoryRequest()).flatMap(\.changes).map(\.key) == [second])
    }
    #expect(try shop.store.changesByOthers()?.tables["tag"]?.inserted == [first])
    var request = HistoryRequest()
    request.since = token
    #expect(try store.history(request).flatMap(\.changes).map(\.key) == [first])
  }
}
