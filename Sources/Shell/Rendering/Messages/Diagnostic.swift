/// A message about a place in the user's text, as facts that DiagnosticText turns into words and lines.
struct Diagnostic: Equatable {
  enum Severity: String { case error, warning, note }

  var severity = Severity.error
  /// The file, or nil for what was typed at the prompt; then the line and column, both from 1.
  var file: String?
  var line: Int?
  var column: Int?
  var message: String
  /// The line of the user's text that is meant.
  var sourceLine: String?
  /// The bytes of `sourceLine` that are meant; empty for a place where something is missing.
  var range: Range<Int>?
  /// The nearest right spelling.
  var suggestion: String?
  var notes: [String] = []
  /// The calls that led here, outermost last.
  var traceback: [String] = []

  init(_ message: String) {
    self.message = message
  }
}
