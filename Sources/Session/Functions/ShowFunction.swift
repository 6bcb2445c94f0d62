internal import LuaBindings

/// `show(value [, { mode = , columns = , limit = , maxWidth = , table = , folded = }])`
struct ShowFunction {
  let console: Console

  func install() {
    console.engine.define(
      "show", "show(value [, { mode = , columns = , limit = , maxWidth = , table = , folded = }])",
      "Shows a value as the prompt does: requests, results and lists of objects as tables, sections under headings.",
      inSandbox: true, example: #"show(Quake:all(), { mode = "csv", columns = { "code", "magnitude" } })"#
    ) { [unowned console] stack in
      let named = try NamedArguments(
        "show", at: 2, on: stack, allowed: ["mode", "columns", "limit", "maxWidth", "table", "folded"])
      guard stack.count > 0 else { throw ArgumentFailure(function: "show", message: "a value is missing") }
      var options = ShowOptions()
      options.mode = try named.mode("mode")
      options.columns = try named.columns("columns", console.engine)
      options.limit = try named.count("limit")
      options.maximumWidth = try named.count("maxWidth").map { max($0, 1) }
      options.tableName = try named.string("table")
      options.isFolded = try named.flag("folded") ?? false
      try console.show(at: 1, on: stack, options)
      return 0
    }
  }
}
