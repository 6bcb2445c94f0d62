/// What commands may touch: the session, as closures.
struct ShellContext {
  var settings: ShellSettings
  var history: History
  /// Writes lines to standard output.
  var print: (String) -> Void
  /// Runs a Lua file in the session.
  var readScript: (String) throws(CommandFailure) -> Void
  /// Adds a line to what was entered, for the arrow keys and the history.
  var remember: (String) -> Void = { _ in }
  /// Leaves after this command, having asked about unsaved changes.
  var quit: () -> Void
  var style = Style(enabled: false)
  var charset = Charset.utf8
  /// Whether commands that reach past the store and the session are refused.
  var isSandboxed = false
}
