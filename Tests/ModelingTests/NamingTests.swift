import Modeling
import Testing

@Suite struct NamingTests {
  @Test(arguments: [
    ("OrderItem", "order_item"), ("HTTPServer", "http_server"), ("URL2x", "url2x"), ("Quake", "quake"), ("URL", "url"),
    ("already_snake", "already_snake"), ("iPhone", "i_phone"), ("Route66Stop", "route66_stop"), ("MyURL", "my_url"),
    ("Größe", "größe"), ("A", "a"), ("ÄpfelÖl", "äpfel_öl"), ("Order Item", "order_item"), ("_Hidden", "hidden"),
    ("___", "entity"),
  ])
  func tablesAreNamedInSnakeCase(entity: String, table: String) {
    #expect(Naming.snakeCase(entity) == table)
  }

  @Test(arguments: [
    ("order_items", "OrderItems"), ("ORDER ITEMS", "OrderItems"), ("2020 data", "_2020Data"), ("flights", "Flights"),
    ("OrderItems", "OrderItems"), ("orderItems", "OrderItems"), ("customerID", "CustomerID"),
    ("HTTPServer", "HTTPServer"),
    ("order-items", "OrderItems"), ("größe", "Größe"), ("!!!", "Entity"), ("", "Entity"), ("A", "A"), ("__x__", "X"),
    ("USERS", "Users"), ("main.users", "MainUsers"), ("таблица", "Таблица"), ("表", "表"),
  ])
  func entitiesAreNamedInUpperCamelCase(table: String, entity: String) {
    #expect(Naming.upperCamelCase(table) == entity)
  }

  @Test(arguments: [
    ("author_id", "author"), ("originAirportId", "originAirport"), ("authorID", "author"), ("AUTHOR_ID", "author"),
    ("CustomerId", "customer"), ("SupportRepId", "supportRep"), ("ReportsTo", "reportsTo"), ("origin", "origin"),
    ("tail_number", "tailNumber"), ("id", "id"), ("ID", "id"), ("_id", "id"), ("Id", "id"), ("paid", "paid"),
    ("PAID", "paid"), ("author id", "author"), ("parent__id", "parent"), ("HTTPServerId", "httpServer"),
    ("grid", "grid"), ("user2Id", "user2"), ("2nd_id", "_2nd"),
  ])
  func aKeyColumnNamesItsRelationship(column: String, relationship: String) {
    #expect(Naming.toOne(column: column) == relationship)
  }

  @Test(arguments: [
    ("flight", "flights"), ("flights", "flights"), ("category", "categories"), ("categories", "categories"),
    ("bus", "buses"), ("buses", "buses"), ("class", "classes"), ("box", "boxes"), ("branch", "branches"),
    ("wish", "wishes"), ("day", "days"), ("person", "people"), ("people", "people"), ("order_item", "orderItems"),
    ("SalesPerson", "salesPeople"), ("Album", "albums"), ("status", "statuses"), ("analysis", "analyses"),
    ("analyses", "analyses"), ("address", "addresses"), ("series", "series"), ("weather", "weather"),
    ("Invoice_Line", "invoiceLines"), ("lens", "lenses"), ("child_node", "childNodes"), ("quiz", "quizzes"),
    ("flights2020", "flights2020"), ("photo", "photos"), ("photos", "photos"), ("menus", "menus"), ("y", "ys"),
  ])
  func aTableNamesTheWayToItsRowsInThePlural(table: String, relationship: String) {
    #expect(Naming.toMany(table: table) == relationship)
  }

  @Test func twoKeysToOneTableAreToldApartByTheirNames() {
    #expect(Naming.toMany(table: "flight", through: "origin") == "originFlights")
  }

  @Test func clashesGetANumber() {
    #expect(Naming.unique("a", among: ["b"]) == "a")
    #expect(Naming.unique("a", among: ["a"]) == "a2")
    #expect(Naming.unique("a", among: ["a", "a2", "a3"]) == "a4")
    #expect(Naming.unique(["a", "b", "a", "a2", "a", "b"]) == ["a", "b", "a2", "a22", "a3", "b2"])
  }

  @Test(arguments: [
    ("abc", true), ("_x1", true), ("", false), ("1a", false), ("end", false), ("End", true), ("größe", false),
    ("a b", false), ("goto", false), ("a-b", false), ("[", false), ("`", false),
  ])
  func luaIdentifiersAreTold(name: String, isIdentifier: Bool) {
    #expect(Naming.isLuaIdentifier(name) == isIdentifier)
  }
}
