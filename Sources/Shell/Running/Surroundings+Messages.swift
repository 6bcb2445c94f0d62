internal import Presentation

extension Surroundings {
  /// The layout of messages on standard error.
  var diagnosticText: DiagnosticText {
    DiagnosticText(style: messageStyle, charset: charset, width: window?.columns ?? 80)
  }

  /// Text with words that are not cut at the window's edge.
  func wrapped(_ text: String) -> String { window.map { WordWrap.broken(text, in: $0.columns) } ?? text }

  /// Reports a failure without a file or line, and returns the status.
  func fail(_ message: String, _ status: Int32) -> Int32 {
    var diagnostic = Diagnostic(message)
    diagnostic.file = "perilune"
    say(diagnosticText.batch(diagnostic))
    return status
  }

  /// Prints a warning without failing.
  func warn(_ message: String) {
    var diagnostic = Diagnostic(message)
    diagnostic.severity = .warning
    diagnostic.file = "perilune"
    say(wrapped(diagnosticText.batch(diagnostic)))
  }

  /// Prints a script's warning, with its control characters made visible.
  func warn(fromScript text: String) {
    say("warning: " + DisplayText.picturingControls(in: text, charset, keepingLines: true) + "\n")
  }
}
