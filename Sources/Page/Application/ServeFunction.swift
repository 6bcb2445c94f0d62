package import LuaRuntime
package import Session

/// `serve(function(page) ... end [, { port = }])`: a script as an application in the browser.
package enum ServeFunction {
  /// Makes it a global; `show` shows the page of a function at a port, or at any that is free.
  package static func install(in session: Session, show: @escaping (LuaReference, UInt16) throws -> Void) {
    session.engine.define(
      "serve", "serve(function(page) ... end [, { port = }])",
      "Shows a page in the browser that a function makes, and makes again when objects or states that it reads change.",
      example: "if false then serve(function(page) page:Table(Quake) end) end"
    ) { [unowned session] stack in
      let named = try NamedArguments("serve", at: 2, on: stack, allowed: ["port"])
      guard stack.count > 0, stack.type(at: 1) == .function else { throw noFunction(on: stack) }
      let number = try named.number("port") ?? 0
      guard let port = UInt16(exactly: number) else {
        throw ArgumentFailure(function: "serve", message: "port: expected a number from 1 to 65535")
      }
      guard session.engine.store != nil else { throw ArgumentFailure(function: "serve", message: "no store is open") }
      try session.engine.loop.checkCanWait("serve")
      try show(stack.reference(at: 1), port)
      return 0
    }
  }
  static func noFunction(on stack: LuaStack) -> ArgumentFailure {
    ArgumentFailure(
      function: "serve",
      message: "expected a function that makes a page, got \(stack.count > 0 ? stack.typeName(at: 1) : "nothing")")
  }
}
