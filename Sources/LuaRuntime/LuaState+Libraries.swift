internal import CLuaShim

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
