internal import Modeling
internal import SwiftParsing

/// The names that the entities of a model and their properties have in Swift.
///
/// Names that Swift or the framework has for something else make way, and no two are the same in one place.
struct SwiftModelNames {
  private var classes: [String: String] = [:]
  /// By the entity and the property as the model calls them.
  private var members: [String: [String: String]] = [:]
  /// The entities whose classes are called otherwise than the model says, by necessity.
  private(set) var renamed: Set<String> = []

  /// Names the class of each entity: its own class's name, without a module, or the entity's.
  ///
  /// With `byEntity` it is always the entity's: SwiftData has no other name for the entity of a store than its class's.
  init(
    _ model: Model, reserved: Set<String>, types: Set<String> = SwiftNames.types, byEntity: Bool = false
  ) {
    var taken: Set<String> = []
    for entity in model.entities {
      let declared = entity.description.className.flatMap { $0.split(separator: ".").last.map(String.init) }
      let isOwn =
        !byEntity && declared != nil && declared != "NSManagedObject" && SwiftNames.isIdentifier(declared ?? "")
      let isNamedAsIs = byEntity && SwiftNames.isIdentifier(entity.name)
      let wanted = isOwn ? declared ?? entity.name : isNamedAsIs ? entity.name : Naming.upperCamelCase(entity.name)
      let plain = Self.plain(wanted)
      let name = Naming.unique(types.contains(plain) ? plain + "Entity" : plain, among: taken)
      if name != wanted || !isOwn && !SwiftNames.isIdentifier(entity.name) { renamed.insert(entity.name) }
      taken.insert(name)
      classes[entity.name] = name
    }
    for root in model.entities where root.parent == nil {
      for entity in root.family {
        let inherited = entity.parent.flatMap { members[$0.name] } ?? [:]
        let own = entity.description.properties.map(\.name) + entity.description.fetchedProperties.map(\.name)
        let names = Self.members(own, reserved: reserved, taken: Set(inherited.values))
        members[entity.name] = inherited.merging(names) { first, _ in first }
      }
    }
  }

  /// The class of an entity.
  func type(_ entity: Entity) -> String { SwiftNames.identifier(plainType(entity)) }

  /// The name of an entity's class without backticks.
  func plainType(_ entity: Entity) -> String { classes[entity.name] ?? entity.name }

  /// The name of a property of an entity, its own or an inherited one.
  func property(_ name: String, of entity: Entity) -> String { SwiftNames.identifier(plainProperty(name, of: entity)) }

  /// The name of a property without backticks.
  func plainProperty(_ name: String, of entity: Entity) -> String {
    members[entity.name]?[name] ?? Self.plain(name)
  }

  /// The names in Swift of members of one type: as they are where they can be, the others beside them.
  static func members(
    _ names: [String], reserved: Set<String> = [], taken: Set<String> = []
  ) -> [String: String] {
    var taken = taken
    var found: [String: String] = [:]
    for name in names where SwiftNames.isIdentifier(name) && !reserved.contains(name) {
      if taken.insert(name).inserted { found[name] = name }
    }
    for name in names where found[name] == nil {
      let wanted = reserved.contains(name) ? name + "Value" : plain(name)
      let free = Naming.unique(wanted, among: taken.union(reserved))
      taken.insert(free)
      found[name] = free
    }
    return found
  }

  /// The name with nothing but what an identifier has.
  static func plain(_ name: String) -> String {
    if SwiftNames.isIdentifier(name) { return name }
    let kept = String(String.UnicodeScalarView(name.unicodeScalars.map { $0.properties.isXIDContinue ? $0 : "_" }))
    if kept.allSatisfy({ $0 == "_" }) { return "unnamed" }
    return SwiftNames.isIdentifier(kept) ? kept : "_" + kept
  }

  /// A class that the model names, in its module if it says one, or another type as Swift writes it: `[String]`.
  static func qualified(_ name: String) -> String {
    if SwiftParser.isType(name) { return name }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return parts.allSatisfy(SwiftNames.isIdentifier)
      ? parts.map(SwiftNames.identifier).joined(separator: ".") : plain(name)
  }
}

extension Attribute {
  /// The type of its values in Swift without `?`; `valueClass` for a transformable one.
  func swiftTypeName(composite: String?) -> String {
    switch type {
    case .transformable: valueClassName.map(SwiftModelNames.qualified) ?? "Data"
    case .composite: composite ?? "Data"
    case .any: "String"
    default: type.swiftName
    }
  }
}
