internal import CLua
internal import CLuaShim
internal import Glibc

/// A Lua interpreter with a memory limit, interruption and Swift functions.
///
/// ```swift
/// let state = try LuaState(memoryLimit: 64 << 20)
/// try state.openStandardLibraries(sandboxed: true)
/// try state.load("return 6 * 7", name: "=example")
/// try state.stack.call(results: 1)
/// state.stack.integer(at: -1)  // 42
/// ```
///
/// All of it belongs to one thread; only ``interrupt()`` may be called from another. Close it when done: Swift closures
/// that Lua owns often hold the state, and that circle is broken by ``close()`` alone.
public final class LuaState {
  let handle = StateHandle()

  /// Pushes the Lua value that a Swift error becomes when a function throws it; it pushes exactly one value.
  ///
  /// At first that is a string: the position of the calling Lua code and the error's description. A ``LuaError`` is
  /// not asked about: it raises its own value again.
  public var errorConverter: (any Error, LuaStack) -> Void = LuaState.pushDescription

  /// Called with each warning of a script that has called `warn "@on"`; by default it writes to standard error.
  ///
  /// It must not call Lua.
  public var onWarning: (String) -> Void = { text in
    let line = Array("warning: \(text)\n".utf8)
    _ = write(2, line, line.count)
  }

  /// The pieces of a warning that has not ended.
  private var warning: [UInt8] = []

  /// The last Swift error and the text that it became, to recognize the error when it comes back as a plain string.
  var lastThrown: (text: String, error: any Error)?

  private var ownClasses: [ObjectIdentifier: AnyObject] = [:]

  /// A state without libraries that may use `memoryLimit` bytes.
  public convenience init(memoryLimit: Int) throws(LuaError) {
    try self.init(memoryLimit: memoryLimit, failingAllocation: 0)
  }

  /// As ``init(memoryLimit:)``, with the allocation that ``failAllocation(_:)`` would make fail.
  init(memoryLimit: Int, failingAllocation: UInt64) throws(LuaError) {
    let callbacks = shim_Callbacks(
      call_object: enterClosure, continue_object: enterContinuation, release_objects: releaseObjects,
      warn: passWarning)
    let owner = Unmanaged.passUnretained(self).toOpaque()
    handle.shim = shim_open(memoryLimit, owner, callbacks, failingAllocation)
    if handle.shim == nil { throw LuaError("not enough memory", kind: .memory) }
  }

  deinit { close() }

  /// Ends the state: closes what is pending, and releases every Swift object and closure that Lua owns.
  ///
  /// A second call does nothing. Code that the state runs must not call it.
  public func close() {
    guard let shim = handle.shim else { return }
    precondition(callDepth == 0, "a state cannot be closed by what it runs")
    shim_close(shim)
    handle.shim = nil  // code that objects run while they are released finds no state
    lastThrown = nil
    errorConverter = Self.pushDescription  // it may hold the state
    onWarning = { _ in }  // as may this
    ownClasses = [:]
    while let object = shim_take_released(shim) { Unmanaged<AnyObject>.fromOpaque(object).release() }
    shim_free(shim)
  }

  /// The stack of the running thread: the main thread's, unless a coroutine runs.
  public var stack: LuaStack { LuaStack(shim_current_thread(shim)) }

  /// Whether ``close()`` has been called.
  public var isClosed: Bool { handle.shim == nil }

  /// How many calls into Lua are under way, one inside the other.
  public var callDepth: Int { Int(shim_call_depth(shim)) }

