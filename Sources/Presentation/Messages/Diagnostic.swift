/// A message about a place in the user's text, as facts that DiagnosticText turns into words and lines.
package struct Diagnostic: Equatable {
  package enum Severity: String { case error, warning, note }

  package var severity = Severity.error
  /// The file, or nil for text that was typed at the prompt; then the line and column, both from 1.
  package var file: String?
  package var line: Int?
  package var column: Int?
  package var message: String
  /// The line of the user's text that is meant.
  package var sourceLine: String?
  /// The bytes of `sourceLine` that are meant; empty for a place where something is missing.
  package var range: Range<Int>?
  /// The nearest right spelling.
  package var suggestion: String?
  package var notes: [String] = []
  /// The calls that led here, outermost last.
  package var traceback: [String] = []

  package init(_ message: String) {
    self.message = message
  }
}
