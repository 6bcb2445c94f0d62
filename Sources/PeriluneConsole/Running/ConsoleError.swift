internal import Presentation

/// Why a script failed, or the console cannot do what it is asked to: a sentence with its place.
public struct ConsoleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let message: String
  /// The line of the script, from 1, where it is known.
  public let line: Int?
  /// The column of the line, from 1, where it is known.
  public let column: Int?
  /// Whether a limit or an interruption stopped the script.
  public let wasStopped: Bool

  init(_ message: String, line: Int? = nil, column: Int? = nil, wasStopped: Bool = false) {
    (self.message, self.line, self.column, self.wasStopped) = (message, line, column, wasStopped)
  }

  init(_ diagnostic: Diagnostic) {
    let question = diagnostic.suggestion.map { "; did you mean '\($0)'?" } ?? ""
    self.init(diagnostic.message + question, line: diagnostic.line, column: diagnostic.column)
  }

  /// `line 3: there is no 'Quak'; did you mean 'Quake'?`
  public var description: String { (line.map { "line \($0): " } ?? "") + message }
}
