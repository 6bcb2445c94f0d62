import Modeling
import Testing

/// Names of entities are singular, for any name of the file.
@Suite struct SingularTests {
  @Test(arguments: [
    "sale", "city", "box", "class", "branch", "wish", "person", "child", "status", "bus", "analysis", "address",
    "series",
    "movie", "house", "price", "purchase", "database", "shoe", "hero", "index", "leaf", "quiz", "key", "photo", "lens",
    "news", "size", "cache", "invoiceLine", "OrderEntry", "salesPerson", "order_item", "campus", "crisis", "weather",
  ])
  func thePluralOfAWordLeadsBackToIt(word: String) {
    #expect(Naming.singular(Naming.plural(word)) == word)
    #expect(Naming.singular(word) == word)
  }

  @Test(arguments: [
    ("sales.csv", "Sale"), ("data/order-items.csv", "OrderItem"), ("PEOPLE.CSV", "Person"),
    ("sales_2024.csv", "Sale2024"),
    ("2024-sales.csv", "_2024Sale"), ("Größen.csv", "Grossen"), ("города.csv", "Goroda"), ("42.csv", "Row"),
    ("!!.csv", "Row"), ("a.b.csv", "AB"), ("flights (1).csv", "Flight1"),
  ])
  func aFileNamesItsEntity(path: String, name: String) {
    #expect(Naming.entity(file: path) == name)
    #expect(Naming.isLuaIdentifier(name))
  }

  @Test(arguments: [
    ("qty", "qty"), ("dep_delay", "dep_delay"), ("depDelay", "depDelay"), ("Unit Price", "unitPrice"), ("QTY", "qty"),
    ("Date", "date"), ("OrderID", "orderID"), ("end", "end_"), ("End", "end_"), ("größe", "grosse"), ("2019", "_2019"),
    ("", "column7"), ("%", "column7"), (" padded ", "padded"), ("a.b", "aB"), ("東京", "dongJing"),
  ])
  func aColumnNamesItsProperty(header: String, name: String) {
    #expect(Naming.property(header: header, number: 7) == name)
    #expect(Naming.isLuaIdentifier(name))
  }
}
