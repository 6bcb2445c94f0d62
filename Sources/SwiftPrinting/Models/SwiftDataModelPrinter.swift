internal import Modeling
internal import SwiftParsing

/// Prints a model as classes of SwiftData.
struct SwiftDataModelPrinter {
  private(set) var notes: [String] = []
  let model: Model
  let names: SwiftModelNames
  /// The structures of composites.
  var structures: SwiftStructures

  init(_ model: Model) {
    self.model = model
    let names = SwiftModelNames(model, reserved: SwiftNames.modelMembers, byEntity: true)
    self.names = names
    structures = SwiftStructures(
      besides: SwiftNames.types.union(model.entities.map { names.plainType($0) }), enumerations: true)
  }

  mutating func note(_ text: String) { notes.append(text) }

  /// The source of the whole model.
  mutating func text() -> String {
    let classes = model.entities.map { type($0) }
    let composites = structures.all.map { Self.structure($0.name, $0.elements, self) }
    if let version = model.version {
      note("The version \(version.text) is left out: in SwiftData it is a VersionedSchema's")
    }
    if !model.configurations.isEmpty { note("The configurations are left out: in SwiftData they are a container's") }
    if !model.cloudKitConfigurations.isEmpty {
      note("The use with CloudKit is left out: in SwiftData it is a ModelConfiguration's")
    }
    if !model.fetchRequestTemplates.isEmpty { note("The request templates are left out: SwiftData has none") }
    let enumerations = structures.enumerations.map(\.text)
    return (["import Foundation\nimport SwiftData"] + enumerations + composites + classes).joined(separator: "\n\n")
      + "\n"
  }

  private mutating func type(_ entity: Entity) -> String {
    let name = names.type(entity)
    if names.renamed.contains(entity.name) { note("\(entity.name) is \(name) there") }
    if let declared = entity.description.className?.split(separator: ".").last, declared != "NSManagedObject",
      declared != entity.name
    {
      note("\(entity.name) is the entity of the class \(declared); SwiftData calls a class as its entity: \(name)")
    }
    if let parent = entity.parent {
      note("\(entity.name) inherits from \(parent.name), which SwiftData takes from iOS 26 and macOS 26 on")
    }
    if !entity.description.userInfo.isEmpty { note("\(entity.name): its user info is left out: SwiftData has none") }
    if entity.description.versionHashModifier != nil {
      note("\(entity.name): its version hash modifier is left out: SwiftData has those of properties alone")
    }
    var lines: [String] = macros(entity).map { "  " + $0 }
    for property in entity.description.properties { lines += declaration(property, of: entity).map { "  " + $0 } }
    if !entity.description.fetchedProperties.isEmpty {
      note("\(entity.name): its fetched properties are left out: SwiftData has none")
    }
    let initializer = initializer(entity).map { $0.isEmpty ? "" : "  " + $0 }
    if !lines.isEmpty, !initializer.isEmpty { lines.append("") }
    lines += initializer
    let parent = entity.parent.map { ": " + names.type($0) } ?? ""
    let isOpen = !entity.subentities.isEmpty || entity.isAbstract
    if entity.isAbstract { note("\(entity.name) is abstract, which a class of SwiftData cannot be") }
    let original = entity.description.renamingIdentifier.map { "// Renamed: \($0)\n" } ?? ""
    if entity.description.renamingIdentifier != nil {
      note("\(entity.name) was renamed, which SwiftData takes from a migration plan alone")
    }
    return "\(original)@Model\n\(isOpen ? "" : "final ")class \(name)\(parent) {\n\(lines.joined(separator: "\n"))\n}"
  }

  /// `#Unique` and `#Index`, which are of several properties, or are all there is for one that has no attribute.
  private mutating func macros(_ entity: Entity) -> [String] {
    let name = names.type(entity)
    func list(_ paths: [String]) -> String {
      "["
        + paths.map {
          "\\.\(path($0, of: entity))"
        }
        .joined(separator: ", ") + "]"
    }
    var macros: [String] = []
    let unique = entity.description.uniquenessConstraints
    let isTransient = { (name: String) in entity.property(named: name)?.isTransient == true }
    let stored = unique.filter { !$0.contains(where: isTransient) }
    if !stored.isEmpty { macros.append("#Unique<\(name)>(\(stored.map(list).joined(separator: ", ")))") }
    let transient =
      unique.joined().filter(isTransient)
      + entity.description.properties.filter(\.isTransient)
      .filter { $0.attribute?.isIndexed == true || $0.attribute?.isUnique == true }.map(\.name)
    for name in transient { note("\(entity.name).\(name) is transient: SwiftData neither indexes it nor compares it") }
    var single = Set(entity.description.properties.filter { $0.attribute?.isIndexed == true }.map(\.name))
    var indexes: [[String]] = []
    for index in entity.description.indexes {
      let known = index.properties.filter {
        (entity.index(of: $0) != nil || entity.compositeElement(at: $0) != nil) && !isTransient($0)
      }
      if known.count < index.elements.count || index.predicate != nil
        || !index.elements.allSatisfy({ $0.isAscending && !$0.isRTree })
      {
        note("\(entity.name): the index \(index.name ?? index.properties.joined(separator: ", ")) is a plain one there")
      } else if let name = index.name, !name.hasPrefix("SwiftDataIndexOn") {
        note("\(entity.name): the index \(name) is called otherwise there: SwiftData names its indexes itself")
      }
      // An index of one property is the same, however the model says it.
      if known.count == 1, entity.description.properties.contains(where: { $0.name == known[0] }) {
        single.insert(known[0])
      } else if !known.isEmpty {
        indexes.append(known)
      }
    }
    let names = entity.description.properties.map(\.name).filter { single.contains($0) && !isTransient($0) }
    indexes = names.map { [$0] } + indexes
    if !indexes.isEmpty { macros.append("#Index<\(name)>(\(indexes.map(list).joined(separator: ", ")))") }
    return macros
  }

  /// A property, or an element of a composite, as a key path of Swift names it.
  private func path(_ text: String, of entity: Entity) -> String {
    if entity.index(of: text) != nil { return names.property(text, of: entity) }
    let parts = text.split(separator: ".").map(String.init)
    guard let first = parts.first, let index = entity.index(of: first) else { return names.property(text, of: entity) }
    var path = names.property(first, of: entity)
    var attribute = entity.properties[index].attribute
    for part in parts.dropFirst() {
      let elements = attribute?.elements ?? []
      let name = SwiftModelNames.members(elements.map(\.name))[part] ?? SwiftModelNames.plain(part)
      path += (attribute?.isOptional == true ? "?." : ".") + SwiftNames.identifier(name)
      attribute = elements.first { $0.name == part }
    }
    return path
  }

  private static func structure(_ name: String, _ elements: [Attribute], _ printer: SwiftDataModelPrinter) -> String {
    let names = SwiftModelNames.members(elements.map(\.name))
    let lines = elements.map { element in
      let type = element.swiftTypeName(composite: printer.structures.knownName(of: element))
      let name = SwiftNames.identifier(names[element.name] ?? element.name)
      return "  var \(name): \(type)\(element.isOptional ? "?" : "")"
    }
    return "struct \(name): Codable {\n\(lines.joined(separator: "\n"))\n}"
  }
}
