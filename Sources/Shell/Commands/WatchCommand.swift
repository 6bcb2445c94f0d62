extension EngineSession {
  /// `.watch [EXPRESSION]`
  var watchCommand: Command {
    screenCommand("watch", "live results, a request or an entity on a full screen; q leaves")
  }
}
