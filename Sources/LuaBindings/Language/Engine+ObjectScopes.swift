public import LuaRuntime
public import ObjectGraph

// Entering an object, as one enters a folder.
extension Engine {
  /// The object that the session has entered; nil for none.
  public var scopedObject: ManagedObject? { scopes.last?.object }

  /// The name of that object in the prompt: `Quake us1`.
  public var scopeLabel: String? { scopes.last?.label }

  /// The names of that object's properties.
  public var scopedNames: [String] { scopes.last?.names ?? [] }

  /// Makes the properties of an object names of the following chunks, and `self` the object.
  ///
  /// - Returns: false if the value is not an object.
  public func enter(_ value: LuaReference) throws -> Bool {
    let stack = lua.stack
    stack.push(value)
    let object = values.object(at: -1, on: stack)
    stack.pop()
    guard let object else { return false }
    let entity = object.entity
    let names =
      entity.properties.map(\.name) + entity.fetchedProperties.map(\.name)
      + scriptMembers(of: entity, areMethods: false)
    try useScope(ObjectScope(value: value, object: object, names: names, label: ObjectText.name(of: object)))
    return true
  }

  /// Returns to the object entered before, or leaves all with `all`. Returns false if the session has entered none.
  public func leaveObject(all: Bool = false) throws -> Bool {
    guard !scopes.isEmpty else { return false }
    scopes.removeLast(all ? scopes.count : 1)
    try showScope()
    return true
  }

  private func useScope(_ scope: ObjectScope) throws {
    scopes.append(scope)
    try showScope()
  }

  private func showScope() throws {
    if let scope = scopes.last { lua.stack.push(scope.value) } else { lua.stack.pushNil() }
    try locals.scope(scopes.last?.names ?? [], in: lua)
  }
}
