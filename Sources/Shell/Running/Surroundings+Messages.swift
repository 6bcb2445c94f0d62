extension Surroundings {
  /// How messages are laid out on standard error.
  var diagnosticText: DiagnosticText {
    DiagnosticText(style: messageStyle, charset: charset, width: window?.columns ?? 80)
  }

  /// Tells of a failure that no file or line is to be blamed for, and returns the status.
  func fail(_ message: String, _ status: Int32) -> Int32 {
    var diagnostic = Diagnostic(message)
    diagnostic.file = "perilune"
    say(diagnosticText.batch(diagnostic))
    return status
  }

  /// Tells of something that people should know, without failing.
  func warn(_ message: String) {
    var diagnostic = Diagnostic(message)
    diagnostic.severity = .warning
    diagnostic.file = "perilune"
    say(diagnosticText.batch(diagnostic))
  }

  /// Passes a script's own warning on, with nothing in it that a terminal would obey.
  func warn(fromScript text: String) {
    say("warning: " + DisplayText.picturingControls(in: text, charset, keepingLines: true) + "\n")
  }
}
