internal import Modeling
internal import Presentation
internal import Queries
internal import Session
internal import SwiftPrinting

/// What the client can have done with a predicate of a document, by `workspace/executeCommand`. Each says a text.
enum ServerCommand: String, CaseIterable {
  /// Counts the objects, and says how to go on in Perilune.
  case tryPredicate = "perilune.try"
  /// Says how the store finds the objects.
  case explain = "perilune.explain"
  /// Shows the first objects.
  case showTable = "perilune.showTable"
  /// Says the predicate in Swift.
  case swift = "perilune.swift"

  /// What it is called where a predicate can be chosen.
  var title: String {
    switch self {
    case .tryPredicate: "Try it in Perilune"
    case .explain: "Explain"
    case .showTable: "Show as table"
    case .swift: "Swift"
    }
  }

  private static let mostRows = 20
  private static let width = 100
  /// The most seconds that a command may take.
  private static let seconds = 1.0

  /// The command for a predicate at a place of a document, as the protocol writes it.
  func json(_ document: TextDocument, at offset: Int, title: String? = nil) -> JSON {
    .object([
      "title": .string(title ?? self.title), "command": .string(rawValue),
      "arguments": .array([.string(document.uri), document.position(of: offset).json]),
    ])
  }

  /// What it says of a predicate; nil where it has nothing to say.
  func text(_ standing: StandingText, _ workspace: Workspace) -> String? {
    guard let subject = standing.subject, standing.isCountable, let condition = standing.condition,
      let context = subject.context, let session = subject.session
    else { return nil }
    var request = FetchRequest(subject.entity)
    request.predicate = condition
    switch self {
    case .tryPredicate: return trial(standing, condition, workspace)
    case .explain:
      let words = workspace.planNotes(session)?.plan(of: request) ?? []
      return words.isEmpty ? nil : "\(subject.entity.name): \(words.joined(separator: "; "))"
    case .showTable:
      guard workspace.showsValues else { return nil }
      request.fetchLimit = Self.mostRows
      return try? context.store.limiting(seconds: Self.seconds) {
        try session.session.table(of: request, in: context, width: Self.width)
      }
    case .swift:
      let printer = SwiftPrinter(entity: subject.entity)
      let forms = [SwiftForm.nspredicate, .macro].compactMap { try? printer.source(of: condition, as: $0) }
      return forms.isEmpty ? nil : forms.joined(separator: "\n")
    }
  }

  /// How many objects match, and the line that shows them.
  private func trial(_ standing: StandingText, _ condition: Predicate, _ workspace: Workspace) -> String? {
    guard let entity = standing.subject?.entity, let tally = standing.tally(seconds: Self.seconds) else { return nil }
    let line = "\(entity.name):where \(condition.description.quotedForLua)"
    let store = workspace.storePath.map {
      "perilune '\($0.withoutPassword.replacing("'", with: "'\\''"))' -e '\(line.replacing("'", with: "'\\''"))'"
    }
    return "\(entity.name): \(tally.sentence)" + (store.map { "\n\($0)" } ?? "")
  }
}

extension StandingText {
  /// Whether it is a predicate all of whose values are known, of objects of a store.
  var isCountable: Bool {
    guard form == .predicate || form == .macro, let condition, let subject, subject.context != nil else { return false }
    return condition.variables.isEmpty && (try? condition.check(in: subject.entity)) != nil
  }

  /// How many objects match, as far as they can be counted in some seconds.
  func tally(seconds: Double) -> PredicateTally? {
    guard isCountable, let condition, let subject, let context = subject.context else { return nil }
    return try? PredicateTally(condition, of: subject.entity, in: context, seconds: seconds)
  }
}
