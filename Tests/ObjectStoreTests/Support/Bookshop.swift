import Foundation
import Modeling
import Queries
import Stores

/// Books with every kind of relationship, in a store of any kind.
struct Bookshop {
  let store: any ObjectStore
  private let conformance: Conformance

  init(_ conformance: Conformance) throws { self.init(try conformance.open(Self.model()), conformance) }
  init(readOnly conformance: Conformance) throws { self.init(try conformance.openReadOnly(Self.model()), conformance) }

  private init(_ store: any ObjectStore, _ conformance: Conformance) {
    (self.store, self.conformance) = (store, conformance)
  }

  /// Books in a store that was opened elsewhere.
  init(in store: any ObjectStore) { self.init(store, .postgres) }

  /// The same books as another program sees them.
  func another() throws -> Bookshop { Bookshop(try conformance.openAnother(store), conformance) }

  static func model() throws -> Model {
    func attribute(_ name: String, _ type: AttributeType, unique: Bool = false, preserved: Bool = false) -> Property {
      var attribute = Attribute(name, type)
      attribute.isUnique = unique
      attribute.preservesValueInHistoryOnDeletion = preserved
      return .attribute(attribute)
    }
    func relationship(_ relationship: Relationship, _ change: (inout Relationship) -> Void = { _ in }) -> Property {
      var relationship = relationship
      change(&relationship)
      return .relationship(relationship)
    }
    let author = EntityDescription(
      "Author",
      properties: [
        attribute("name", .string, unique: true), attribute("rating", .double), attribute("born", .date),
        relationship(Relationship(toMany: "books", "Book", inverse: "author")) {
          ($0.isOrdered, $0.deleteRule) = (true, .cascade)
        },
        relationship(Relationship(toMany: "friends", "Author", inverse: "friends")),
      ])
    let book = EntityDescription(
      "Book",
      properties: [
        attribute("title", .string), attribute("pages", .integer64), attribute("price", .decimal),
        attribute("isInPrint", .boolean), attribute("code", .uuid), attribute("cover", .data), attribute("page", .url),
        attribute("notes", .transformable),
        relationship(Relationship(toOne: "author", "Author", inverse: "books")),
        relationship(Relationship(toOne: "publisher", "Publisher", inverse: "books")),
        relationship(Relationship(toMany: "tags", "Tag", inverse: "books")) { $0.isOrdered = true },
        relationship(Relationship(toOne: "sequel", "Book")) { $0.isUnidirectional = true },
      ])
    let novel = EntityDescription("Novel", parent: "Book", properties: [attribute("genre", .string)])
    let publisher = EntityDescription(
      "Publisher",
      properties: [
        attribute("name", .string),
        relationship(Relationship(toMany: "books", "Book", inverse: "publisher")) { $0.deleteRule = .deny },
      ])
    let tag = EntityDescription(
      "Tag",
      properties: [
        attribute("label", .string, preserved: true),
        relationship(Relationship(toMany: "books", "Book", inverse: "tags")),
      ])
    let loan = EntityDescription(
      "Loan",
      properties: [
        attribute("reader", .string),
        relationship(Relationship(toOne: "tag", "Tag")) { ($0.isUnidirectional, $0.isOptional) = (true, false) },
      ])
    let shelf = EntityDescription(
      "Shelf",
      properties: [
        attribute("label", .string),
        relationship(Relationship(toMany: "books", "Book")) { $0.isUnidirectional = true },
      ])
    return try Model([author, book, novel, publisher, tag, loan, shelf])
  }

  func entity(_ name: String) -> Entity { store.model.entity(named: name)! }
  func index(_ entity: String, _ property: String) -> Int { self.entity(entity).index(of: property)! }

  /// The column of an attribute or to-one.
  func column(_ entity: String, _ property: String) -> Int {
    store.layout(of: self.entity(entity)).properties[index(entity, property)].ownColumns[0]
  }

