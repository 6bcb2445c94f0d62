package import LuaBindings
internal import Modeling
package import SourceChecking

/// What a check finds in a file of any language, in words.
package struct CheckFinding {
  package var file: String
  package var severity: SourceFinding.Severity
  /// A word for its kind.
  package var rule: String
  package var message: String
  /// The line, from 1.
  package var line: Int
  /// The marked part of the line in UTF-8 bytes; empty if only the line is known.
  package var columns: Range<Int>
  /// The same part in UTF-16 code units.
  package var columnsInUTF16: Range<Int>
  /// The same part in bytes of the text.
  package var range: Range<Int>
  /// The wrong word and the right one, where the mistake is one word.
  package var correction: Correction?

  /// A mistake of a Lua script, with the text of the script.
  package init(_ mistake: ScriptMistake, in file: String, _ lines: SourceLines) {
    (self.file, severity, rule, message) = (file, .error, mistake.kind.rawValue, mistake.message)
    (line, columns) = (mistake.line, mistake.columns)
    columnsInUTF16 = lines.columnsInUTF16(columns, ofLine: line)
    range = lines.range(ofColumns: columns, inLine: line)
    correction = mistake.correction
  }

  /// A finding in Swift source.
  package init(_ finding: SourceFinding, in file: String, _ lines: SourceLines) {
    self.init(note: finding.sentence, rule: finding.rule, at: finding.range, in: file, lines)
    (severity, correction) = (finding.severity, finding.correction)
  }

  /// A note on a place of a file.
  init(note: String, rule: String, at place: Range<Int>, in file: String, _ lines: SourceLines) {
    (self.file, severity, self.rule, message) = (file, .note, rule, note)
    line = lines.line(of: place.lowerBound)
    columns = lines.columns(of: place)
    columnsInUTF16 = lines.columnsInUTF16(columns, ofLine: line)
    range = lines.range(ofColumns: columns, inLine: line)
  }
}
