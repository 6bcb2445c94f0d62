extension Command {
  /// `.quit`
  static var quit: Command {
    Command(name: "quit", arguments: "", summary: "leave (also Ctrl-D, exit, quit)", inSandbox: .allowed) {
      (invocation) throws(CommandFailure) in
      guard invocation.arguments.isEmpty else { throw .usage(invocation.command.usage) }
      invocation.context.quit()
    }
  }
}
