import Foundation
import Modeling
import TestSupport

/// Models at random: those that SwiftData can say all of, or any.
struct ModelGenerator {
  var random: SplitMix
  /// Whether SwiftData can say all of it.
  let isSayable: Bool

  init(seed: Int, isSayable: Bool) {
    random = SplitMix(seed: seed)
    self.isSayable = isSayable
  }

  mutating func model() throws -> Model {
    for _ in 0..<1000 {
      // Some contradict themselves.
      if let model = try? attempt() { return model }
    }
    return try Model([])
  }

  private mutating func attempt() throws -> Model {
    let names = Array(["Car", "boat", "Über", "Zoo", "Naïve"].shuffled(using: &random).prefix(random.below(5) + 1))
    var entities: [EntityDescription] = []
    for (index, name) in names.enumerated() {
      var entity = EntityDescription(name)
      if index > 0, random.chance(oneIn: 3) { entity.parent = names[random.below(index)] }
      let stem = name.lowercased()
      for number in 0..<random.below(6) {
        entity.properties.append(.attribute(attribute("\(stem)A\(number)", depth: 0)))
      }
      decorate(&entity)
      entities.append(entity)
    }
    for number in 0..<random.below(5) { relate(&entities, number) }
    return try Model(entities, version: !isSayable && random.chance(oneIn: 3) ? ModelVersion("7") : nil)
  }

  /// Adds a relationship, and mostly its inverse.
  private mutating func relate(_ entities: inout [EntityDescription], _ number: Int) {
    let (from, to) = (random.below(entities.count), random.below(entities.count))
    let (name, back) = ("r\(number)", "back\(number)")
    var there = relationship(name, entities[to].name)
    var here = relationship(back, entities[from].name)
    // What has no inverse must find none by itself either.
    (there.inverse, here.inverse) = (back, name)
    if !isSayable, random.chance(oneIn: 4) {
      (there.isUnidirectional, there.inverse) = (true, nil)
      entities[from].properties.append(.relationship(there))
      return
    }
    here.isTransient = there.isTransient
    entities[from].properties.append(.relationship(there))
    entities[to].properties.append(.relationship(here))
  }

  private mutating func relationship(_ name: String, _ destination: String) -> Relationship {
    var relationship = Relationship(toOne: name, destination)
    relationship.isToMany = random.chance(oneIn: 2)
    relationship.deleteRule = random.pick(DeleteRule.allCases)
    relationship.renamingIdentifier = random.chance(oneIn: 4) ? "old \(name) \"x\" \\" : nil
    relationship.versionHashModifier = random.chance(oneIn: 4) ? "2" : nil
    if relationship.isToMany {
      relationship.minimumCount = random.chance(oneIn: 3) ? random.below(3) : nil
      relationship.maximumCount = random.chance(oneIn: 3) ? random.below(9) + 3 : nil
      if !isSayable { relationship.isOrdered = random.chance(oneIn: 3) }
    }
    if !isSayable {
      relationship.isOptional = random.chance(oneIn: 2)
      relationship.isTransient = random.chance(oneIn: 4)
    }
    return relationship
  }

  private mutating func decorate(_ entity: inout EntityDescription) {
    let stored = entity.properties.filter { !$0.isTransient && $0.attribute?.derivation == nil }.map(\.name)
    let names = stored.shuffled(using: &random)
    if names.count > 1 {
      if random.chance(oneIn: 3) { entity.uniquenessConstraints = [Array(names.prefix(2)), [names[0]]] }
      if random.chance(oneIn: 3) { entity.indexes = [FetchIndex(names), FetchIndex(Array(names.prefix(2)))] }
    }
    if let composite = entity.properties.compactMap(\.attribute).first(where: { $0.type == .composite }),
      let element = composite.elements.first, element.type != .composite, !composite.isTransient
    {
      entity.indexes.append(FetchIndex(["\(composite.name).\(element.name)"]))
    }
    guard !isSayable else { return }
    entity.isAbstract = random.chance(oneIn: 4)
    entity.renamingIdentifier = random.chance(oneIn: 4) ? "old" : nil
    entity.versionHashModifier = random.chance(oneIn: 4) ? "old" : nil
    entity.userInfo = random.chance(oneIn: 4) ? ["k": "v"] : [:]
    if let first = names.first, random.chance(oneIn: 3) {
      var index = FetchIndex([first])
      (index.name, index.elements[0].isAscending) = ("named", false)
      entity.indexes.append(index)
    }
  }

