internal import Modeling
internal import SwiftParsing

/// Prints a model as subclasses of NSManagedObject, with the members that Xcode generates for them.
struct ManagedObjectPrinter {
  private(set) var notes: [String] = []
  private let model: Model
  private let names: SwiftModelNames

  init(_ model: Model) {
    self.model = model
    names = SwiftModelNames(model, reserved: [])
  }

  /// The source of the whole model.
  mutating func text() -> String {
    let classes = model.entities.map { type($0) }
    return (["import CoreData\nimport Foundation"] + classes).joined(separator: "\n\n") + "\n"
  }

  private mutating func type(_ entity: Entity) -> String {
    let name = names.type(entity)
    if names.renamed.contains(entity.name) {
      notes.append("\(entity.name): its class is \(name), which the app's model has to name")
    }
    let parent = entity.parent.map { names.type($0) } ?? "NSManagedObject"
    var lines = request(entity, name)
    for property in entity.description.properties {
      switch property {
      case .attribute(let attribute): lines.append(declaration(attribute, place: "\(entity.name).\(attribute.name)"))
      case .relationship(let relationship): lines.append(declaration(relationship, of: entity))
      }
    }
    for fetched in entity.description.fetchedProperties {
      let type = model.entity(named: fetched.fetchRequest.entity).map { names.type($0) } ?? "NSManagedObject"
      lines.append(managed(fetched.name, "[\(type)]?", place: "\(entity.name).\(fetched.name)"))
    }
    let body = lines.map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
    let plain = names.plainType(entity)
    let accessors = entity.description.properties.compactMap(\.relationship).filter(\.isToMany)
      .compactMap { self.accessors($0, of: entity) }
    let type = "@objc(\(plain))\npublic class \(name): \(parent) {\n\(body)\n}"
    return ([type] + accessors + ["extension \(name): Identifiable {}"].filter { _ in entity.parent == nil })
      .joined(separator: "\n\n")
  }

  private func request(_ entity: Entity, _ name: String) -> [String] {
    // Of an entity that inherits it would be the parent's with another result, which Swift takes for no override.
    [
      "@nonobjc public class func fetchRequest() -> NSFetchRequest<\(name)> {",
      "  NSFetchRequest<\(name)>(entityName: \(SwiftLiteral.string(entity.name)))", "}", "",
    ]
  }

  private mutating func declaration(_ attribute: Attribute, place: String) -> String {
    let isScalar =
      switch attribute.type {
      case .integer16, .integer32, .integer64, .double, .float, .boolean: true
      default: false
      }
    // Objective-C has no optional numbers: an optional one is an object.
    let type =
      switch attribute.type {
      case .integer64 where !attribute.isOptional: "Int64"
      case .decimal: "NSDecimalNumber"
      case .composite: "[String: Any]"
      case .transformable: attribute.valueClassName.map(SwiftModelNames.qualified) ?? "NSObject"
      case .any: "Any"
      default: isScalar && attribute.isOptional ? "NSNumber" : attribute.type.swiftName
      }
    let mark = isScalar && !attribute.isOptional ? "" : "?"
    return managed(attribute.name, type + mark, place: place)
  }

  private mutating func declaration(_ relationship: Relationship, of entity: Entity) -> String {
    let place = "\(entity.name).\(relationship.name)"
    guard let index = entity.index(of: relationship.name) else { return "" }
    let set = relationship.isOrdered ? "NSOrderedSet?" : "NSSet?"
    let type = relationship.isToMany ? set : names.type(entity.destination(at: index)) + "?"
    return managed(relationship.name, type, place: place)
  }

  private mutating func managed(_ name: String, _ type: String, place: String) -> String {
    let isReserved = SwiftNames.managedObjectMembers.contains(name)
    guard SwiftNames.isIdentifier(name), !isReserved else {
      let reason = isReserved ? "is called like a member of NSManagedObject" : "has no name that Swift can have"
      notes.append("\(place) \(reason): use value(forKey:)")
      return "// No property: \(name.inOneLine)"
    }
    return "@NSManaged public var \(SwiftNames.identifier(name)): \(type)"
  }

  /// What Xcode generates for a to-many relationship.
  private func accessors(_ relationship: Relationship, of entity: Entity) -> String? {
    guard SwiftNames.isIdentifier(relationship.name), !SwiftNames.managedObjectMembers.contains(relationship.name),
      let index = entity.index(of: relationship.name)
    else { return nil }
    let type = names.type(entity.destination(at: index))
    let word = SwiftNames.capitalized(relationship.name)
    let set = relationship.isOrdered ? "NSOrderedSet" : "NSSet"
    var members: [(selector: String, function: String)] = []
    if relationship.isOrdered {
      members = [
        ("insertObject:in\(word)AtIndex:", "insertInto\(word)(_ value: \(type), at index: Int)"),
        ("removeObjectFrom\(word)AtIndex:", "removeFrom\(word)(at index: Int)"),
        ("insert\(word):atIndexes:", "insertInto\(word)(_ values: [\(type)], at indexes: NSIndexSet)"),
        ("remove\(word)AtIndexes:", "removeFrom\(word)(at indexes: NSIndexSet)"),
        ("replaceObjectIn\(word)AtIndex:withObject:", "replace\(word)(at index: Int, with value: \(type))"),
        (
          "replace\(word)AtIndexes:with\(word):",
          "replace\(word)(at indexes: NSIndexSet, with values: [\(type)])"
        ),
      ]
    }
    members += [
      ("add\(word)Object:", "addTo\(word)(_ value: \(type))"),
      ("remove\(word)Object:", "removeFrom\(word)(_ value: \(type))"),
      ("add\(word):", "addTo\(word)(_ values: \(set))"), ("remove\(word):", "removeFrom\(word)(_ values: \(set))"),
    ]
    let lines = members.map { "  @objc(\($0.selector))\n  @NSManaged public func \($0.function)" }
    return "extension \(names.type(entity)) {\n\(lines.joined(separator: "\n\n"))\n}"
  }
}
