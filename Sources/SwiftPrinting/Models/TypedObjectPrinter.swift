internal import Modeling
internal import SwiftParsing

/// Prints a model as subclasses of PeriluneKit's ManagedObject, with the model itself.
struct TypedObjectPrinter {
  private(set) var notes: [String] = []
  private let model: Model
  private let schema: String
  private let names: SwiftModelNames
  private var structures: SwiftStructures

  init(_ model: Model, schema: String) {
    self.model = model
    let names = SwiftModelNames(model, reserved: SwiftNames.typedObjectMembers, types: SwiftNames.kitTypes)
    self.names = names
    let classes = Set(model.entities.map { names.plainType($0) })
    self.schema = Naming.unique(SwiftModelNames.plain(schema), among: classes.union(SwiftNames.kitTypes))
    structures = SwiftStructures(besides: classes.union(SwiftNames.kitTypes).union([self.schema]))
  }

  /// The source of the whole model.
  mutating func text() -> String {
    let classes = model.entities.map { type($0) }
    let composites = structures.all.map { structure($0.name, $0.elements) }
    return ([Self.head] + composites + classes + [schemaText]).joined(separator: "\n\n")
      + "\n"
  }

  /// Formatters ignore the file, so that it can be compared with a newly printed one.
  private static let head =
    "// swift-format-ignore-file\n// Written by `perilune types --swift`: write it anew when the model changes.\n\n"
    + "import Foundation\nimport PeriluneKit"

  // MARK: Classes

  private mutating func type(_ entity: Entity) -> String {
    let name = names.type(entity)
    if names.renamed.contains(entity.name) { notes.append("\(entity.name) is \(name) there") }
    let isOpen = !entity.subentities.isEmpty || entity.isAbstract
    let parent = entity.parent.map { names.type($0) } ?? "ManagedObject"
    var lines: [String] = []
    for property in entity.description.properties { lines += declaration(property, of: entity) }
    for fetched in entity.description.fetchedProperties {
      let type = model.entity(named: fetched.fetchRequest.entity).map { names.type($0) } ?? "ManagedObject"
      let key = SwiftLiteral.string(fetched.name)
      lines.append("var \(self.name(of: fetched.name, entity)): [\(type)] { self[fetched: \(key)] }")
    }
    if !lines.isEmpty { lines.append("") }
    lines.append("override class var entityName: String { \(SwiftLiteral.string(entity.name)) }")
    lines.append("override class var propertyNames: PropertyNames { names }")
    lines.append("private static let names = PropertyNames {\(entity.properties.isEmpty ? " _ in }" : "")")
    if !entity.properties.isEmpty { lines += paths(entity, name).map { "  " + $0 } + ["}"] }
    let body = lines.map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
    return "\(isOpen ? "" : "final ")class \(name): \(parent) {\n\(body)\n}"
  }

  private mutating func declaration(_ property: Property, of entity: Entity) -> [String] {
    let name = name(of: property.name, entity)
    let key = SwiftLiteral.string(property.name)
    let type: String
    switch property {
    case .attribute(let attribute):
      type = typeName(attribute)
    case .relationship(let relationship):
      guard let index = entity.index(of: property.name) else { return [] }
      let destination = names.type(entity.destination(at: index))
      type = relationship.isToMany ? "[\(destination)]" : "\(destination)?"
    }
    guard property.isWritable, !entity.isReadOnly else { return ["var \(name): \(type) { self[\(key)] }"] }
    return ["var \(name): \(type) {", "  get { self[\(key)] }", "  set { self[\(key)] = newValue }", "}"]
  }

  /// The type of an attribute, with `?` where it may be nothing.
  private mutating func typeName(_ attribute: Attribute) -> String {
    let type =
      switch attribute.type {
      case .composite: structures.name(of: attribute)
      case .transformable, .any: "AnyValue"
      default: attribute.type.swiftName
      }
    return type + (attribute.isOptional || attribute.isDerived ? "?" : "")
  }

  /// The key paths of all properties, the inherited ones too, and of the elements of composites.
  private func paths(_ entity: Entity, _ type: String) -> [String] {
    entity.properties.flatMap { property -> [String] in
      let path = "\\\(type).\(names.property(property.name, of: entity))"
      return [line(property.name, path)] + elements(property.attribute, property.name, path)
    }
  }

  private func elements(_ attribute: Attribute?, _ name: String, _ path: String) -> [String] {
    guard let attribute, attribute.type == .composite else { return [] }
    let members = SwiftModelNames.members(attribute.elements.map(\.name), reserved: SwiftNames.compositeMembers)
    let base = path + (attribute.isOptional || attribute.isDerived ? "?." : ".")
    return attribute.elements.flatMap { element -> [String] in
      let path = base + SwiftNames.identifier(members[element.name] ?? element.name)
      let dotted = "\(name).\(element.name)"
      return [line(dotted, path)] + elements(element, dotted, path)
    }
  }

  private func line(_ name: String, _ path: String) -> String { "$0.add(\(SwiftLiteral.string(name)), \(path))" }

  /// The Swift name of a property, with a note if it differs from the model's.
  private mutating func name(of property: String, _ entity: Entity) -> String {
    let plain = names.plainProperty(property, of: entity)
    if plain != property { notes.append("\(entity.name).\(property) is \(plain) there") }
    return SwiftNames.identifier(plain)
  }

  // MARK: Composites

  private func structure(_ name: String, _ elements: [Attribute]) -> String {
    let members = SwiftModelNames.members(elements.map(\.name), reserved: SwiftNames.compositeMembers)
    func member(_ element: Attribute) -> String { SwiftNames.identifier(members[element.name] ?? element.name) }
    func key(_ element: Attribute) -> String { SwiftLiteral.string(element.name) }
    func type(_ element: Attribute) -> String {
      let type =
        switch element.type {
        case .composite: structures.knownName(of: element) ?? "AnyValue"
        case .transformable, .any: "AnyValue"
        default: element.type.swiftName
        }
      return type + (element.isOptional ? "?" : "")
    }
    let parameters = elements.map { "\(member($0)): \(type($0))\($0.isOptional ? " = nil" : "")" }
    var lines = elements.map { "var \(member($0)): \(type($0))" }
    lines += ["", "init(\(parameters.joined(separator: ", "))) {"]
    lines +=
      elements.map { "  self.\(member($0)) = \(member($0))" } + ["}", "", "init(_ elements: CompositeElements) {"]
    lines += elements.map { "  \(member($0)) = elements[\(key($0))]" } + ["}", "", "var elements: CompositeElements {"]
    lines += ["  var elements = CompositeElements()"]
    lines += elements.map { "  elements[\(key($0))] = \(member($0))" } + ["  return elements", "}", ""]
    lines.append("static let propertyNames = PropertyNames {")
    lines += elements.map { "  " + line($0.name, "\\\(name).\(member($0))") } + ["}"]
    let body = lines.map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
    return "struct \(name): CompositeValue {\n\(body)\n}"
  }

  // MARK: The schema

  private var schemaText: String {
    let classes = model.entities.map { "\(names.type($0)).self" }.joined(separator: ", ")
    return """
      /// The classes above, and the model that they were written from.
      enum \(schema): ModelSchema {
        static let classes: [ManagedObject.Type] = [\(classes)]
        static let model = \(SwiftLiteral.string(model.encoded()))
      }
      """
  }
}