  private mutating func attribute(_ name: String, depth: Int) -> Attribute {
    let types = AttributeType.allCases.filter {
      (depth < 2 || $0 != .composite) && (!isSayable || $0 != .any) && (depth == 0 || $0 != .transformable)
    }
    var attribute = Attribute(name, random.pick(types))
    attribute.isOptional = random.chance(oneIn: 2)
    if attribute.type == .composite {
      attribute.elements = (0...random.below(3)).map { self.attribute("\(name)E\($0)", depth: depth + 1) }
      attribute.compositeName = "Struct\(Naming.upperCamelCase(name))"
    }
    if depth == 0 {
      attribute.isIndexed = random.chance(oneIn: 4)
      attribute.isUnique = random.chance(oneIn: 5)
      attribute.preservesValueInHistoryOnDeletion = random.chance(oneIn: 5)
      attribute.renamingIdentifier = random.chance(oneIn: 5) ? "was #\"that\"#" : nil
      attribute.versionHashModifier = random.chance(oneIn: 5) ? "1" : nil
      attribute.allowsExternalBinaryDataStorage = attribute.type == .data && random.chance(oneIn: 2)
      if attribute.type == .transformable { decorate(transformable: &attribute) }
      if random.chance(oneIn: 2) { attribute.defaultValue = value(attribute) }
    }
    if isSayable || depth > 0 { return attribute }
    attribute.isTransient = random.chance(oneIn: 4)
    if attribute.isTransient { attribute.preservesValueInHistoryOnDeletion = false }
    attribute.userInfo = random.chance(oneIn: 4) ? ["a": "b"] : [:]
    if attribute.type == .string, attribute.defaultValue.isNull { attribute.maximumLength = 5 }
    return attribute
  }

  private mutating func decorate(transformable attribute: inout Attribute) {
    switch random.below(4) {
    case 0: attribute.valueClassName = random.pick(["[String]", "[Int: [String?]]", "Range<Int>", "Set<String>"])
    case 1: (attribute.valueClassName, attribute.valueTransformerName) = ("Colour", "App.Transformer")
    case 2: attribute.valueTransformerName = "App.Transformer"
    default: if isSayable { attribute.valueClassName = "[Double]" }
    }
  }

  private mutating func value(_ attribute: Attribute) -> Value {
    switch attribute.type {
    case .integer16: return .int(Int64(random.below(60_000)) - 30_000)
    case .integer32, .integer64: return .int(Int64(random.below(1 << 30)) - 1 << 29)
    case .double: return .double(random.pick([0, -1.5, 1e300, .infinity, 0.1, 4]))
    case .float: return .double(random.pick([0, -1.5, 0.25, 7]))
    case .decimal: return .decimal(random.pick([0, 1.5, -12, 0.25]))
    case .boolean: return .bool(random.chance(oneIn: 2))
    case .string: return .string(random.pick(["", "a \"b\" \\ #", "é\n\t", "plain", "\u{7F}\u{1}"]))
    case .date: return .date(Timestamp(Double(random.below(1 << 31)) + 0.5))
    case .uuid: return .uuid(UUID())
    case .url: return .url("https://a.org/b?c=d")
    case .data: return .data((0..<random.below(4)).map { UInt8($0 * 80) })
    case .transformable:
      if attribute.valueClassName == "[String]" { return .json(.array([.string("a"), .string("\"")])) }
      return isSayable ? .null : .json(.object(["a": .int(1)]))
    case .composite, .any: return .null
    }
  }
}
