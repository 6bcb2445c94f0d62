internal import CLua
internal import CLuaShim
internal import Glibc

extension LuaState {
  /// Sets `package.path` and `package.cpath` so that modules are found where LuaRocks puts them.
  ///
  /// As with `lua` itself, `LUA_PATH_5_4` or else `LUA_PATH` (`LUA_CPATH_5_4`, `LUA_CPATH`) say where, with the default
  /// list in the place of `;;`. The default list is Lua's own and the tree in the user's home. Without `package`, in the
  /// sandbox, there is nothing to set.
  public func setModulePaths(environment: (String) -> String? = LuaState.environmentVariable) {
    let rocks = environment("HOME").map { $0 + "/.luarocks" }
    let paths = [
      (
        "path", "LUA_PATH", String(cString: shim_default_path()), ["/share/lua/5.4/?.lua", "/share/lua/5.4/?/init.lua"]
      ),
      ("cpath", "LUA_CPATH", String(cString: shim_default_cpath()), ["/lib/lua/5.4/?.so"]),
    ]
    let stack = stack
    defer { stack.pop() }
    guard stack.pushGlobal("package") == .table else { return }
    for (field, variable, ownDefault, inTree) in paths {
      var list = ownDefault
      if let rocks { for place in inTree { list += ";" + rocks + place } }
      stack.push(searchPath(environment(variable + "_5_4") ?? environment(variable), default: list))
      stack.rawSet(field: field, at: -2)
    }
  }

  /// Sets the global `arg`: the script at 0, its arguments from 1.
  public func setArguments(script: String?, _ arguments: [String]) {
    let stack = stack
    stack.pushTable(array: Int32(clamping: arguments.count), hash: 1)
    for (index, text) in ([script] + arguments).enumerated() {
      guard let text else { continue }
      stack.push(text)
      stack.rawSet(element: Int64(index), at: -2)
    }
    stack.setGlobal("arg")
  }

  /// A variable of the process's environment.
  public static func environmentVariable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// A path from the environment with the default list in the place of `;;`.
  private func searchPath(_ given: String?, default list: String) -> String {
    guard let given else { return list }
    guard given.contains(";;") else { return given }
    let parts = given.split(separator: ";", omittingEmptySubsequences: true).joined(separator: ";")
    guard !parts.isEmpty else { return list }
    if given.hasPrefix(";;") { return list + ";" + parts }
    if given.hasSuffix(";;") { return parts + ";" + list }
    return given.replacing(";;", with: ";" + list + ";")
  }
}
