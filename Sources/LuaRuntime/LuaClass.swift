internal import CLua
internal import CLuaShim

/// How Swift objects of one class look in Lua: userdata with methods and metamethods.
///
/// ```swift
/// let counters = try LuaClass<Counter>(state, name: "Counter") { definition in
///   definition.method("increment") { counter, stack in
///     counter.value += 1
///     return 0
///   }
///   definition.length { counter, stack in
///     stack.push(counter.value)
///     return 1
///   }
/// }
/// counters.push(Counter(), on: state.stack)
/// ```
///
/// Lua owns a reference to each object pushed; it is released at a safe point after the userdata was collected.
public final class LuaClass<Object: AnyObject> {
  /// The name of the class in messages and for `getmetatable`.
  public let name: String

  private let metatable: LuaReference
  private let identity: ClassIdentity
  private let knownObjects: LuaReference?
  private let objectBytes: UInt32

  /// Makes the class and its metatable.
  ///
  /// With `keepsIdentity` the same Swift object is the same userdata as long as Lua holds it. `objectBytes` is how much
  /// memory an object takes in Swift: it counts against the state's limit.
  public init(
    _ state: LuaState, name: String, keepsIdentity: Bool = false, objectBytes: Int = 0,
    _ define: (LuaClassDefinition<Object>) throws(LuaError) -> Void
  ) throws(LuaError) {
    let stack = state.stack
    stack.reserve(12)
    self.name = name
    self.objectBytes = UInt32(clamping: objectBytes)
    let definition = LuaClassDefinition<Object>(name: name, stack: stack)
    try define(definition)
    identity = definition.identity
    metatable = definition.finish()
    if keepsIdentity {
      shim_push_weak_table(stack.pointer, 0)
      knownObjects = stack.popReference()
    } else {
      knownObjects = nil
    }
  }

  /// The address of the metatable that the objects of the class have.
  public var metatableAddress: UnsafeRawPointer { identity.metatable }

  /// Pushes `object`; the userdata it is already, if the class keeps identity and Lua still holds it.
  public func push(_ object: Object, on stack: LuaStack) {
    let address = Unmanaged.passUnretained(object).toOpaque()
    if let knownObjects, shim_weak_get_pointer(stack.pointer, knownObjects.slot, address) { return }
    shim_push_object(
      stack.pointer, Unmanaged.passRetained(object as AnyObject).toOpaque(), metatable.slot, objectBytes)
    if let knownObjects { shim_weak_set_pointer(stack.pointer, knownObjects.slot, address) }
  }

  /// The object at `index`, or nil if there is something else.
  public func object(at index: Int32, on stack: LuaStack) -> Object? {
    identity.object(at: index, on: stack)
  }

  /// The object at `index`; throws that an argument of this class was expected.
  public func argument(at index: Int32, on stack: LuaStack) throws(LuaError) -> Object {
    guard let object: Object = identity.object(at: index, on: stack) else {
      throw stack.argumentError(at: index, expected: name)
    }
    return object
  }
}

/// The identity of a class, which marks its userdata: the address of its metatable.
struct ClassIdentity {
  let metatable: UnsafeRawPointer

  func object<Object: AnyObject>(at index: Int32, on stack: LuaStack) -> Object? {
    guard let address = shim_object(stack.pointer, index, metatable) else { return nil }
    return unsafeDowncast(Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue(), to: Object.self)
  }
}
