internal import LuaRuntime
internal import Modeling

/// A declared entity without its name: `Entity { code = String, ... }`.
final class EntityDraft: Bound {
  static let luaName = "EntityDeclaration"
  var place: String { "Entity" }

  /// The entity, with an empty name.
  private(set) var description = EntityDescription("")

  static let options: [(name: String, summary: String)] = [
    ("order", "The names of the properties in their order; the rest follows alphabetically."),
    ("parent", "The name of the entity whose properties it inherits."),
    ("abstract", "true if it has no objects of its own."),
    ("unique", "Lists of properties whose values together are unique."),
    (
      "indexes",
      "Lists of properties to search or sort by together; also name, predicate, descending, rTree."
    ),
    ("className", "The class of its objects in an app, if its name is not the entity's."),
    ("versionHashModifier", "A mark that distinguishes versions with the same storage."),
    ("renamingIdentifier", "The name in the earlier model."), ("userInfo", "A table of texts for programs."),
  ]

  static var entries: [CatalogEntry] {
    options.map { option in
      CatalogEntry(
        kind: .option, owner: "Entity", name: option.name, signature: "_ = { \(option.name) = ... }",
        summary: option.summary,
        example: #"Model { City = Entity { name = String { indexed = true }, _ = { indexes = { { "name" } } } } }"#)
    }
  }

  func summary() -> String { "entity of \(ErrorReport.count(description.properties.count, "property"))" }

  /// Reads `Entity { ... }`.
  init(_ call: Call) throws {
    guard call.type(1) == .table else { throw call.expected("a table of properties", 1) }
    try call.refuseMore(than: 1)
    let stack = call.stack
    var properties: [String: Property] = [:]
    var fetched: [FetchedProperty] = []
    try stack.forEachPair(at: call.index(1)) { stack in
      guard stack.type(at: -2) == .string, let name = stack.string(at: -2) else {
        throw call.fail("expected properties by name, got a field of type \(stack.typeName(at: -2))")
      }
      if let draft = call.engine.classes.object(FetchedPropertyDraft.self, at: stack.count, on: stack) {
        var property = draft.property
        property.name = name
        fetched.append(property)
      } else if name != "_" {
        properties[name] = try Self.property(name, at: stack.count, call)
      }
    }
    stack.rawGet(field: "_", at: call.index(1))
    defer { stack.pop() }
    var order: [String] = []
    if !stack.isNil(at: -1) {
      order = try readOptions(call, at: stack.count, names: properties.keys + fetched.map(\.name))
    }
    let rest = Set(properties.keys).subtracting(order).sorted()
    description.properties = (order + rest).compactMap { properties[$0] }
    let places = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    description.fetchedProperties = fetched.sorted {
      (places[$0.name] ?? .max, $0.name) < (places[$1.name] ?? .max, $1.name)
    }
  }

  private static func property(_ name: String, at index: Int32, _ call: Call) throws -> Property {
    if let draft = AttributeDraft.draft(at: index, on: call.stack, call.engine.classes) {
      var attribute = draft.attribute
      attribute.name = name
      return .attribute(attribute)
    }
    if let draft = call.engine.classes.object(RelationshipDraft.self, at: index, on: call.stack) {
      var relationship = draft.relationship
      relationship.name = name
      return .relationship(relationship)
    }
    throw ScriptError(
      "Entity: \(name)",
      .expected("an attribute type, ToOne, ToMany or FetchedProperty", found: call.stack.typeName(at: index)))
  }

  /// Reads the table under `_`; returns the order of the properties.
  private func readOptions(_ call: Call, at index: Int32, names: [String]) throws -> [String] {
    guard call.stack.type(at: index) == .table else {
      throw ScriptError("Entity: _", .expected("a table of options", found: call.stack.typeName(at: index)))
    }
    let options = try Options(call: call, index: index, allowed: Self.options.map(\.name))
    description.parent = try options.string("parent")
    description.isAbstract = try options.bool("abstract") ?? false
    description.uniquenessConstraints = try Self.lists("unique", options)
    description.indexes = try options.indexes("indexes")
    description.className = try options.string("className")
    description.versionHashModifier = try options.string("versionHashModifier")
    description.renamingIdentifier = try options.string("renamingIdentifier")
    description.userInfo = try options.texts("userInfo")
    let order = try options.strings("order") ?? []
    for name in order where !names.contains(name) {
      throw ScriptError("Entity: order", .unknownMember(name, of: "the entity", nearest: nearest(name, names)))
    }
    return order
  }

  private static func lists(_ name: String, _ options: Options) throws -> [[String]] {
    let call = options.call
    let lists = try options.with(name) { index in
      try call.stack.elements(at: index) { element in
        guard let list = try call.stack.elements(at: element, { call.stack.string(at: $0) ?? "" }), !list.contains("")
        else {
          throw options.expected("a list of lists of names", name, element)
        }
        return list
      } ?? { throw options.expected("a list of lists of names", name, index) }()
    }
    return lists ?? []
  }
}
