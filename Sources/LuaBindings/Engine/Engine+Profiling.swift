internal import LuaRuntime

extension Engine {
  /// Measures each line of Lua from now on: its time, the queries of stores that are opened later, and what they read.
  public func startProfiling() throws {
    try lua.startProfiling()
    isProfiling = true
    recordsReads = true
  }
}
