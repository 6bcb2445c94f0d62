import Foundation
import Modeling
import ObjectGraph
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct CoreDataHistoryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ history: CoreDataFixture.History) throws -> (SQLiteStore, CoreDataFixture) {
    let fixture = CoreDataFixture(try CoreDataShapes.library(), history: history)
    return (try fixture.open(try fixture.make(in: folder)), fixture)
  }

  private func insert(_ context: ObjectContext, _ name: String, _ values: [String: Value] = [:]) throws -> ManagedObject
  {
    let object = try context.insert(try #require(context.store.model.entity(named: name)))
    for (name, value) in values { try object.setAttribute(at: try #require(object.entity.index(of: name)), value) }
    return object
  }

  /// The changes of each transaction, in a line.
  private func lines(_ store: SQLiteStore, _ request: HistoryRequest = HistoryRequest()) throws -> [String] {
    try store.history(request).map { transaction in
      let changes = transaction.changes.map { change in
        var text = "\(change.kind.rawValue) \(change.entityName)/\(change.key)"
        if !change.updatedProperties.isEmpty { text += " \(change.updatedProperties.joined(separator: ","))" }
        if !change.tombstone.isEmpty { text += " \(change.tombstone.mapValues(\.debugText))" }
        return text
      }
      return "\(transaction.author ?? "-"): \(changes.joined(separator: "; "))"
    }
  }

  @Test(arguments: [CoreDataFixture.History.plain, .strings])
  func savesAreRecordedAsTheAppReadsThem(history: CoreDataFixture.History) throws {
    let (store, _) = try store(history)
    let context = ObjectContext(store: store)
    context.name = "main"
    let book = try insert(context, "GraphicNovel", ["title": .string("Maus"), "isbn": .string("9")])
    let page = try insert(context, "Page")
    try context.save()
    try page.setRelated(at: try #require(page.entity.index(of: "book")), to: book)
    try book.setAttribute(at: try #require(book.entity.index(of: "isColoured")), .bool(false))
    try context.save(author: "Ann")
    try page.delete()
    try book.delete()
    try context.save()
    #expect(
      try lines(store) == [
        "perilune: insert GraphicNovel/1; insert Page/1",
        "Ann: update GraphicNovel/1 isColoured,pages,pagesCount; update Page/1 book",
        "perilune: delete GraphicNovel/1 [\"isbn\": \"\\\"9\\\"\"]; delete Page/1",
      ])
    let transactions = try store.history()
    #expect(transactions.map(\.contextName) == ["main", "main", "main"])
    #expect(transactions.allSatisfy { $0.processName == "perilune" && $0.bundleID == "perilune" })
    #expect(abs(transactions[0].date.seconds - Date().timeIntervalSince1970) < 3600)
    #expect(try store.verify().isEmpty)
    var request = HistoryRequest()
    request.author = "Ann"
    #expect(try lines(store, request).count == 1)
    request = HistoryRequest()
    request.since = transactions[1].token
    #expect(try lines(store, request).count == 1)
    request = HistoryRequest()
    request.entity = store.model.entity(named: "Page")
    #expect(try lines(store, request).last == "perilune: delete Page/1")
    #expect(try store.currentHistoryToken == transactions[2].token)
  }

  @Test func bitsStandForTheNamesOfAllPropertiesInTheirOrder() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]
    #expect(PropertyBitmap.encode(["a"], of: ["a", "b"]) == [0x80])
    #expect(PropertyBitmap.encode(["b"], of: ["a", "b"]) == [0x40])
    #expect(PropertyBitmap.encode(["a", "i"], of: names) == [0x80, 0x80])
    #expect(PropertyBitmap.decode([0x80, 0x80], of: names) == ["a", "i"])
    #expect(PropertyBitmap.decode([0xFF, 0xFF, 0xFF], of: ["a"]) == ["a"])
    #expect(PropertyBitmap.decode([], of: names) == [])
  }

  @Test func onlyTheAppTurnsItsHistoryOnOrPurgesIt() throws {
    let (store, _) = try store(.strings)
    #expect(try store.isHistoryEnabled)
    #expect(fact { try store.setHistoryEnabled(false) } == .historyOfApp)
    #expect(fact { try store.deleteHistory() } == .historyOfApp)
  }

  @Test func tokensBehindWhatWasPurgedHaveExpired() throws {
    let (store, _) = try store(.plain)
    let context = ObjectContext(store: store)
    for _ in 0..<3 {
      _ = try insert(context, "Shelf")
      try context.save()
    }
    #expect(
      try sqlite3(store.path, "DELETE FROM ACHANGE WHERE ZTRANSACTIONID < 3; DELETE FROM ATRANSACTION WHERE Z_PK < 3")
        == "")
    var request = HistoryRequest()
    request.since = HistoryToken(number: 1)
    #expect(
      fact { try store.history(request) }
        == .historyExpired(token: HistoryToken(number: 1), oldest: HistoryToken(number: 2)))
    request.since = HistoryToken(number: 9)
    #expect(
      fact { try store.history(request) }
        == .unknownHistoryToken(HistoryToken(number: 9), newest: HistoryToken(number: 3)))
    request.since = HistoryToken(number: 2)
    #expect(try store.history(request).count == 1)
  }

  @Test func aTransactionThatIsUndoneLeavesNoHistory() throws {
    let (store, _) = try store(.strings)
    struct Stop: Error {}
    let shelf = try #require(store.model.entity(named: "Shelf"))
    let values = [Value](repeating: .null, count: store.layout(of: shelf).columns.count)
    try? store.transaction {
      try store.insert(shelf, values)
      throw Stop()
    }
    #expect(try store.history().isEmpty)
    #expect(try sqlite3(store.path, "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16002") == "0")
  }

  @Test func whatTheAppWritesIsToldByItsHistory() throws {
    let (store, fixture) = try store(.strings)
    let context = ObjectContext(store: store)
    let shelf = try insert(context, "Shelf")
    try context.save()
    #expect(try store.changesByOthers() == nil)
    let app = ObjectContext(store: try fixture.open(store.path))
    let entity = try #require(app.store.model.entity(named: "Shelf"))
    let mine = try #require(try app.existingObject(ObjectID(entity: entity, key: shelf.objectID.key)))
    try mine.setAttribute(at: 0, .string("x"))
    _ = try insert(app, "Author")
    try app.save(author: "App")
    let told = try #require(try store.changesByOthers())
    #expect(told.author == "App")
    #expect(told.tables["zshelf"]?.updated == [shelf.objectID.key])
    #expect(told.tables["zwriter"]?.inserted == [1])
    // An app may also write without recording it.
    #expect(try sqlite3(store.path, "UPDATE ZSHELF SET ZNAME = 'y'") == "")
    let unrecorded = try #require(try store.changesByOthers())
    #expect(unrecorded.tables["zshelf"]?.isUnknown == true)
    // What this program wrote itself is no news.
    try shelf.setAttribute(at: 0, .string("z"))
    context.refreshAllObjects()
    try? context.save()
    #expect(try store.changesByOthers() == nil)
  }

  @Test func whatTheAppLinksAndDeletesIsToldOfBothSides() throws {
    let (store, fixture) = try store(.strings)
    #expect(try store.changesByOthers() == nil)
    let app = ObjectContext(store: try fixture.open(store.path))
    let (book, shelf, page) = (try insert(app, "Book"), try insert(app, "Shelf"), try insert(app, "Page"))
    try app.save(author: "App")
    let shelves = try #require(book.entity.index(of: "shelves"))
    try book.setMembers(at: shelves, [shelf])
    try page.setRelated(at: try #require(page.entity.index(of: "book")), to: book)
    try app.save(author: "App")
    try page.delete()
    try app.save(author: "Another")
    let told = try #require(try store.changesByOthers())
    // They are of several authors.
    #expect(told.author == nil)
    let books = try #require(told.tables["zbook"])
    #expect(books.inserted == [book.objectID.key])
    #expect(books.updated.isEmpty)
    #expect(books.formerReferences == nil)
    #expect(told.tables["zpage"]?.deleted == [1])
    #expect(told.tables["zpage"]?.inserted == [])
    guard case .join(let join) = store.layout(of: try #require(store.model.entity(named: "Book"))).properties[shelves]
    else { return #expect(Bool(false), "the shelves of a book have a table of pairs") }
    let pairs = try #require(told.tables[join.table.lowercased()])
    #expect(pairs.presentReferences[join.ownerColumns[0].lowercased()] == [.int(book.objectID.key)])
    #expect(pairs.formerReferences?[join.ownerColumns[0].lowercased()] == [.int(book.objectID.key)])
  }

  @Test(.enabled(if: RealStore.areThere, "needs ../shared/stores"))
  func aRealHistoryIsReadAndContinued() throws {
    let store = try RealStore.open(try RealStore.books.copy(into: folder))
    let transactions = try store.history()
    #expect(transactions.count == 1)
    #expect(transactions[0].processName == "xctest")
    #expect(transactions[0].bundleID == "com.apple.dt.xctest.tool")
    #expect(transactions[0].changes.count == 5468)
    #expect(transactions[0].changes.count { $0.entityName == "Page" && $0.kind == .insert } == 4970)
    let page = try #require(store.model.entity(named: "Page"))
    try store.transaction { _ = try store.delete(page, key: 1) }
    let last = try #require(try store.history().last)
    #expect(last.changes.map(\.kind) == [.update, .delete])
    #expect(last.changes[0].updatedProperties.contains("pagesCount"))
    #expect(try sqlite3(store.path, "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16001") == "5470")
    #expect(try store.verify().isEmpty)
  }
}
