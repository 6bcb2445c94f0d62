internal import CLua
internal import CLuaShim

/// An error in Lua: its kind and text, with the error value itself.
///
/// Lua's errors are values of any type. The value passes through Swift untouched: a `LuaError` thrown out of a Swift
/// function raises the very same value again.
public struct LuaError: Error {
  /// The sort of failure.
  public enum Kind: Equatable, Sendable {
    /// The text is no Lua program. `isIncomplete`: it may become one if more lines follow.
    case syntax(isIncomplete: Bool)
    /// An error was raised, by Lua, a library or the script.
    case runtime
    /// The memory limit was reached.
    case memory
    /// An error in the handling of an error.
    case handler
    /// ``LuaState/interrupt()`` or Ctrl-C.
    case interrupted
    /// The time limit was reached.
    case timedOut
    /// The script called `os.exit`.
    case exit(status: Int32)
  }

  /// The sort of failure.
  public var kind: Kind
  /// The error value as text; what `tostring` says of it if it is no string.
  public var message: String
  /// Lua's traceback, if the error came to the outermost call, or to one that is traced.
  public var traceback: String?
  /// The error value; nil for an error made in Swift.
  public var value: LuaReference?
  /// The Swift error that a Swift function threw, if the error value wraps one.
  public var underlying: (any Error)?

  /// An error made in Swift: thrown from a function it raises `message`, preceded by the position of the caller.
  public init(_ message: String, kind: Kind = .runtime) {
    self.kind = kind
    self.message = message
  }

  /// The error for `status`, whose value is on the top of the stack and is popped.
  init(status: Int32, poppingFrom stack: LuaStack) {
    let state = stack.state
    stack.reserve(10)
    message = stack.errorText(at: -1)
    kind = Kind(status: status, message: message, state: state)
    if kind == .memory { message = state.memoryMessage }
    underlying = stack.swiftError(at: -1)
    if state.callDepth == 0 || state.tracesCalls {
      shim_take_traceback(stack.pointer)
      traceback = stack.repairedString(at: -1)
      stack.pop()
    }
    value = stack.popReference()
  }
}

extension LuaError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}

extension LuaError.Kind {
  init(status: Int32, message: String, state: LuaState) {
    switch (status, state.interruption) {
    case (LUA_ERRSYNTAX, _):
      // A quoted string that is open at the end of its line cannot continue in the next one.
      let isHopeless = message.hasSuffix("unfinished string near <eof>")
      self = .syntax(isIncomplete: message.hasSuffix("<eof>") && !isHopeless)
    case (_, .interrupted?): self = .interrupted
    case (_, .timedOut?): self = .timedOut
    case (_, .exited(let status)?): self = .exit(status: status)
    case (LUA_ERRMEM, _): self = .memory
    case (LUA_ERRERR, _): self = .handler
    default: self = .runtime
    }
  }
}

extension LuaStack {
  /// Returns the error value at `index`, of any type, as text.
  func errorText(at index: Int32) -> String {
    if let text = repairedString(at: index) { return text }
    guard shim_display(pointer, index) == LUA_OK else {
      pop()
      return "(error object is a \(typeName(at: index)) value)"
    }
    defer { pop() }
    return repairedString(at: -1) ?? ""
  }
}
