/// A message about a place in the user's text, as facts that DiagnosticText turns into words and lines.
public struct Diagnostic: Equatable {
  public enum Severity: String { case error, warning, note }

  public var severity = Severity.error
  /// The file, or nil for what was typed at the prompt; then the line and column, both from 1.
  public var file: String?
  public var line: Int?
  public var column: Int?
  public var message: String
  /// The line of the user's text that is meant.
  public var sourceLine: String?
  /// The bytes of `sourceLine` that are meant; empty for a place where something is missing.
  public var range: Range<Int>?
  /// The nearest right spelling.
  public var suggestion: String?
  public var notes: [String] = []
  /// The calls that led here, outermost last.
  public var traceback: [String] = []

  public init(_ message: String) {
    self.message = message
  }
}
