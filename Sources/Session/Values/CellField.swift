internal import LuaBindings
package import Modeling
package import ObjectGraph
internal import Queries

internal import struct Foundation.Data

/// The cell of an object as a line of text, and what a line that is typed there means.
///
/// A line is read as an import reads a field of the attribute. The object of a to-one is named as its cell names it, by its
/// unique attribute, or by its key.
///
///     field.text                   // "2024-05-01T00:00:00Z"; "" for nil
///     try field.set("yesterday")   // throws: time: expected date, got "yesterday", which does not read as one
package struct CellField {
  package let object: ManagedObject
  /// The cell as text, which leaves it as it is.
  package let text: String
  private let index: Int
  package var property: Property { object.entity.properties[index] }

  /// Why a cell is not edited, or not to become what was typed.
  package enum Refusal: Error {
    case manyObjects(String)
    case noLine(String)
    case nothingTyped
    case required(String)
    case noObject(String, String)
    case severalObjects(String, String)

    package var sentence: String {
      switch self {
      case .manyObjects(let name): "\(name) leads to many objects"
      case .noLine(let name): "\(name) has line breaks or control characters"
      case .nothingTyped: "nothing is typed"
      case .required(let name): "\(name) is required, and is not emptied"
      case .noObject(let entity, let text): "no \(entity) is named \(text.quotedForLua), nor has it as its key"
      case .severalObjects(let entity, let text):
        "several \(entity) are named \(text.quotedForLua); their keys tell them apart"
      }
    }
  }

  /// Opens the cell of a property.
  ///
  /// - Throws: Refusal; GraphError, such as .notWritable; StoreError.
  package init(_ object: ManagedObject, at index: Int) throws {
    (self.object, self.index) = (object, index)
    let property = object.entity.properties[index]
    if property.relationship?.isToMany == true { throw Refusal.manyObjects(property.name) }
    try object.checkWritable(at: index)
    text = try Self.text(of: object, at: index)
  }

  private static func text(of object: ManagedObject, at index: Int) throws -> String {
    if object.entity.properties[index].relationship != nil {
      return try object.related(at: index).map(ObjectText.title(of:)) ?? ""
    }
    switch try object.attribute(at: index) {
    case .null: return ""
    case .data(let bytes): return Data(bytes).base64EncodedString()
    case let value: return value.displayText
    }
  }

  /// Sets the property to what a line means; the text that stood there changes nothing.
  ///
  /// - Throws: Refusal, ValueError, GraphError, StoreError. Nothing is changed then.
  package func set(_ line: String) throws {
    if line == text { return }
    guard let attribute = property.attribute else { return try setObject(line) }
    let value = try Self.value(line, of: attribute)
    if value.isNull { throw Refusal.nothingTyped }
    try set(value, of: attribute)
  }

  /// Sets an attribute of data to the content of a file.
  ///
  /// - Throws: GraphError, StoreError. Nothing is changed then.
  package func set(file bytes: [UInt8]) throws {
    if let attribute = property.attribute { try set(.data(bytes), of: attribute) }
  }

  private func set(_ value: Value, of attribute: Attribute) throws {
    let violations = attribute.violations(of: value, in: object.entity.name)
    if !violations.isEmpty {
      let (id, label) = (object.objectID, ObjectText.name(of: object))
      throw GraphError(.invalid(violations.map { ObjectViolation(object: id, label: label, violation: $0) }))
    }
    try object.setAttribute(at: index, value)
  }

  /// Makes the property nil.
  ///
  /// - Throws: Refusal, GraphError, StoreError. Nothing is changed then.
  package func empty() throws {
    guard property.attribute?.isOptional ?? property.relationship?.isOptional ?? true else {
      throw Refusal.required(property.name)
    }
    if property.attribute != nil { return try object.setAttribute(at: index, .null) }
    try object.setRelated(at: index, to: nil)
  }

  /// What a line means as a value of an attribute.
  package static func value(_ line: String, of attribute: Attribute) throws -> Value {
    // An empty line of a text is the empty text: only a key of its own makes a cell nil.
    let parser = AttributeTextParser(attribute)
    let field = try Array(line.utf8).withUnsafeBytes { try parser.parse($0, wasQuoted: false).value }
    return field.isNull && attribute.type == .string ? .string("") : field
  }

  private func setObject(_ line: String) throws {
    if line.isEmpty { throw Refusal.nothingTyped }
    try object.setRelated(
      at: index, to: Self.object(named: line, object.entity.destination(at: index), in: object.context))
  }

  /// The object that a line names: by its title, its unique attribute, or its key.
  ///
  /// - Throws: Refusal, StoreError.
  package static func object(
    named line: String, _ entity: Entity, in context: ObjectContext
  ) throws -> ManagedObject {
    for name in [entity.titleAttribute, entity.uniqueAttributeIndex].compactMap(\.self) {
      guard let attribute = entity.properties[name].attribute, let value = try? value(line, of: attribute),
        !value.isNull
      else { continue }
      var request = FetchRequest(entity)
      request.predicate = .comparison(Comparison(.path(PropertyPath([attribute.name])), .equal, .constant(value)))
      request.fetchLimit = 2
      let found = try context.fetch(request)
      if found.count > 1 { throw Refusal.severalObjects(entity.name, line) }
      if found.count == 1 { return try found[0] }
    }
    let key = Int64(line).map(Value.int) ?? .string(line)
    guard let found = try? context.find(entity, key: [key]) else { throw Refusal.noObject(entity.name, line) }
    return found
  }
}
