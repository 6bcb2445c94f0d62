public import LuaRuntime
public import Modeling
public import ObjectGraph
public import Queries
public import Stores
internal import SwiftPrinting

// The engine's questions for programs, without Lua code.
extension Engine {
  /// Whether a path is the address of a database on a server.
  public static func isServer(_ path: String) -> Bool { StoreOpening.of(path).isAddress }

  /// Examines the store at a path or an address; stops when `isInterrupted` returns true.
  public static func examine(_ path: String, isInterrupted: @escaping () -> Bool) -> StoreDiagnosis {
    StoreOpening.of(path).examine(path, isInterrupted)
  }

  /// The names of the Swift forms in which predicates and requests are printed.
  public static var swiftForms: [String] { SwiftForm.allCases.map(\.rawValue) }

  /// Returns a request of the main context as a Lua value.
  ///
  /// - Throws: PredicateError for names that the model does not have.
  public func reference(to request: FetchRequest) throws -> LuaReference? {
    guard let mainStore = globals.store else { return nil }
    classes.push(try BoundRequest(checking: request, mainStore.mainContext), on: lua.stack)
    return lua.stack.popReference()
  }

  /// Returns an entity of the main context as a Lua value.
  public func reference(to entity: Entity) -> LuaReference? {
    guard let mainStore = globals.store else { return nil }
    classes.push(mainStore.mainContext.entity(entity), on: lua.stack)
    return lua.stack.popReference()
  }

  /// Returns an object of the main context as a Lua value.
  public func reference(to object: ManagedObject) throws -> LuaReference? {
    guard let mainStore = globals.store, object.context === mainStore.mainContext.objectContext else { return nil }
    try mainStore.mainContext.push(object, on: lua.stack)
    return lua.stack.popReference()
  }

  /// Pushes the result of a function for an object of any context.
  ///
  /// - Throws: LuaError.
  public func push(answerOf function: LuaReference, for object: ManagedObject) throws {
    let stack = lua.stack
    stack.reserve(6)
    stack.push(function)
    guard let context = stores.contexts.first(where: { $0.objectContext === object.context }) else {
      throw ScriptError(object.entity.name, .closed("store"))
    }
    try context.push(object, on: stack)
    try stack.call(arguments: 1, results: 1)
  }

  /// Returns a predicate as a Lua value.
  public func reference(to predicate: Predicate) -> LuaReference {
    classes.push(BoundPredicate(predicate), on: lua.stack)
    return lua.stack.popReference()
  }

  /// Returns a text as a Lua value.
  public func reference(to text: String) -> LuaReference {
    lua.stack.push(text)
    return lua.stack.popReference()
  }

  /// Returns the result of a method of a value, or nil if there is no such method.
  ///
  ///     try engine.call("explain", of: "Request", on: request)
  ///
  /// - Throws: LuaError.
  public func call(
    _ method: String, of owner: String, on value: LuaReference, _ arguments: [LuaReference] = []
  ) throws -> LuaReference? {
    guard catalog.members(of: owner).contains(where: { $0.kind == .method && $0.name == method }) else { return nil }
    let stack = lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    stack.reserve(Int32(clamping: arguments.count) + 6)
    stack.push(value)
    try stack.get(field: method, at: -1)
    stack.insert(at: -2)
    for argument in arguments { stack.push(argument) }
    try stack.call(arguments: Int32(clamping: arguments.count) + 1, results: 1)
    return stack.popReference()
  }

  /// The result of a script's function for an object, as a value that identifies a group or section: integral numbers
  /// become integers.
  func answer(of function: LuaReference, for object: ManagedObject, named name: String) throws -> Value {
    let stack = lua.stack
    stack.reserve(6)
    let top = stack.count
    defer { stack.setCount(top) }
    try push(answerOf: function, for: object)
    guard let value = try values.value(at: -1, on: stack, place: name) else {
      throw ScriptError(name, .other("it is to answer a value, and answered a \(stack.typeName(at: -1))"))
    }
    if case .double(let number) = value, let whole = Int64(exactly: number) { return .int(whole) }
    return value
  }

  /// The columns that a script has given to the live results at `index`; nil for anything else.
  public func shownColumns(at index: Int32, on stack: LuaStack) -> LuaReference? {
    guard stack.type(at: index) == .userdata else { return nil }
    return classes.object(BoundFetchedResults.self, at: index, on: stack)?.shownColumns
  }
}
