package import LuaRuntime

/// The functions that need a screen, which a client with one gives.
package struct ScreenFunctions {
  package typealias Body = (LuaStack) throws -> Int32

  package var browse: Body?
  package var watch: Body?
  package var repl: Body?

  package init() {}

  private static let declarations: [String: (signature: String, summary: String, isSafe: Bool, example: String)] = [
    "watch": (
      "watch(results [, { columns =, search = }])",
      "Shows live results, groups, a request, an entity or a plot on a full screen that follows every change.", true,
      #"if false then watch(Quake:where "magnitude > 3") end"#
    ),
    "browse": (
      "browse(request)",
      "Walks through an entity or a request on a full screen; _ is the request that one leaves with.", true,
      #"if false then browse(Quake:where "magnitude > 3") end"#
    ),
    "repl": (
      "repl([label])",
      "A prompt in the middle of a script, which sees and sets the locals of the function; Ctrl-D goes on.", false,
      #"if false then repl() end"#
    ),
  ]

  /// Makes functions globals, by their names.
  static func install(_ names: [String], in session: Session) {
    for name in names {
      guard let declaration = declarations[name] else { continue }
      session.engine.define(
        name, declaration.signature, declaration.summary, inSandbox: declaration.isSafe, example: declaration.example
      ) { [unowned session] stack in
        guard let body = session.screens.body(name) else {
          throw ArgumentFailure(function: name, message: "it needs a terminal")
        }
        return try body(stack)
      }
    }
  }

  private func body(_ name: String) -> Body? {
    switch name {
    case "watch": watch
    case "browse": browse
    default: repl
    }
  }
}
