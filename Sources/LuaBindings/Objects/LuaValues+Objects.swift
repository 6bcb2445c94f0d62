internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

/// A kind of value that holds objects: a result, the members of a relationship, live results.
protocol ObjectList: Bound {
  func objectList() throws -> [ManagedObject]
  func objectIDList() throws -> [ObjectID]
}

// Objects among Lua's values.
extension LuaValues {
  /// The object at `index` and its context; nil for other values.
  func objectAndContext(at index: Int32, on stack: LuaStack) -> (ManagedObject, BoundContext)? {
    guard let objects = objectClass(at: index, on: stack), let object = objects.object(at: index, on: stack) else {
      return nil
    }
    return (object, objects.context)
  }

  /// The object at `index`; nil for other values.
  func object(at index: Int32, on stack: LuaStack) -> ManagedObject? {
    objectClass(at: index, on: stack)?.object(at: index, on: stack)
  }

  func objectID(at index: Int32, on stack: LuaStack) -> ObjectID? { object(at: index, on: stack)?.objectID }

  /// The class of the object at `index`; nil for anything else.
  func objectClass(at index: Int32, on stack: LuaStack) -> ObjectClass? {
    guard stack.type(at: index) == .userdata, stack.pushMetatable(of: index) else { return nil }
    defer { stack.pop() }
    return stack.identity(at: -1).flatMap { objectClasses.objectClass(at: $0) }
  }

  /// The objects of a list or of a value that holds some at `index`; nil for anything else.
  func objects(at index: Int32, on stack: LuaStack, place: String) throws -> [ManagedObject]? {
    if let list = objectList(at: index, on: stack) { return try list.objectList() }
    return try stack.elements(at: index) { element in
      guard let object = object(at: element, on: stack) else {
        throw ScriptError(place, .expected("a list of objects", found: "\(stack.typeName(at: element)) in it"))
      }
      return object
    }
  }

  /// The objects of a value that holds some as arguments of a predicate; nil for anything else.
  func argumentList(at index: Int32, on stack: LuaStack) throws -> [Value]? {
    try objectList(at: index, on: stack)?.objectIDList().map { .object($0) }
  }

  private func objectList(at index: Int32, on stack: LuaStack) -> (any ObjectList)? {
    engine.classes.value(at: index, on: stack) as? any ObjectList
  }
}