  /// Inserts an object; to-ones are given by key.
  @discardableResult
  func insert(_ name: String, _ values: [String: Value] = [:], key: Int64? = nil) throws -> Int64 {
    var row = [Value](repeating: .null, count: store.layout(of: entity(name)).columns.count)
    for (property, value) in values { row[column(name, property)] = value }
    return try store.insert(entity(name), row, key: key)
  }

  func update(_ name: String, _ key: Int64, _ property: String, _ value: Value) throws -> Bool {
    try store.update(entity(name), key: key, [(column(name, property), value)])
  }

  /// The value of an attribute or to-one as the store has it; nil where there is no row.
  func value(_ name: String, _ key: Int64, _ property: String) throws -> Value? {
    let cursor = try store.rows(of: entity(name), keys: [key])
    defer { cursor.close() }
    guard try cursor.step() else { return nil }
    let row = cursor.pack()
    defer { row.free() }
    return row.value(column(name, property), store.layout(of: entity(name)))
  }

  func request(_ name: String, _ format: String? = nil, order: [String] = []) throws -> FetchRequest {
    var request = FetchRequest(entity(name))
    request.predicate = try format.map { try Predicate.parse($0) }
    request.sortDescriptors = order.map { SortDescriptor($0) }
    return request
  }

  func keys(_ name: String, _ format: String? = nil, order: [String] = []) throws -> [Int64] {
    try store.keys(try request(name, format, order: order))
  }

  func members(_ name: String, _ relationship: String, _ owner: Int64) throws -> [Int64] {
    try store.members(of: index(name, relationship), in: entity(name), owners: [owner]).map(\.member)
  }

  func link(_ name: String, _ relationship: String, _ owner: Int64, _ member: Int64) throws {
    try store.link(index(name, relationship), in: entity(name), owner: owner, member: member, order: nil)
  }

  /// What the commits of `body` touch.
  func touched(_ body: () throws -> Void) rethrows -> TouchedRows {
    var touched = TouchedRows()
    let subscription = store.onOwnCommit { touched.formUnion($0.touched) }
    defer { subscription?.cancel() }
    try body()
    return touched
  }

  /// Authors, books, tags and publishers that stand in every relationship; returns nothing that depends on keys.
  func fill() throws {
    for number in 0..<6 {
      try insert(
        "Author",
        [
          "name": .string("author \(number)"), "rating": number % 3 == 2 ? .null : .double(Double(number % 4) / 2),
          "born": .date(Timestamp(Double(number) * 86_400)),
        ])
      try insert("Publisher", ["name": .string("house \(number % 2)")])
      try insert("Tag", ["label": .string("tag \(number)")])
    }
    let (authors, publishers, tags) = (try keys("Author"), try keys("Publisher"), try keys("Tag"))
    for number in 0..<24 {
      var values: [String: Value] = [
        "title": .string("Title \(number % 7)"), "pages": number % 5 == 4 ? .null : .int(Int64(number * 13 % 40)),
        "price": .decimal(Decimal(number % 6) / 4), "isInPrint": .bool(number % 2 == 0),
      ]
      if number % 6 != 5 { values["author"] = .int(authors[number % authors.count]) }
      if number % 4 != 3 { values["publisher"] = .int(publishers[number % 3]) }
      let name = number % 3 == 0 ? "Novel" : "Book"
      if name == "Novel" { values["genre"] = .string(number % 2 == 0 ? "crime" : "love") }
      let key = try insert(name, values)
      for tag in tags.prefix(number % 4) { try link(name, "tags", key, tag) }
    }
  }
}

extension PackedRow {
  /// The value of a column, decoded.
  func value(_ column: Int, _ layout: EntityLayout) -> Value {
    let storage = storageClass(column)
    let isText = storage == .text || storage == .blob
    return ValueCoding.decode(
      storage, integer: integer(column), real: real(column),
      bytes: isText ? bytes(column) : UnsafeRawBufferPointer(start: nil, count: 0), as: layout.columns[column].type)
  }
}

/// The fact of the StoreError that `body` throws; nil for none.
func fact(_ body: () throws -> Void) -> StoreError.Fact? {
  do {
    try body()
    return nil
  } catch { return (error as? StoreError)?.fact }
}
