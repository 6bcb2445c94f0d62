internal import LuaRuntime

extension Engine {
  /// Begins to measure each line of Lua: its time, the queries of stores that are opened later, and their rows.
  public func startProfiling() throws {
    try lua.startProfiling()
    isProfiling = true
    recordsReads = true
  }
}
