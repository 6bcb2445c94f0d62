import Modeling
import Queries
import SQLiteStorage
import Stores

@testable import ObjectGraph

/// A model with a relationship of every kind, and a context over an empty store of it.
struct Library {
  let store: SQLiteStore
  let context: ObjectContext

  init(path: String = ":memory:") throws {
    var options = StoreOptions(path: path)
    options.model = try Self.model()
    options.create = true
    store = try SQLiteStore(options)
    context = ObjectContext(store: store)
  }

  static func model() throws -> Model {
    var title = Attribute("title", .string)
    title.isOptional = false
    title.minimumLength = 1
    var code = Attribute("code", .string)
    code.isUnique = true
    var pages = Attribute("pages", .integer32)
    pages.minimum = .int(0)
    pages.defaultValue = .int(10)
    var author = Relationship(toOne: "author", "Author", inverse: "books")
    author.deleteRule = .nullify
    var books = Relationship(toMany: "books", "Book", inverse: "author")
    books.deleteRule = .nullify
    var loans = Relationship(toMany: "loans", "Loan", inverse: "book")
    loans.deleteRule = .cascade
    var book = Relationship(toOne: "book", "Book", inverse: "loans")
    book.isOptional = false
    var chapters = Relationship(toMany: "chapters", "Chapter", inverse: "book")
    chapters.deleteRule = .cascade
    chapters.isOrdered = true
    var listed = Relationship(toMany: "books", "Book", inverse: "lists")
    listed.isOrdered = true
    var members = Relationship(toMany: "members", "Author", inverse: "club")
    members.deleteRule = .deny
    return try Model([
      EntityDescription(
        "Author",
        properties: [
          .attribute(Attribute("name", .string)), .relationship(books),
          .relationship(Relationship(toOne: "club", "Club", inverse: "members")),
          .relationship(Relationship(toOne: "profile", "Profile", inverse: "author")),
          .relationship(Relationship(toOne: "mentor", "Author", inverse: "pupils")),
          .relationship(Relationship(toMany: "pupils", "Author", inverse: "mentor")),
        ]),
      EntityDescription(
        "Book",
        properties: [
          .attribute(title), .attribute(code), .attribute(pages), .attribute(Attribute("published", .date)),
          .relationship(author), .relationship(loans),
          .relationship(Relationship(toMany: "tags", "Tag", inverse: "books")),
          .relationship(chapters), .relationship(Relationship(toMany: "lists", "ReadingList", inverse: "books")),
        ]),
      EntityDescription(
        "Chapter",
        properties: [
          .attribute(Attribute("title", .string)),
          .relationship(Relationship(toOne: "book", "Book", inverse: "chapters")),
        ]),
      EntityDescription("ReadingList", properties: [.attribute(Attribute("name", .string)), .relationship(listed)]),
      EntityDescription("Loan", properties: [.attribute(Attribute("who", .string)), .relationship(book)]),
      EntityDescription(
        "Tag",
        properties: [
          .attribute(Attribute("label", .string)),
          .relationship(Relationship(toMany: "books", "Book", inverse: "tags")),
        ]),
      EntityDescription("Club", properties: [.attribute(Attribute("name", .string)), .relationship(members)]),
      EntityDescription(
        "Profile",
        properties: [
          .attribute(Attribute("text", .string)),
          .relationship(Relationship(toOne: "author", "Author", inverse: "profile")),
        ]),
    ])
  }

  func entity(_ name: String) throws -> Entity {
    guard let entity = store.model.entity(named: name) else { throw GraphError(.otherModel(entity: name)) }
    return entity
  }

  /// Makes an object with attributes given by name, as scripts make one of a table.
  @discardableResult
  func make(_ entity: String, _ values: [String: Value] = [:]) throws -> ManagedObject {
    let object = try context.insert(self.entity(entity))
    try give(values, to: object)
    return object
  }

  /// Sets attributes of a new object in one step.
  func give(_ values: [String: Value], to object: ManagedObject) throws {
    let gathered = InitialValues(object.entity, in: object.table)
    for (name, value) in values where try !gathered.add(object.index(name), value) { try object.set(name, value) }
    try gathered.give(to: object)
  }

  func all(_ name: String) throws -> [ManagedObject] { try context.fetch(FetchRequest(entity(name))).objectList() }

  /// A second context on the same store, so that what was saved is read from rows.
  func reread() -> ObjectContext { ObjectContext(store: store) }

  func rows(_ sql: String) throws -> [[Value]] {
    let cursor = try store.sql(sql, [])
    var rows: [[Value]] = []
    while try cursor.step() { rows.append(cursor.columns.indices.map { cursor.value($0) }) }
    return rows
  }
}

extension ManagedObject {
  func index(_ name: String) throws -> Int {
    guard let index = entity.index(of: name) else {
      throw GraphError(.unknownProperty(name, entity: entity.name, nearest: nil))
    }
    return index
  }

  func get(_ name: String) throws -> Value { try attribute(at: index(name)) }
  func set(_ name: String, _ value: Value) throws { try setAttribute(at: index(name), value) }
  func one(_ name: String) throws -> ManagedObject? { try related(at: index(name)) }
  func setOne(_ name: String, _ object: ManagedObject?) throws { try setRelated(at: index(name), to: object) }
  func many(_ name: String) throws -> [ManagedObject] { try members(at: index(name)) }
  func add(_ name: String, _ object: ManagedObject) throws { try setMember(at: index(name), object, isMember: true) }
  func remove(_ name: String, _ object: ManagedObject) throws {
    try setMember(at: index(name), object, isMember: false)
  }
}
