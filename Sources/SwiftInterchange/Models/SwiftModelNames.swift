internal import Modeling

/// The names that the entities of a model and their properties have in Swift.
struct SwiftModelNames {
  private var classes: [String: String] = [:]

  /// Names the class of each entity: its own class's name, without a module, or the entity's.
  init(_ model: Model) {
    var taken: Set<String> = []
    for entity in model.entities {
      let declared = entity.description.className.flatMap { $0.split(separator: ".").last.map(String.init) }
      let isOwn = declared != nil && declared != "NSManagedObject" && SwiftNames.isIdentifier(declared ?? "")
      let wanted = isOwn ? declared ?? entity.name : Naming.upperCamelCase(entity.name)
      let name = Naming.unique(Self.plain(wanted), among: taken)
      taken.insert(name)
      classes[entity.name] = name
    }
  }

  /// The class of an entity.
  func type(_ entity: Entity) -> String { SwiftNames.identifier(classes[entity.name] ?? entity.name) }

  /// The name of a property, and whether it is another than the model's.
  static func property(_ name: String) -> String { SwiftNames.identifier(plain(name)) }

  /// The name with nothing but what an identifier has.
  static func plain(_ name: String) -> String {
    if SwiftNames.isIdentifier(name) { return name }
    let kept = String(String.UnicodeScalarView(name.unicodeScalars.map { $0.properties.isXIDContinue ? $0 : "_" }))
    return SwiftNames.isIdentifier(kept) ? kept : "_" + kept
  }
}

extension Attribute {
  /// The type of its values in Swift without `?`; `valueClass` for a transformable one.
  func swiftTypeName(composite: String?) -> String {
    switch type {
    case .transformable: valueClassName.map(SwiftModelNames.plain) ?? "Data"
    case .composite: composite ?? "Data"
    case .any: "String"
    default: type.swiftName
    }
  }
}
