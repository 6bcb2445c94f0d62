package import LuaBindings
internal import LuaRuntime

/// The parameters of a run, `--param name=value`, which scripts read as `params.name`.
///
/// A value that is written as Lua prints a number is that number, `true` and `false` are booleans, and all else is text: a postal
/// code such as 01067 stays what it is.
package struct ScriptParameters {
  private let unread: LuaReference

  /// Makes the global `params`.
  package init(_ parameters: [(name: String, value: String)], of engine: Engine) throws {
    let stack = engine.lua.stack
    try engine.lua.load(Self.source, name: "=params")
    stack.reserve(4)
    stack.pushTable(hash: Int32(clamping: parameters.count))
    for (name, value) in parameters {
      Self.push(value, on: stack)
      stack.rawSet(field: name, at: -2)
    }
    try stack.call(arguments: 1, results: 1)
    unread = stack.popReference()
  }

  /// The names that no script has read, in order.
  func unreadNames(of engine: Engine) -> [String] {
    let stack = engine.lua.stack
    stack.reserve(4)
    stack.push(unread)
    guard (try? stack.call(arguments: 0, results: 1)) != nil else { return [] }
    defer { stack.pop() }
    return (stack.string(at: -1) ?? "").split(separator: "\n").map(String.init)
  }

  private static func push(_ text: String, on stack: LuaStack) {
    if let whole = Int64(text), String(whole) == text { return stack.push(whole) }
    if text.contains("."), let number = Double(text), number.isFinite, "\(number)" == text { return stack.push(number) }
    switch text {
    case "true": stack.push(true)
    case "false": stack.push(false)
    default: stack.push(text)
    }
  }

  private static let source = #"""
    local values = ...
    local read = {}
    local function names()
      local list = {}
      for name in pairs(values) do list[#list + 1] = name end
      table.sort(list)
      return list
    end
    params = setmetatable({}, {
      __index = function(_, name)
        read[name] = true
        if values[name] ~= nil then return values[name] end
        local given = #names() > 0 and "; given are " .. table.concat(names(), ", ") or ""
        error(string.format("there is no parameter '%s': run with --param %s=VALUE%s", name, name, given), 2)
      end,
      __newindex = function(_, name)
        error(string.format("params.%s cannot be set; parameters are what --param gives", name), 2)
      end,
      __call = function(_, name, default)
        read[name] = true
        if values[name] == nil then return default end
        return values[name]
      end,
      __pairs = function()
        for name in pairs(values) do read[name] = true end
        return pairs(values)
      end,
    })
    return function()
      local list = {}
      for _, name in ipairs(names()) do if not read[name] then list[#list + 1] = name end end
      return table.concat(list, "\n")
    end
    """#
}
