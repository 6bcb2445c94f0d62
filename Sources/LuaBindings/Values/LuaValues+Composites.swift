internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

// Values of composite attributes: a table with a field for each element, in the form of an attribute of its type.
extension LuaValues {
  /// Pushes a composite's value as a new table, without elements that are nil or no longer declared.
  func push(_ value: Value, of composite: Attribute, on stack: LuaStack) {
    guard case .json(.object(let members)) = value, !composite.elements.isEmpty else { return push(value, on: stack) }
    stack.reserve(4)
    stack.pushTable(hash: Int32(clamping: members.count))
    for (name, member) in members where member != .null {
      guard let element = composite.elements.first(where: { $0.name == name }) else { continue }
      push(element.elementValue(member), of: element, on: stack)
      stack.rawSet(field: name, at: -2)
    }
  }

  /// The composite in the table at `index`, with every element checked as an attribute of its own.
  ///
  /// - Throws: GraphError that names the element: `Quake.place.zip`.
  func composite(_ attribute: Attribute, of entity: String, at index: Int32, on stack: LuaStack) throws -> JSON {
    func wrong(_ error: ValueError) -> GraphError {
      GraphError(.wrongValue(error, entity: entity, property: error.property))
    }
    let place = "\(entity).\(attribute.name)"
    guard stack.type(at: index) == .table else {
      throw ScriptError(place, .expected("a table of elements", found: stack.typeName(at: index)))
    }
    var members: [String: JSON] = [:]
    stack.reserve(8)
    try stack.forEachPair(at: index) { stack in
      guard stack.type(at: -2) == .string, let name = stack.string(at: -2) else {
        throw ScriptError(place, .expected("elements by name", found: "a field of type \(stack.typeName(at: -2))"))
      }
      guard var element = attribute.elements.first(where: { $0.name == name }) else {
        let names = attribute.elements.map(\.name)
        throw wrong(ValueError(property: attribute.name, .unknownElement(name, nearest: nearest(name, names))))
      }
      element.name = "\(attribute.name).\(name)"
      if element.type == .composite, !element.elements.isEmpty, stack.type(at: -1) == .table {
        members[name] = try composite(element, of: entity, at: stack.count, on: stack)
        return
      }
      guard let value = try value(at: stack.count, on: stack, place: "\(entity).\(element.name)") else {
        throw ScriptError(
          "\(entity).\(element.name)", .expected(element.type.rawValue, found: stack.typeName(at: -1)))
      }
      do throws(ValueError) {
        guard let json = element.elementJSON(of: try element.coerce(value)) else {
          throw ValueError(property: element.name, .notJSON(value: value.shortText))
        }
        if json != .null { members[name] = json }
      } catch {
        throw wrong(error)
      }
    }
    return .object(members)
  }
}
