internal import CLua

extension LuaStack {
  /// Returns the source line of the Lua function at `index`: `report.lua:12`; nil for any other value.
  public func definition(at index: Int32) -> String? {
    guard type(at: index) == .function else { return nil }
    var activation = lua_Debug()
    pushCopy(of: index)
    guard lua_getinfo(pointer, ">S", &activation) != 0, activation.linedefined >= 0 else { return nil }
    let source = withUnsafeBytes(of: activation.short_src) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return "\(source):\(activation.linedefined)"
  }
}
