public import LuaRuntime
internal import Modeling
public import ObjectGraph

/// The objects that a person has entered, whose properties are names of the following chunks.
public final class ObjectScopes {
  /// An entered object.
  private struct Scope {
    var value: LuaReference
    var object: ManagedObject
    var names: [String]
    var label: String
  }

  /// The engine, which holds the scopes.
  unowned(unsafe) var engine: Engine!
  /// The entered objects, innermost last.
  private var scopes: [Scope] = []

  /// The object that was entered last and not left; nil for none.
  public var object: ManagedObject? { scopes.last?.object }

  /// The name of that object in the prompt: `Quake us1`.
  public var label: String? { scopes.last?.label }

  /// The names of that object's properties.
  public var names: [String] { scopes.last?.names ?? [] }

  /// Makes the properties of an object names of the following chunks, and `self` the object.
  ///
  /// - Returns: false if the value is not an object.
  /// - Throws: LuaError.
  public func enter(_ value: LuaReference) throws -> Bool {
    let stack = engine.lua.stack
    stack.push(value)
    let object = engine.values.object(at: -1, on: stack)
    stack.pop()
    guard let object else { return false }
    let entity = object.entity
    let names =
      entity.properties.map(\.name) + entity.fetchedProperties.map(\.name)
      + engine.stores.scriptMembers(of: entity, areMethods: false)
    scopes.append(Scope(value: value, object: object, names: names, label: ObjectText.name(of: object)))
    try show()
    return true
  }

  /// Returns to the object entered before, or leaves all with `all`. Returns false if none was entered.
  ///
  /// - Throws: LuaError.
  public func leave(all: Bool = false) throws -> Bool {
    guard !scopes.isEmpty else { return false }
    scopes.removeLast(all ? scopes.count : 1)
    try show()
    return true
  }

  private func show() throws {
    let lua = engine.lua
    if let scope = scopes.last { lua.stack.push(scope.value) } else { lua.stack.pushNil() }
    try engine.locals.scope(names, in: lua)
  }
}
