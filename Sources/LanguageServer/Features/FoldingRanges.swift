internal import Modeling

/// The predicates of more than one line, which editors fold.
struct FoldingRanges {
  private let document: TextDocument

  init(_ document: TextDocument) { self.document = document }

  /// The lines as the protocol lists them; the last one, which ends the predicate, stays.
  func json(in workspace: Workspace, among documents: [TextDocument]) -> JSON {
    let lines = workspace.standingTexts(in: document, among: documents).map { standing in
      document.position(of: standing.range.lowerBound).line..<document.position(of: standing.range.upperBound).line
    }
    return .array(
      Set(lines.filter { $0.count > 1 }).sorted { $0.lowerBound < $1.lowerBound }.map {
        .object(["startLine": .int(Int64($0.lowerBound)), "endLine": .int(Int64($0.upperBound - 1))])
      })
  }
}
