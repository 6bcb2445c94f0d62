internal import Modeling
internal import Queries
internal import SwiftParsing

/// The part of a model that a predicate looks at, as classes and objects of a printed test.
struct TestFixture {
  /// The properties used of an entity, and those of the objects they lead to.
  struct Node {
    var entity: Entity
    var attributes: Set<Int> = []
    var relationships: [Int: Node] = [:]

    /// Adds the properties of a path.
    mutating func insert(_ names: ArraySlice<String>) {
      guard let name = names.first, let index = entity.index(of: name) else { return }
      switch entity.properties[index] {
      case .attribute: attributes.insert(index)
      case .relationship:
        var next = relationships[index] ?? Node(entity: entity.destination(at: index))
        next.insert(names.dropFirst())
        relationships[index] = next
      }
    }
  }

  private var root: Node

  init(_ predicate: Queries.Predicate, _ entity: Entity) {
    root = Node(entity: entity)
    for path in predicate.paths { root.insert(path.names[...]) }
  }

  // MARK: Classes

  /// A class for each entity, with the properties that are used.
  var classes: String {
    var used: [String: (entity: Entity, properties: Set<Int>)] = [:]
    func visit(_ node: Node) {
      used[node.entity.name, default: (node.entity, [])].properties
        .formUnion(node.attributes.union(node.relationships.keys))
      node.relationships.values.forEach(visit)
    }
    visit(root)
    return used.sorted { $0.key < $1.key }.map { Self.source(of: $0.value.entity, $0.value.properties) }
      .joined(separator: "\n\n")
  }

  private static func source(of entity: Entity, _ properties: Set<Int>) -> String {
    let declared = properties.sorted().map { (entity.properties[$0].name, type(of: entity, $0)) }
    let variables = declared.map { "    var \(SwiftNames.identifier($0.0)): \($0.1)\n" }.joined()
    let parameters = declared.map { name, type in
      "\(SwiftNames.identifier(name)): \(type)\(type.hasSuffix("?") ? " = nil" : type.hasPrefix("[") ? " = []" : "")"
    }
    let assignments = declared.map {
      "        self.\(SwiftNames.identifier($0.0)) = \(SwiftNames.identifier($0.0))\n"
    }.joined()
    let equality =
      "    static func == (left: \(entity.name), right: \(entity.name)) -> Bool { left === right }\n"
    return "private final class \(entity.name): Equatable {\n\(variables)\n"
      + "    init(\(parameters.joined(separator: ", "))) {\n\(assignments)    }\n\n\(equality)}"
  }

  private static func type(of entity: Entity, _ index: Int) -> String {
    switch entity.properties[index] {
    case .attribute(let attribute): attribute.type.swiftName + (attribute.isOptional ? "?" : "")
    case .relationship(let relationship):
      relationship.isToMany ? "[\(relationship.destination)]" : "\(relationship.destination)?"
    }
  }

  // MARK: Objects

  /// `Quake(magnitude: 5.5)`
  func object(_ subject: any PredicateSubject) throws -> String {
    try Self.object(subject, root) { name, value in
      "\(SwiftNames.identifier(name)): \(value)"
    } whole: { name, fields in
      "\(name)(\(fields.joined(separator: ", ")))"
    } list: {
      "[\($0.joined(separator: ", "))]"
    }
  }

  /// `["magnitude": 5.5]`, as key-value coding reads it.
  func dictionary(_ subject: any PredicateSubject) throws -> String {
    let text = try Self.object(subject, root) { name, value in
      "\(SwiftLiteral.string(name)): \(value)"
    } whole: { _, fields in
      fields.isEmpty ? "[:] as [String: Any]" : "[\(fields.joined(separator: ", "))] as [String: Any]"
    } list: {
      "[\($0.joined(separator: ", "))] as [Any]"
    }
    // The outermost has its type from the array around.
    return String(text.dropLast(" as [String: Any]".count))
  }

  private static func object(
    _ subject: any PredicateSubject, _ node: Node, field: (String, String) -> String,
    whole: (String, [String]) -> String, list: ([String]) -> String
  ) throws -> String {
    var fields: [String] = []
    for index in node.attributes.union(node.relationships.keys).sorted() {
      let name = node.entity.properties[index].name
      if node.attributes.contains(index) {
        let value = try subject.attribute(at: index)
        if value.isNull { continue }
        guard let initializer = SwiftLiteral.initializer(value) else {
          throw SwiftPrintingError(.unwritableConstant(value.debugText), in: name)
        }
        fields.append(field(name, initializer))
      } else if let next = node.relationships[index] {
        if node.entity.properties[index].relationship?.isToMany == true {
          let members = try subject.toMany(at: index).map {
            try object($0, next, field: field, whole: whole, list: list)
          }
          fields.append(field(name, list(members)))
        } else if let other = try subject.toOne(at: index) {
          fields.append(field(name, try object(other, next, field: field, whole: whole, list: list)))
        }
      }
    }
    return whole(node.entity.name, fields)
  }
}
