import Modeling

/// Models with every way in which Core Data keeps things.
enum CoreDataShapes {
  /// A library: subentities, a to-one to one of them, counts, an ordered list, ordered pairs on both sides, members
  /// without an inverse, each kind of value, external data, a composite, a transformable, uniqueness, tombstones.
  static func library() throws -> Model {
    func attribute(_ name: String, _ type: AttributeType, _ configure: (inout Attribute) -> Void = { _ in }) -> Property
    {
      var attribute = Attribute(name, type)
      configure(&attribute)
      return .attribute(attribute)
    }
    func toMany(
      _ name: String, _ destination: String, _ inverse: String?, ordered: Bool = false, _ rule: DeleteRule = .nullify
    ) -> Property {
      var relationship = Relationship(toMany: name, destination, inverse: inverse)
      (relationship.isOrdered, relationship.deleteRule) = (ordered, rule)
      return .relationship(relationship)
    }
    func toOne(_ name: String, _ destination: String, _ inverse: String?, optional: Bool = true) -> Property {
      var relationship = Relationship(toOne: name, destination, inverse: inverse)
      relationship.isOptional = optional
      return .relationship(relationship)
    }
    let book = EntityDescription(
      "Book",
      properties: [
        attribute("title", .string) { ($0.isOptional, $0.defaultValue) = (false, .string("untitled")) },
        attribute("isbn", .string) { ($0.isUnique, $0.preservesValueInHistoryOnDeletion) = (true, true) },
        attribute("price", .decimal), attribute("publishedAt", .date), attribute("uuid", .uuid),
        attribute("rating", .double), attribute("copies", .integer32), attribute("isRare", .boolean),
        attribute("site", .url), attribute("cover", .data) { $0.allowsExternalBinaryDataStorage = true },
        attribute("stamp", .data), attribute("tags", .transformable),
        attribute("note", .string) { $0.isTransient = true },
        attribute("size", .composite) { $0.elements = [Attribute("width", .double), Attribute("height", .double)] },
        attribute("pagesCount", .integer64) { $0.derivation = "pages.@count" },
        toMany("pages", "Page", "book", ordered: true, .cascade), toOne("author", "Author", "books"),
        toMany("shelves", "Shelf", "books", ordered: true), toMany("reviews", "Review", nil),
      ])
    let novel = EntityDescription("GraphicNovel", parent: "Book", properties: [attribute("isColoured", .boolean)])
    let page = EntityDescription(
      "Page",
      properties: [
        attribute("number", .integer16), attribute("text", .string), toOne("book", "Book", "pages"),
      ])
    var writer = EntityDescription("Writer", properties: [attribute("alias", .string) { $0.isUnique = true }])
    writer.isAbstract = true
    let author = EntityDescription(
      "Author", parent: "Writer",
      properties: [
        attribute("born", .date), toMany("books", "Book", "author"), toOne("editor", "Author", "edited"),
        toMany("edited", "Author", "editor", ordered: true),
      ])
    let shelf = EntityDescription(
      "Shelf", properties: [attribute("name", .string), toMany("books", "Book", "shelves", ordered: true)])
    let review = EntityDescription("Review", properties: [attribute("text", .string), toOne("critic", "Author", nil)])
    return try Model([book, novel, page, writer, author, shelf, review])
  }
}
