internal import LuaRuntime

/// The functions that use a full screen, where the client has one.
struct ScreenFunctions {
  let console: Console
  /// The client's full screens; nil for a client without a terminal.
  let screens: Screens?

  func install() {
    console.engine.define(
      "watch", "watch(results [, { columns =, search = }])",
      "Shows live results, groups, a request, an entity or a plot on a full screen that follows every change.",
      inSandbox: true, example: #"if false then watch(Quake:where "magnitude > 3") end"#
    ) { [unowned console, screens] stack in
      try WatchFunction(console: console, screens: screens?.shown).run(stack)
      return 0
    }
    console.engine.define(
      "browse", "browse(value)",
      "Walks through an entity, a request or a difference on a full screen; _ is the request that one leaves with.",
      inSandbox: true, example: #"if false then browse(Quake:where "magnitude > 3") end"#
    ) { [unowned console, screens] stack in
      try BrowseFunction(console: console, screens: screens?.shown).run(stack)
      return 0
    }
  }

  /// Installs `repl`, which only a client with a prompt has.
  func installPrompt() {
    console.engine.define(
      "repl", "repl([label])",
      "A prompt in the middle of a script, which sees and sets the locals of the function; Ctrl-D goes on.",
      inSandbox: false, example: #"if false then repl() end"#
    ) { [screens] stack in
      guard let screens else {
        throw ArgumentFailure(function: "repl", message: "it needs a terminal")
      }
      return try screens.repl(stack)
    }
  }
}
