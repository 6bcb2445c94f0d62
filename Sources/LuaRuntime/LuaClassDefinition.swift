internal import CLua
internal import CLuaShim

/// The definition of a ``LuaClass``, to which methods and metamethods are added while it is being made.
public final class LuaClassDefinition<Object: AnyObject> {
  private let name: String
  private let stack: LuaStack
  private let metatable: Int32
  private let methods: Int32
  let identity: ClassIdentity
  private var indexFunction: ((LuaStack) throws -> Int32)?

  init(name: String, stack: LuaStack) {
    self.name = name
    self.stack = stack
    stack.pushTable(hash: 8)
    metatable = stack.count
    identity = ClassIdentity(metatable: stack.identity(at: metatable)!)
    shim_own_objects(stack.pointer)
    stack.push(name)
    stack.rawSet(field: "__name", at: metatable)
    stack.push(name)
    stack.rawSet(field: "__metatable", at: metatable)  // scripts see the name, never the table
    stack.pushTable(hash: 8)
    methods = stack.count
  }

  /// Adds a method; its own arguments are at 2, 3, ...
  public func method(_ name: String, _ body: @escaping (Object, LuaStack) throws -> Int32) {
    stack.pushFunction(checkingSelf("calling '\(name)' on bad self", body))
    stack.rawSet(field: name, at: methods)
  }

  /// Adds a value that every object has under `name`; `push` pushes it.
  public func constant(_ name: String, push: (LuaStack) -> Void) {
    push(stack)
    stack.rawSet(field: name, at: methods)
  }

  /// Answers reading a key that is no method; the key is at 2.
  public func index(_ body: @escaping (Object, LuaStack) throws -> Int32) {
    indexFunction = checkingSelf("indexing bad self", body)
  }

  /// Answers assigning to a key; the key is at 2, the value at 3.
  public func newIndex(_ body: @escaping (Object, LuaStack) throws -> Int32) {
    stack.pushFunction(checkingSelf("indexing bad self", body))
    stack.rawSet(field: "__newindex", at: metatable)
  }

  /// Answers `#object`.
  public func length(_ body: @escaping (Object, LuaStack) throws -> Int32) {
    metamethod(.length, checkingSelf("length of bad self", body))
  }

  /// Sets the function that computes the result of `tostring`.
  public func toString(_ body: @escaping (Object) throws -> String) {
    metamethod(
      .toString,
      checkingSelf("describing bad self") { object, stack in
        stack.push(try body(object))
        return 1
      })
  }

  /// Answers calling the object; its arguments are at 2, 3, ...
  public func call(_ body: @escaping (Object, LuaStack) throws -> Int32) {
    metamethod(.call, checkingSelf("calling bad self", body))
  }

  /// Closes the object, when a variable declared with `<close>` goes out of scope.
  public func close(_ body: @escaping (Object) throws -> Void) {
    metamethod(
      .close,
      checkingSelf("closing bad self") { object, _ in
        try body(object)
        return 0
      })
  }

  /// Answers an event; the operands are at 1 and 2, and either may be the object.
  public func metamethod(_ event: LuaMetamethod, _ body: @escaping (LuaStack) throws -> Int32) {
    stack.pushFunction(body)
    stack.rawSet(field: event.rawValue, at: metatable)
  }

  /// Answers an event by a raw function.
  public func metamethod(
    _ event: LuaMetamethod, raw function: LuaRawFunction, context: UnsafeMutableRawPointer? = nil
  ) {
    stack.pushFunction(raw: function, context: context)
    stack.rawSet(field: event.rawValue, at: metatable)
  }

  /// The object at `index`, for metamethods with two operands.
  public func object(at index: Int32, on stack: LuaStack) -> Object? { identity.object(at: index, on: stack) }

  /// Pops the tables and keeps the metatable.
  func finish() -> LuaReference {
    if let indexFunction {
      shim_push_index_function(stack.pointer, Unmanaged.passRetained(FunctionBox(indexFunction)).toOpaque())
    }
    stack.rawSet(field: "__index", at: metatable)  // without a function the table of methods itself
    return stack.popReference()
  }

  private func checkingSelf(
    _ complaint: String, _ body: @escaping (Object, LuaStack) throws -> Int32
  ) -> (LuaStack) throws -> Int32 {
    let identity = identity
    let name = name
    return { stack in
      guard let object: Object = identity.object(at: 1, on: stack) else {
        throw LuaError("\(complaint) (\(name) expected, got \(stack.typeName(at: 1)))")
      }
      return try body(object, stack)
    }
  }
}
