extension Command {
  /// `.read FILE`
  static var read: Command {
    Command(
      name: "read", arguments: "FILE", summary: "run a Lua file in this session",
      parameters: [.file],
      changesThings: true, inSandbox: .refused(because: "scripts have no files in it")
    ) {
      (invocation) throws(CommandFailure) in
      try invocation.context.readScript(try invocation.requiredArgument())
    }
  }
}
