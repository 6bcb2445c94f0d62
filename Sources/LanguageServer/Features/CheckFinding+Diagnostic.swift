internal import Modeling
internal import Session

extension CheckFinding {
  /// The finding as a diagnostic of the protocol.
  func json(in document: TextDocument) -> JSON {
    let severity: Int64 =
      switch severity {
      case .error: 1
      case .warning: 2
      case .note: 3
      }
    return .object([
      "range": document.json(marked(in: document)), "severity": .int(severity), "code": .string(rule),
      "source": .string("perilune"), "message": .string(message),
    ])
  }

  /// The marked bytes; the line where only the line is known.
  func marked(in document: TextDocument) -> Range<Int> {
    columns.isEmpty ? document.line(around: range.lowerBound) : range
  }
}
