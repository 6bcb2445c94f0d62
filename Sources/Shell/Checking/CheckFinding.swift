internal import LuaBindings
internal import Modeling
internal import SourceChecking

/// A finding of `perilune check` in a file of any language, in words.
struct CheckFinding {
  var file: String
  var severity: SourceFinding.Severity
  /// A word for its kind.
  var rule: String
  var message: String
  /// The line, from 1.
  var line: Int
  /// The marked part of the line in UTF-8 bytes; empty if only the line is known.
  var columns: Range<Int>
  /// The same part in UTF-16 code units.
  var columnsInUTF16: Range<Int>

  /// A mistake of a Lua script, with the text of the script.
  init(_ mistake: ScriptMistake, in file: String, _ lines: SourceLines) {
    (self.file, severity, rule, message) = (file, .error, mistake.kind.rawValue, mistake.message)
    (line, columns) = (mistake.line, mistake.columns)
    columnsInUTF16 = lines.columnsInUTF16(columns, ofLine: line)
  }

  /// A finding in Swift source.
  init(_ finding: SourceFinding, in file: String, _ lines: SourceLines) {
    (self.file, severity, rule, message) = (file, finding.severity, finding.rule, finding.sentence)
    line = lines.line(of: finding.range.lowerBound)
    columns = lines.columns(of: finding.range)
    columnsInUTF16 = lines.columnsInUTF16(columns, ofLine: line)
  }
}

/// How the findings of `perilune check` are written.
package enum CheckFormat: String, CaseIterable {
  /// `file:line:column: error: …`
  case text
  /// An object of JSON for each.
  case json
  /// Commands of GitHub Actions, which mark the lines of a change.
  case github
  /// One document of SARIF 2.1.0, which code scanning and editors read.
  case sarif
}
