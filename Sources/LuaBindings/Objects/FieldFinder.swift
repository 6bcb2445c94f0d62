internal import LuaRuntime

/// Finds the keys of tables that are no properties, by a function in Lua.
struct FieldFinder {
  /// A Lua function that takes a list of names and returns a function that finds a key of a table outside the list.
  let make: LuaReference

  /// Compiles the function, before a script can replace what it uses.
  init(_ lua: LuaState) throws {
    let source = """
      local next = next
      return function(names)
        local known = {}
        for i = 1, #names do known[names[i]] = true end
        return function(values)
          for key in next, values do
            if not known[key] then return key end
          end
        end
      end
      """
    try lua.load(source, name: "=fields")
    try lua.stack.call(results: 1)
    make = lua.stack.popReference()
  }
}
