public import LuaRuntime
internal import Modeling

// Running chunks and scripts.
extension Engine {
  /// Runs a line or block of a session and returns its values.
  ///
  /// An expression is also a chunk. Later chunks can use the top-level locals.
  ///
  /// - Throws: LuaError.
  public func evaluate(_ chunk: String, name: String = "=stdin") throws -> [LuaReference] {
    // A turn begins with the changes of other programs since the last one.
    stores.noticeRemoteWrites()
    let stack = lua.stack
    let top = stack.count
    try load(chunk, name)
    defer { stores.closeUndoGroups() }
    do {
      try asking { try stack.call(arguments: 0, results: LuaStack.allResults) }
    } catch {
      stack.setCount(top)
      throw error
    }
    var results: [LuaReference] = []
    while stack.count > top { results.append(stack.popReference()) }
    return results.reversed()
  }

  /// Whether a chunk has had a value, which is in `_`.
  public var hasRemembered: Bool { rememberedCount > 0 }

  /// Assigns the first of a chunk's values to `_`, and to the next of `_1`, `_2`, ...
  public func remember(_ values: [LuaReference]) {
    guard let last = values.first else { return }
    rememberedCount += 1
    for name in ["_", "_\(rememberedCount)"] {
      lua.stack.push(last)
      lua.setGlobal(name)
    }
  }

  /// Makes `_` nil.
  public func forgetLast() {
    lua.stack.pushNil()
    lua.setGlobal("_")
  }

  /// Runs `body`; its long work asks this engine whether to stop.
  public func asking<Result>(_ body: () throws -> Result) rethrows -> Result {
    let isInterrupted = { [lua, unowned self] in
      host.onWait?()
      return lua.isClosed || lua.isInterrupted
    }
    return try Interruption.asking(isInterrupted, body)
  }

  /// Makes Ctrl-C stop what runs, unless the program has a handler of its own, until the Lua state uninstalls the handler.
  public func catchInterrupts() { if host.catchesInterrupts { lua.installSignalHandler() } }

  /// Stops running code. May be called from any thread.
  public func interrupt() { lua.interrupt() }
}
