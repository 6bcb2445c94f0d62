internal import Modeling

/// The lines that editors show above predicates: how many objects match, and what can be done.
struct PredicateLenses {
  /// The time that counting may take, in seconds.
  private static let time = 0.1

  private let document: TextDocument

  init(_ document: TextDocument) { self.document = document }

  /// The lines as the protocol lists them. The editor asks for the count of one when it is seen.
  func json(in workspace: Workspace, among documents: [TextDocument]) -> JSON {
    guard workspace.storePath != nil else { return .array([]) }
    var commands: [ServerCommand] = [.explain]
    if workspace.showsValues { commands.append(.showTable) }
    if document.language == .lua { commands.append(.swift) }
    var lenses: [JSON] = []
    for standing in workspace.standingTexts(in: document, among: documents) where standing.isCountable {
      let start = standing.range.lowerBound
      let range = document.json(standing.range)
      lenses.append(
        .object(["range": range, "data": .array([.string(document.uri), document.position(of: start).json])]))
      for command in commands {
        lenses.append(.object(["range": range, "command": command.json(document, at: start)]))
      }
    }
    return .array(lenses)
  }

  /// A line with the count of the predicate at a place; without one where it has changed.
  static func resolved(
    _ lens: [String: JSON], _ document: TextDocument, at offset: Int, _ workspace: Workspace,
    among documents: [TextDocument]
  ) -> JSON {
    let standing = workspace.standingText(at: offset, in: document, among: documents)
    var lens = lens
    lens["command"] = ServerCommand.tryPredicate.json(
      document, at: offset, title: standing?.tally(seconds: time)?.sentence ?? ServerCommand.tryPredicate.title)
    return .object(lens)
  }
}
