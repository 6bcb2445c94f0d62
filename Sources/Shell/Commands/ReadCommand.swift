extension Command {
  /// `.read FILE`
  static var read: Command {
    Command(name: "read", arguments: "FILE", summary: "run a Lua file in this session") {
      (invocation) throws(CommandFailure) in
      try invocation.context.readScript(try invocation.requiredArgument())
    }
  }
}
