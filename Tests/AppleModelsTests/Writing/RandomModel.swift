import Foundation
import Modeling

/// Models at random with everything that a model may say.
enum RandomModel {
  static func make(_ random: inout some RandomNumberGenerator) throws -> Model {
    for _ in 0..<1000 {
      // Some contradict themselves.
      if let model = try? attempt(&random) { return model }
    }
    return try Model([])
  }

  private static func attempt(_ random: inout some RandomNumberGenerator) throws -> Model {
    let names = Array(
      ["Car", "boat", "Über", "Zoo", "a_b"].shuffled(using: &random).prefix(.random(in: 1...5, using: &random)))
    var entities: [EntityDescription] = []
    for (index, name) in names.enumerated() {
      var entity = EntityDescription(name)
      if index > 0, chance(3, &random) { entity.parent = names[.random(in: 0..<index, using: &random)] }
      for number in 0..<Int.random(in: 0...4, using: &random) {
        entity.properties.append(.attribute(attribute("\(name.lowercased())A\(number)", depth: 0, &random)))
      }
      for number in 0..<Int.random(in: 0...2, using: &random) {
        let destination = names.randomElement(using: &random) ?? name
        var relationship = Relationship(toOne: "\(name.lowercased())R\(number)", destination)
        relationship.isToMany = Bool.random(using: &random)
        if relationship.isToMany {
          relationship.isOrdered = chance(3, &random)
          relationship.maximumCount = chance(3, &random) ? .random(in: 1...9, using: &random) : nil
        }
        relationship.isOptional = Bool.random(using: &random)
        relationship.isUnidirectional = chance(4, &random)
        relationship.isTransient = chance(4, &random)
        relationship.deleteRule = DeleteRule.allCases.randomElement(using: &random) ?? .nullify
        entity.properties.append(.relationship(relationship))
      }
      decorate(&entity, &random)
      entities.append(entity)
    }
    var template = FetchRequestTemplate(names[0], predicate: chance(2, &random) ? "a.b = 1 && none x.y > $z" : nil)
    template.fetchLimit = chance(2, &random) ? 7 : nil
    template.returnsDistinctResults = Bool.random(using: &random)
    return try Model(
      entities, version: chance(2, &random) ? ModelVersion("7") : nil,
      fetchRequestTemplates: chance(2, &random) ? ["t": template] : [:],
      configurations: chance(3, &random) ? ["Some": [names[0]]] : [:])
  }

  private static func chance(_ of: Int, _ random: inout some RandomNumberGenerator) -> Bool {
    Int.random(in: 0..<of, using: &random) == 0
  }

  private static func decorate(_ entity: inout EntityDescription, _ random: inout some RandomNumberGenerator) {
    entity.isAbstract = chance(4, &random)
    entity.className = ["NSManagedObject", "Other", entity.name, nil].randomElement(using: &random) ?? nil
    entity.renamingIdentifier = chance(4, &random) ? "old & \"gone\"" : nil
    entity.userInfo = chance(4, &random) ? ["k<": "v\n\t'"] : [:]
    let names = entity.properties.map(\.name).shuffled(using: &random)
    guard let first = names.first else { return }
    if chance(2, &random) { entity.uniquenessConstraints = [Array(names.prefix(2)), [first]] }
    if chance(2, &random) {
      var index = FetchIndex(Array(names.prefix(.random(in: 1...2, using: &random))))
      index.name = ["named", first, nil].randomElement(using: &random) ?? nil
      index.elements[0].isAscending = !chance(3, &random)
      index.predicate = chance(4, &random) ? "\(first)=nil" : nil
      entity.indexes = [index]
    }
    if chance(3, &random) { entity.indexes.append(FetchIndex(names)) }
    if chance(3, &random) {
      var request = FetchRequestTemplate(entity.name, predicate: "\(first) == $FETCH_SOURCE.\(first)")
      request.sortDescriptors = chance(2, &random) ? [first] : []
      entity.fetchedProperties = [FetchedProperty("fetched\(entity.name)", request)]
    }
  }

  private static func attribute(
    _ name: String, depth: Int, _ random: inout some RandomNumberGenerator
  ) -> Attribute {
    let types = AttributeType.allCases.filter { depth < 2 || $0 != .composite }
    var attribute = Attribute(name, types.randomElement(using: &random) ?? .string)
    attribute.isOptional = Bool.random(using: &random)
    attribute.isIndexed = chance(4, &random)
    attribute.userInfo = chance(5, &random) ? ["a": "b"] : [:]
    attribute.versionHashModifier = chance(5, &random) ? "1" : nil
    if depth == 0 {
      attribute.isTransient = chance(5, &random)
      attribute.isUnique = chance(5, &random)
      attribute.derivation = chance(8, &random) ? "count(\(name)) + 1" : nil
    }
    switch attribute.type {
    case .composite:
      attribute.elements = (0..<2).map { self.attribute("\(name)E\($0)", depth: depth + 1, &random) }
      attribute.compositeName = chance(2, &random) ? "Shared" : nil
    case .integer32, .double, .float, .decimal:
      if chance(2, &random) { attribute.minimum = .int(1) }
      if chance(2, &random) { attribute.defaultValue = .int(3) }
      if chance(4, &random) {
        attribute.validationPredicates = [ValidationPredicate("SELF<=9"), ValidationPredicate("SELF != 5")]
      }
    case .string:
      if chance(2, &random) { attribute.maximumLength = 5 }
      if chance(3, &random) { attribute.regularExpression = "[a-z&<\"]*" }
      if chance(2, &random) { attribute.defaultValue = .string("ab") }
    case .date:
      if chance(2, &random) { attribute.defaultValue = .date(Timestamp(.random(in: -1e9...1e9, using: &random))) }
    case .boolean: attribute.defaultValue = .bool(Bool.random(using: &random))
    case .uuid: if chance(2, &random) { attribute.defaultValue = .uuid(UUID()) }
    case .transformable:
      attribute.valueClassName = chance(2, &random) ? "Colour" : nil
      attribute.defaultValue = chance(2, &random) ? .json(.object(["a": .int(1)])) : .null
    case .data: attribute.allowsExternalBinaryDataStorage = Bool.random(using: &random)
    default: break
    }
    return attribute
  }
}
