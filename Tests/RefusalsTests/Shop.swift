import Modeling
import Queries
import TestSupport

/// A model with everything that rules are about, and random objects of it.
enum Shop {
  static let model: Model = {
    func attribute(_ name: String, _ type: AttributeType, _ change: (inout Attribute) -> Void = { _ in }) -> Property {
      var attribute = Attribute(name, type)
      change(&attribute)
      return .attribute(attribute)
    }
    let article = EntityDescription(
      "Article",
      properties: [
        attribute("name", .string), attribute("code", .string) { $0.isOptional = false },
        attribute("price", .double), attribute("stock", .integer64), attribute("added", .date),
        attribute("uuid", .uuid), attribute("tags", .transformable), attribute("strange name", .string),
        attribute("note", .string) { $0.isTransient = true },
        attribute("extent", .composite) { $0.elements = [Attribute("width", .double), Attribute("height", .double)] },
        attribute("nature", .composite) { $0.elements = [Attribute("nature", .string)] },
        .relationship(Relationship(toOne: "maker", "Maker", inverse: "articles")),
        .relationship(Relationship(toMany: "ratings", "Rating", inverse: "article")),
        .relationship(Relationship(toMany: "shelves", "Shelf", inverse: "articles")),
      ])
    let maker = EntityDescription(
      "Maker",
      properties: [
        attribute("name", .string), .relationship(Relationship(toMany: "articles", "Article", inverse: "maker")),
        .relationship(Relationship(toOne: "owner", "Maker", inverse: "owned")),
        .relationship(Relationship(toMany: "owned", "Maker", inverse: "owner")),
      ])
    let rating = EntityDescription(
      "Rating",
      properties: [
        attribute("score", .integer64), attribute("text", .string),
        .relationship(Relationship(toOne: "article", "Article", inverse: "ratings")),
      ])
    let shelf = EntityDescription(
      "Shelf",
      properties: [
        attribute("label", .string), .relationship(Relationship(toMany: "articles", "Article", inverse: "shelves")),
      ])
    let smallMaker = EntityDescription("SmallMaker", parent: "Maker", properties: [attribute("staff", .integer64)])
    do {
      return try Model([article, maker, rating, shelf, smallMaker])
    } catch {
      preconditionFailure("the shop's model is wrong: \(error)")
    }
  }()

  static func entity(_ name: String) -> Entity {
    guard let entity = model.entity(named: name) else { preconditionFailure("no entity \(name)") }
    return entity
  }

  static var article: Entity { entity("Article") }

  /// Articles with makers, ratings and shelves; every value may be nil.
  static func articles(_ count: Int, seed: UInt64) -> [ShopObject] {
    var random = SplitMix(seed: seed)
    func maybe(_ value: Value) -> Value { Int.random(in: 0..<4, using: &random) == 0 ? .null : value }
    func pick(_ texts: [String]) -> Value { .string(texts[Int.random(in: 0..<texts.count, using: &random)]) }
    func number() -> Int64 { Int64.random(in: 0...4, using: &random) }
    let makers = (0..<4).map { ShopObject(entity("Maker"), Int64($0), ["name": maybe(pick(["Ann", "ann", "Bob"]))]) }
    makers[0].ones["owner"] = makers[1]
    makers[2].ones["owner"] = makers[0]
    let shelves = (0..<3).map { ShopObject(entity("Shelf"), Int64($0), ["label": maybe(pick(["a", "b"]))]) }
    var ratingKey: Int64 = 0
    return (0..<count).map { key in
      let object = ShopObject(
        article, Int64(key),
        [
          "name": maybe(pick(["lamp", "Lamp", "lámp", "x", ""])), "code": pick(["a1", "b2"]),
          "price": maybe(.double(Double(number()) / 2)), "stock": maybe(.int(number())),
          "added": maybe(.date(Timestamp(1_703_980_000 + Double(Int.random(in: 0..<800, using: &random)) * 86400))),
        ])
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        ratingKey += 1
        let rating = ShopObject(
          entity("Rating"), ratingKey, ["score": maybe(.int(number())), "text": maybe(pick(["good", "Bad"]))])
        rating.ones["article"] = object
        object.many["ratings", default: []].append(rating)
      }
      if Int.random(in: 0..<4, using: &random) > 0 {
        let maker = makers[Int.random(in: 0..<4, using: &random)]
        object.ones["maker"] = maker
        maker.many["articles", default: []].append(object)
      }
      for shelf in shelves where Bool.random(using: &random) {
        object.many["shelves", default: []].append(shelf)
        shelf.many["articles", default: []].append(object)
      }
      return object
    }
  }
}

/// An object of the shop.
final class ShopObject: PredicateSubject {
  let entity: Entity
  let objectID: ObjectID
  let values: [String: Value]
  var ones: [String: ShopObject] = [:]
  var many: [String: [ShopObject]] = [:]

  init(_ entity: Entity, _ key: Int64, _ values: [String: Value]) {
    self.entity = entity
    self.values = values
    objectID = ObjectID(entity: entity, key: key)
  }

  func attribute(at index: Int) -> Value { values[entity.properties[index].name] ?? .null }
  func toOne(at index: Int) -> (any PredicateSubject)? { ones[entity.properties[index].name] }
  func toMany(at index: Int) -> [any PredicateSubject] { many[entity.properties[index].name] ?? [] }
}