  /// Runs `body`, whose calls into Lua keep the tracebacks of their errors although they are made within others.
  ///
  /// For callbacks, whose callers do not report where they failed.
  public func tracingCalls<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = tracesCalls
    shim_set_traces_calls(shim, true)
    defer {
      if let shim = handle.shim { shim_set_traces_calls(shim, before) }
    }
    return try body()
  }

  fileprivate func takeWarning(_ piece: UnsafePointer<CChar>, isLast: Bool) {
    warning += UnsafeBufferPointer(start: piece, count: strlen(piece)).map { UInt8(bitPattern: $0) }
    guard isLast else { return }
    let text = String(decoding: warning, as: UTF8.self)
    warning = []
    onWarning(text)
  }

  var tracesCalls: Bool { shim_traces_calls(shim) }

  /// The shim's side of the state.
  var shim: OpaquePointer {
    guard let shim = handle.shim else { preconditionFailure("this state has been closed") }
    return shim
  }

  // MARK: - Chunks

  /// Compiles a program and pushes it as a function; text only, never bytecode.
  ///
  /// `name` is what messages call it: `=stdin` as it stands, `@report.lua` as a file, anything else as a line of code.
  /// With `isFile` a first line that begins with `#` is skipped, so that a script can name its interpreter.
  public func load(_ source: String, name: String, isFile: Bool = false) throws(LuaError) {
    try load(Array(source.utf8), name: name, isFile: isFile)
  }

  /// Compiles a program and pushes it as a function; text only, never bytecode.
  public func load(_ source: [UInt8], name: String, isFile: Bool = false) throws(LuaError) {
    let stack = stack
    let hasComment = isFile && source.first == UInt8(ascii: "#")
    // The end of the line stays, for the numbers of the others.
    let start = hasComment ? source.firstIndex(of: UInt8(ascii: "\n")) ?? source.count : 0
    let status = source[start...].withUnsafeBytes { bytes in
      shim_load(stack.pointer, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, name)
    }
    try stack.check(status)
  }

  // MARK: - Globals

  /// Pushes a global variable, without metamethods.
  @discardableResult
  public func pushGlobal(_ name: String) -> LuaType { stack.pushGlobal(name) }

  /// Pops the top value into a global variable, without metamethods.
  public func setGlobal(_ name: String) { stack.setGlobal(name) }

  /// Makes a Swift function a global variable.
  public func setGlobal(_ name: String, function: @escaping (LuaStack) throws -> Int32) {
    stack.pushFunction(function)
    stack.setGlobal(name)
  }

  // MARK: - The runtime's own

  private static func pushDescription(of error: any Error, on stack: LuaStack) {
    stack.push(stack.position(level: 1) + "\(error)")
  }

  /// The class for `Object` that the runtime keeps for itself, made by `make` at first.
  func ownClass<Object: AnyObject>(_ type: Object.Type, make: () throws(LuaError) -> LuaClass<Object>)
    throws(LuaError) -> LuaClass<Object>
  {
    let key = ObjectIdentifier(type)
    if let known = ownClasses[key] as? LuaClass<Object> { return known }
    let made = try make()
    ownClasses[key] = made
    return made
  }
}

/// A handle that references hold instead of the state: the shim's pointer, or nil after closing.
final class StateHandle {
  var shim: OpaquePointer?
}

/// Called by the shim when it is safe to release objects whose userdata was collected.
private let passWarning: @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>, Bool) -> Void = {
  owner, piece, isLast in
  Unmanaged<LuaState>.fromOpaque(owner).takeUnretainedValue().takeWarning(piece, isLast: isLast)
}

private let releaseObjects: @convention(c) (UnsafeMutableRawPointer) -> Void = { owner in
  Unmanaged<LuaState>.fromOpaque(owner).takeUnretainedValue().releaseCollectedObjects()
}

extension LuaState {
  /// Opens the standard libraries, with functions of our own where the stock ones cannot be interrupted.
  ///
  /// Sandboxed, a script gets no files (`io` is `io.read` and `io.write`), no processes and environment (`os` is `time`,
  /// `clock`, `date` and `exit`), no modules, no bytecode and no `debug`.
  ///
  /// In both cases `setmetatable` refuses `__gc` (use `<close>`), and `os.exit` ends the script with an error of kind
  /// ``LuaError/Kind/exit(status:)`` which nothing in Lua catches: leaving the process is up to the caller.
  public func openStandardLibraries(sandboxed: Bool) throws(LuaError) {
    try stack.check(shim_open_libraries(stack.pointer, sandboxed))
  }
}
