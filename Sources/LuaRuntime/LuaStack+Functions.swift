internal import CLua
internal import CLuaShim

/// A Swift function for Lua without a box: it gets the thread and its context, and returns a count of results or a code of
/// ``LuaStack``. It must not throw; ``LuaStack/raise(_:)`` makes a code of an error.
public typealias LuaRawFunction = @convention(c) (OpaquePointer, UnsafeMutableRawPointer?) -> Int32

extension LuaStack {
  /// Pushes a function for Lua.
  ///
  /// The arguments are at 1, 2, ...; the answer is how many values on the top are results. What it throws is raised in
  /// Lua. Lua owns the closure and releases it when the function is collected.
  public func pushFunction(_ body: @escaping (LuaStack) throws -> Int32) {
    shim_push_closure(pointer, Unmanaged.passRetained(FunctionBox(body)).toOpaque())
  }

  /// Pushes a raw function, the fastest kind.
  ///
  /// The `upvalues` topmost values are popped and kept with it; it finds them at ``upvalue(_:)``. `context` must live as
  /// long as the state.
  public func pushFunction(
    raw function: LuaRawFunction, context: UnsafeMutableRawPointer? = nil, upvalues: Int32 = 0
  ) {
    shim_push_function(pointer, function, context, upvalues)
  }

  /// Pushes a raw function whose context is `object` (as an unretained pointer), which the function keeps alive.
  public func pushFunction(raw function: LuaRawFunction, retaining object: AnyObject, upvalues: Int32 = 0) {
    shim_push_retaining_function(pointer, function, Unmanaged.passRetained(object).toOpaque(), upvalues)
  }

  // MARK: - Yielding

  /// The answer of a function that yields the `count` topmost values; what resume passes becomes its results.
  ///
  /// ```swift
  /// stack.pushFunction { stack in try stack.yield(stack.count) }
  /// ```
  public func yield(_ count: Int32) throws(LuaError) -> Int32 {
    guard shim_prepare_yield(pointer, count, false) else { throw LuaError("attempt to yield from outside a coroutine") }
    return Int32(SHIM_YIELD)
  }

  /// Returns the result of a function that yields the `count` topmost values, and continues with `continuation` when
  /// resumed.
  ///
  /// The continuation finds the values below those yielded, then what resume passed.
  public func yield(_ count: Int32, then continuation: @escaping (LuaStack) throws -> Int32) throws(LuaError) -> Int32 {
    guard shim_prepare_yield(pointer, count, true) else { throw LuaError("attempt to yield from outside a coroutine") }
    shim_push_object(pointer, Unmanaged.passRetained(FunctionBox(continuation)).toOpaque(), 0, 0)
    insert(at: -(count + 1))
    return Int32(SHIM_YIELD)
  }

  // MARK: - Iterators

  /// Pushes the four values that a generic `for` needs: the function `next`, nil, nil, and a value that closes the
  /// iteration.
  ///
  /// `next` pushes the values of a step, the first of them not nil, or returns 0 at the end. `close` is called once:
  /// when the loop ends (by its end, `break`, `return`, an error or an interruption), or when an abandoned coroutine
  /// with the loop in it is collected. Returns 4, the count of results.
  public func pushIterator(next: @escaping (LuaStack) throws -> Int32, close: @escaping () -> Void) throws(LuaError)
    -> Int32
  {
    pushFunction(next)
    pushNil()
    pushNil()
    try pushCloser(close)
    return 4
  }

  /// Pushes a value to be closed (`<close>`, or the fourth of a `for`): calls `close` once, when closed or collected.
  public func pushCloser(_ close: @escaping () -> Void) throws(LuaError) {
    let state = state
    let closers = try state.ownClass(Closer.self) { () throws(LuaError) in
      try LuaClass<Closer>(state, name: "closer") { definition in
        definition.close { closer in closer.finish() }
      }
    }
    closers.push(Closer(close), on: self)
  }
}

/// A Swift closure that Lua owns.
final class FunctionBox {
  let body: (LuaStack) throws -> Int32

  init(_ body: @escaping (LuaStack) throws -> Int32) { self.body = body }

  /// Calls the closure; the one place where what Swift throws becomes a Lua error.
  @inline(__always)
  func call(_ stack: LuaStack) -> Int32 {
    do {
      return try body(stack)
    } catch {
      return stack.raise(error)
    }
  }
}

/// Calls a closure once: when called, or when dropped.
private final class Closer {
  private var close: (() -> Void)?

  init(_ close: @escaping () -> Void) { self.close = close }

  deinit { finish() }

  func finish() {
    guard let close else { return }
    self.close = nil
    close()
  }
}

/// Where Lua enters a Swift closure. The running function holds the box, so that no reference need be counted.
let enterClosure: @convention(c) (OpaquePointer, UnsafeMutableRawPointer?) -> Int32 = { pointer, object in
  Unmanaged<FunctionBox>.fromOpaque(object!)._withUnsafeGuaranteedRef { $0.call(LuaStack(pointer)) }
}

/// Where Lua enters the continuation of a Swift function that yielded; nothing in Lua holds its box any more.
let enterContinuation: @convention(c) (OpaquePointer, UnsafeMutableRawPointer?) -> Int32 = { pointer, object in
  Unmanaged<FunctionBox>.fromOpaque(object!).takeUnretainedValue().call(LuaStack(pointer))
}
