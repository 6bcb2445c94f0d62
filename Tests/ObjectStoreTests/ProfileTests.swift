import Modeling
import ObjectGraph
import Postgres
import PostgresStorage
import PostgresTestSupport
import Queries
import Storage
import StoreErrors
import TestSupport
import Testing

/// Servers that lack something of what PostgreSQL does: nothing of it is ever asked of them, and everything works without, or is
/// refused by its name.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ProfileTests {
  private struct Failure: Error {}

  @Test(arguments: Conformance.imitated) func nothingIsSentThatTheServerLacks(_ conformance: Conformance) throws {
    let proxy = try #require(try conformance.proxy())
    let refusals = proxy.tally.refusals
    let shop = try Bookshop(conformance)
    #expect((shop.store as? PostgresStore)?.profile.lacking == conformance.profile?.lacking)
    try shop.store.transaction { try shop.fill() }
    #expect(try shop.keys("Book").count == 24 && shop.keys("Novel").count == 8)
    #expect(try shop.keys("Book", "pages > 20 AND author.rating > 0", order: ["title"]).count > 0)

    // Rows, references and order.
    let (author, book) = (try shop.insert("Author", ["name": .string("Ann")]), try shop.insert("Book"))
    #expect(try shop.update("Book", book, "author", .int(author)))
    let members = try (0..<4).map { _ in try shop.insert("Book", ["author": .int(author)]) } + [book]
    try shop.store.setOrder(shop.index("Author", "books"), in: shop.entity("Author"), owner: author, members: members)
    #expect(try shop.members("Author", "books", author) == members)
    let tags = try shop.keys("Tag")
    try shop.store.link(shop.index("Book", "tags"), in: shop.entity("Book"), pairs: tags.map { (book, $0) })
    #expect(try shop.members("Book", "tags", book) == tags)
    try shop.store.setOrder(
      shop.index("Book", "tags"), in: shop.entity("Book"), owner: book, members: tags.reversed())
    #expect(try shop.members("Book", "tags", book) == tags.reversed())
    let refused = StoreError.Fact.notUnique(entity: "Author", properties: ["name"], values: [.string("Ann")])
    #expect(fact { try shop.insert("Author", ["name": .string("Ann")]) } == refused)

    // Many at once, and batches.
    try shop.store.bulkInsert(into: shop.entity("Tag"), expecting: 100) {
      for number in 0..<100 { try shop.insert("Tag", ["label": .string("bulk \(number)")]) }
    }
    #expect(try shop.keys("Tag", "label BEGINSWITH 'bulk'").count == 100)
    let change = (property: shop.index("Tag", "label"), value: Value.string("set"))
    #expect(try shop.store.batchUpdate(try shop.request("Tag", "label BEGINSWITH 'bulk'"), [change]) == 100)
    #expect(try shop.store.batchDelete(try shop.request("Tag", "label == 'set'")) == 100)
    #expect(try shop.store.batchDelete(try shop.request("Author", "name == 'Ann'")) == 1)
    #expect(try shop.value("Book", book, "author") == nil)
    #expect(proxy.tally.refusals == refusals)
  }

  @Test(arguments: Conformance.imitated) func objectsAreSavedAndTakenBack(_ conformance: Conformance) throws {
    let proxy = try #require(try conformance.proxy())
    let refusals = proxy.tally.refusals
    let shop = try Bookshop(conformance)
    let context = ObjectContext(store: shop.store)
    let (book, title, sequel) = (shop.entity("Book"), shop.index("Book", "title"), shop.index("Book", "sequel"))
    let books = try (0..<60).map { number in
      let object = try context.insert(book)
      try object.setAttribute(at: title, .string("b\(number)"))
      return object
    }
    // In a circle, which no order of inserts closes.
    for (place, object) in books.enumerated() {
      try object.setRelated(at: sequel, to: books[(place + 1) % books.count])
    }
    try context.save()
    for object in books { try object.setAttribute(at: title, .string("again")) }
    try context.save()
    #expect(try shop.keys("Book", "title == 'again' AND sequel.title == 'again'").count == 60)
    for object in books.prefix(20) { try object.delete() }
    try context.save()
    #expect(try shop.keys("Book").count == 40)
    #expect(try shop.keys("Book", "sequel == nil").count == 1)
    #expect(proxy.tally.refusals == refusals)
  }

  @Test(arguments: Conformance.imitated) func aPartThatCannotBeUndoneAloneUndoesAllOfIt(_ conformance: Conformance)
    throws
  {
    let shop = try Bookshop(conformance)
    let refusal = fact {
      try shop.store.transaction {
        try shop.insert("Tag")
        try? shop.store.transaction {
          try shop.insert("Tag")
          throw Failure()
        }
        try shop.insert("Tag")
      }
    }
    if conformance.profile?.has(.savepoints) == true {
      #expect(refusal == nil)
      #expect(try shop.keys("Tag").count == 2)
    } else {
      #expect(refusal == .lacking(server: "Aurora DSQL", feature: "savepoints"))
      #expect(try shop.keys("Tag").isEmpty)
    }
  }

  /// Orders and their lines, distributed by `tenant`; numbers of orders are unique together with some properties.
  private func orders(_ unique: [String], by name: String = "tenant") throws -> Model {
    var order = EntityDescription(
      "Order",
      properties: [
        .attribute(Attribute("tenant", .integer64)), .attribute(Attribute("number", .integer64)),
        .relationship(Relationship(toOne: "country", "Country", inverse: "orders")),
        .relationship(Relationship(toMany: "lines", "Line", inverse: "order")),
      ])
    var line = EntityDescription(
      "Line",
      properties: [
        .attribute(Attribute("tenant", .integer64)),
        .relationship(Relationship(toOne: "order", "Order", inverse: "lines")),
      ])
    let country = EntityDescription(
      "Country",
      properties: [
        .attribute(Attribute("name", .string)),
        .relationship(Relationship(toMany: "orders", "Order", inverse: "country")),
      ])
    order.uniquenessConstraints = [unique]
    (order.userInfo, line.userInfo) = (["distributed": name], ["distributed": "tenant"])
    return try Model([order, line, country])
  }

  @Test func theDistributionColumnIsInKeysAndReferences() throws {
    let store = try Conformance.citus.open(try orders(["tenant", "number"]))
    let (order, line) = (store.model.entity(named: "Order")!, store.model.entity(named: "Line")!)
    func row(_ entity: Entity, _ values: [String: Value]) -> [Value] {
      store.layout(of: entity).columns.map { values[$0.name] ?? .null }
    }
    let key = try store.insert(order, row(order, ["tenant": .int(7), "number": .int(1)]))
    let reference = store.layout(of: line).columns.map(\.name).first { $0.hasPrefix("order") }!
    try store.insert(line, row(line, ["tenant": .int(7), reference: .int(key)]))
    // A line of another tenant cannot be one of the order.
    let refusal = fact { try store.insert(line, row(line, ["tenant": .int(8), reference: .int(key)])) }
    guard case .constraint? = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    let tenant = store.layout(of: order).columns.firstIndex { $0.name == "tenant" }!
    let fixed = fact { _ = try store.update(order, key: key, [(tenant, .int(8))]) }
    guard case .lacking(server: "Citus", _)? = fixed else {
      Issue.record("\(String(describing: fixed))")
      return
    }
    let opened = try #require(store as? PostgresStore)
    let keys = try opened.sql(
      "SELECT string_agg(pg_get_constraintdef(oid), ';' ORDER BY contype, conname) FROM pg_constraint "
        + "WHERE conrelid IN ('\"order\"'::regclass, 'line'::regclass)", [])
    #expect(try keys.step())
    let text = keys.value(0).displayText
    #expect(text.contains("PRIMARY KEY (tenant, _pk)"))
    #expect(text.contains("FOREIGN KEY (tenant, \(reference)) REFERENCES \"order\"(tenant, _pk)"))
    #expect(text.contains("REFERENCES country(_pk)"))
  }

  @Test func whatCannotBeDistributedIsRefused() throws {
    let alone = StoreError.Fact.notDistributable(entity: "Order", by: "tenant", unique: ["number"])
    let nowhere = StoreError.Fact.notDistributable(entity: "Order", by: "region", unique: [])
    #expect(fact { _ = try Conformance.citus.open(try orders(["number"])) } == alone)
    #expect(fact { _ = try Conformance.citus.open(try orders(["tenant", "number"], by: "region")) } == nowhere)
    // Elsewhere the option says nothing.
    #expect(fact { _ = try Conformance.yugabyte.open(try orders(["number"])) } == nil)
  }
}
