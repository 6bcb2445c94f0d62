public import LuaRuntime
public import ObjectGraph

/// An object whose properties can be typed by their names alone.
struct ObjectScope {
  var value: LuaReference
  var object: ManagedObject
  var names: [String]
  /// What the prompt calls the object.
  var label: String
}

// Being in an object, as in a folder.
extension Engine {
  /// The object that the session is in; nil outside.
  public var scopedObject: ManagedObject? { scopes.last?.object }

  /// What the prompt calls that object: `Quake us1`.
  public var scopeLabel: String? { scopes.last?.label }

  /// The names that stand for properties of that object.
  public var scopedNames: [String] { scopes.last?.names ?? [] }

  /// Makes the properties of an object names of the chunks that follow, and `self` the object.
  ///
  /// - Returns: false if the value is no object.
  public func enter(_ value: LuaReference) throws -> Bool {
    let stack = lua.stack
    stack.push(value)
    let object = object(at: -1, on: stack)
    stack.pop()
    guard let object else { return false }
    let entity = object.entity
    let names =
      entity.properties.map(\.name) + entity.fetchedProperties.map(\.name)
      + scriptMembers(of: entity, areMethods: false)
    try useScope(ObjectScope(value: value, object: object, names: names, label: ObjectText.name(of: object)))
    return true
  }

  /// Goes back to the object before, or outside; `all` goes outside. False if the session is in none.
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
    try session.scope(scopes.last?.names ?? [], on: lua.stack)
  }
}
