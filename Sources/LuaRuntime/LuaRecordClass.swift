internal import CLua
internal import CLuaShim

/// Reads a property: pushes its value and returns 1, with self at 1 and the key at 2; or ``LuaStack/raise(_:)``.
public typealias LuaRecordGetter =
  @convention(c) (
    _ thread: OpaquePointer, _ payload: UnsafeMutableRawPointer, _ property: Int32, _ context: UnsafeMutableRawPointer?
  ) -> Int32

/// Assigns a property: the value is at 3, self at 1 and the key at 2; returns 0, or ``LuaStack/raise(_:)``.
public typealias LuaRecordSetter = LuaRecordGetter

/// How the properties of a ``LuaRecordClass`` are read and assigned.
public struct LuaRecordAccess {
  /// Reads a named property.
  public var get: LuaRecordGetter
  /// Assigns a named property.
  public var set: LuaRecordSetter
  /// Answers reading a key that is no name: self is at 1, the key at 2.
  public var missingGet: LuaRawFunction
  /// Answers assigning to a key that is no property: self is at 1, the key at 2, the value at 3.
  public var missingSet: LuaRawFunction
  /// The context that they all get; it must live until ``LuaRecordClass/detach()`` or the end of the state.
  public var context: UnsafeMutableRawPointer?

  /// Access by these functions.
  public init(
    get: LuaRecordGetter, set: LuaRecordSetter, missingGet: LuaRawFunction, missingSet: LuaRawFunction,
    context: UnsafeMutableRawPointer? = nil
  ) {
    self.get = get
    self.set = set
    self.missingGet = missingGet
    self.missingSet = missingSet
    self.context = context
  }
}

/// Userdata of a few plain bytes, for objects that exist by the million.
///
/// A record holds no Swift reference and has no finalizer: only `Payload`, such as a row number. Names of properties are
/// looked up in C, and Swift is asked for a number:
///
/// ```swift
/// let quakes = LuaRecordClass<Int>(state, name: "Quake", access: access) { definition in
///   definition.property("magnitude", id: 0)
///   definition.method("describe") { stack in ... }
/// }
/// quakes.push(row, knownAs: row, in: known, on: stack)  // the same record as long as Lua holds it
/// ```
public final class LuaRecordClass<Payload: BitwiseCopyable> {
  /// The name of the class in messages and for `getmetatable`.
  public let name: String

  private let metatable: LuaReference
  private let names: LuaReference
  /// The address of the metatable, by which its records are known.
  public let metatableAddress: UnsafeRawPointer
  /// Lua's memory, which the metatable keeps.
  private let access: UnsafeMutablePointer<shim_RecordAccess>

  /// Makes the class and its metatable.
  public init(
    _ state: LuaState, name: String, access: LuaRecordAccess, _ define: (LuaRecordDefinition) -> Void = { _ in }
  ) {
    precondition(MemoryLayout<Payload>.size > 0 && MemoryLayout<Payload>.alignment <= 8, "an odd payload")
    let stack = state.stack
    stack.reserve(12)
    self.name = name
    let definition = LuaRecordDefinition(name: name, stack: stack)
    metatableAddress = stack.identity(at: definition.metatable)!
    define(definition)
    names = stack.reference(at: definition.names)
    self.access = shim_set_record_access(
      stack.pointer, definition.metatable,
      shim_RecordAccess(
        get: access.get, set: access.set, missing_get: access.missingGet, missing_set: access.missingSet,
        context: access.context))
    metatable = stack.popReference()
  }

  /// Has records that are left get nil as the context of their access from now on.
  ///
  /// The metatable lives as long as Lua has records, even if the class is gone.
  public func detach() {
    if metatable.isOpen { access.pointee.context = nil }
  }

  /// Pushes a new record.
  @inline(__always)
  public func push(_ payload: Payload, on stack: LuaStack) {
    shim_push_record(stack.pointer, metatable.slot, MemoryLayout<Payload>.size)
      .storeBytes(of: payload, as: Payload.self)
  }

  /// Pushes the record in a slot of `known`, or a new one, which is put there.
  @inline(__always)
  public func push(_ payload: Payload, knownAs slot: Int, in known: LuaWeakArray, on stack: LuaStack) {
    shim_push_known_record(
      stack.pointer, known.table.slot, Int64(slot), metatable.slot, MemoryLayout<Payload>.size)?
      .storeBytes(of: payload, as: Payload.self)
  }

  /// The payload of the record at `index`, or nil if there is something else.
  public func payload(at index: Int32, on stack: LuaStack) -> Payload? {
    shim_record(stack.pointer, index, metatableAddress)?.load(as: Payload.self)
  }

  /// Makes reading `name` give the value on the top, a function usually, which is popped; nil takes the name away.
  ///
  /// An integer would stand for a property: use ``setProperty(_:id:on:)``.
  public func setMember(_ name: String, on stack: LuaStack) {
    stack.push(names)
    stack.insert(at: -2)
    stack.rawSet(field: name, at: -2)
    shim_note_record_names(stack.pointer, access, -1)
    stack.pop()
  }

  /// Makes `name` a property, known to the getter and setter as `id`.
  public func setProperty(_ name: String, id: Int32, on stack: LuaStack) {
    stack.push(Int64(id))
    setMember(name, on: stack)
  }
}

/// The members of a ``LuaRecordClass`` while it is being made.
public struct LuaRecordDefinition {
  let stack: LuaStack
  let metatable: Int32
  let names: Int32

  init(name: String, stack: LuaStack) {
    self.stack = stack
    stack.pushTable(hash: 8)
    metatable = stack.count
    for field in ["__name", "__metatable"] {
      stack.push(name)
      stack.rawSet(field: field, at: metatable)
    }
    stack.pushTable(hash: 16)
    names = stack.count
  }

  /// Adds a property, known to the getter and setter as `id`.
  public func property(_ name: String, id: Int32) {
    stack.push(Int64(id))
    stack.rawSet(field: name, at: names)
  }

  /// Adds a method; self is at 1.
  public func method(_ name: String, _ body: @escaping (LuaStack) throws -> Int32) {
    stack.pushFunction(body)
    stack.rawSet(field: name, at: names)
  }

  /// Adds a method that is a raw function; self is at 1.
  public func method(_ name: String, raw function: LuaRawFunction, context: UnsafeMutableRawPointer? = nil) {
    stack.pushFunction(raw: function, context: context)
    stack.rawSet(field: name, at: names)
  }

  /// Answers an event; the operands are at 1 and 2.
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
}
