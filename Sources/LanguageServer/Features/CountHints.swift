internal import Modeling
internal import Session

/// How many objects match, behind each predicate of a part of a document.
struct CountHints {
  /// The time that counting may take, in seconds: for one predicate, and for all.
  private static let time = 0.05
  private static let wholeTime = 0.25

  private let document: TextDocument
  private let range: Range<Int>

  init(_ document: TextDocument, in range: Range<Int>) { (self.document, self.range) = (document, range) }

  /// The hints as the protocol lists them, as far as there is time.
  func json(in workspace: Workspace, among documents: [TextDocument]) -> JSON {
    guard workspace.showsCounts else { return .array([]) }
    let standing = workspace.standingTexts(in: document, among: documents).filter { $0.range.overlaps(range) }
    let end = monotonicSeconds() + Self.wholeTime
    var hints: [JSON] = []
    for standing in standing where hints.isEmpty || monotonicSeconds() < end {
      guard let tally = standing.tally(seconds: Self.time) else { continue }
      hints.append(
        .object([
          "position": document.position(of: standing.range.upperBound).json, "label": .string("→ \(tally.short)"),
          "paddingLeft": .bool(true),
        ]))
    }
    return .array(hints)
  }
}
