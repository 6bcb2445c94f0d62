internal import LuaRuntime

/// The functions that use a full screen, where the client has one.
struct ScreenFunctions {
  private unowned let session: Session

  init(_ session: Session) { self.session = session }

  func install() {
    session.engine.define(
      "watch", "watch(results [, { columns =, search = }])",
      "Shows live results, groups, a request, an entity or a plot on a full screen that follows every change.",
      inSandbox: true, example: #"if false then watch(Quake:where "magnitude > 3") end"#
    ) { [unowned session] stack in
      try WatchFunction(session: session).run(stack)
      return 0
    }
    session.engine.define(
      "browse", "browse(request)",
      "Walks through an entity or a request on a full screen; _ is the request that one leaves with.",
      inSandbox: true, example: #"if false then browse(Quake:where "magnitude > 3") end"#
    ) { [unowned session] stack in
      try BrowseFunction(session: session).run(stack)
      return 0
    }
  }

  /// Installs `repl`, which only a client with a prompt has.
  func installPrompt() {
    session.engine.define(
      "repl", "repl([label])",
      "A prompt in the middle of a script, which sees and sets the locals of the function; Ctrl-D goes on.",
      inSandbox: false, example: #"if false then repl() end"#
    ) { [unowned session] stack in
      guard let screens = session.screens else {
        throw ArgumentFailure(function: "repl", message: "it needs a terminal")
      }
      return try screens.repl(stack)
    }
  }
}
