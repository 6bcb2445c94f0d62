package import Presentation

/// The session as commands see it, given as closures.
package struct ShellContext {
  package var settings: ShellSettings
  /// Writes lines to standard output.
  package var print: (String) -> Void
  /// Runs a Lua file in the session.
  var readScript: (String) throws(CommandFailure) -> Void
  /// Adds a line to the history.
  package var remember: (String) -> Void = { _ in }
  /// Shows what a command prints in the pager, if it is longer than the window.
  package var paging: (() -> Void) -> Void = { $0() }
  /// Ends the session after this command, after asking about unsaved changes.
  package var quit: () -> Void = {}
  /// Breaks lines that are wider than the window between words.
  var wrapped: (String) -> String = { $0 }
  package var style = Style(enabled: false)
  package var charset = Charset.utf8
  /// Whether commands that reach past the store and the session are refused.
  var isSandboxed = false
}

extension ShellContext {
  /// The surroundings of a loop whose commands run elsewhere.
  package init(print: @escaping (String) -> Void) {
    self.init(
      settings: ShellSettings(mode: nil), print: print,
      readScript: { (path) throws(CommandFailure) in throw .failed(status: ExitStatus.failed) })
  }
}
