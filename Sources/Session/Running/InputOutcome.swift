internal import LuaBindings
internal import Modeling
internal import ObjectGraph

/// What a line at the prompt has saved, undone and deleted, from when this is made.
struct InputOutcome {
  private let console: Console
  private var engine: Engine { console.engine }
  private let deletedBefore: [Entity: Int]

  init(_ console: Console) {
    self.console = console
    console.engine.savedCounts = WorkCounts()
    console.engine.takenBack = []
    deletedBefore = Self.unsavedDeletions(console)
  }

  /// Reports it at the prompt; saves of a dry run are none.
  func tell(isDryRun: Bool) {
    defer { engine.takenBack = [] }
    guard console.isAtPrompt, !console.isQuiet else { return }
    tellDeletions()
    for work in engine.takenBack { tell("\(work.way.rawValue): \(work.counts.text)") }
    let saved = engine.savedCounts
    if !isDryRun, !saved.isEmpty { tell("saved: \(saved.text)") }
  }

  /// Reports unsaved deletions: `deleted, not saved yet: 1 Quake, 37 Report`.
  private func tellDeletions() {
    let new = Self.unsavedDeletions(console).compactMap { entity, count -> (String, Int)? in
      let more = count - (deletedBefore[entity] ?? 0)
      return more > 0 ? (entity.name, more) : nil
    }
    if !new.isEmpty { tell("deleted, not saved yet: \(Quantity.list(new))") }
  }

  /// How many objects of each entity are deleted and not saved.
  private static func unsavedDeletions(_ console: Console) -> [Entity: Int] {
    guard console.isAtPrompt, let context = console.engine.mainContext, context.hasChanges else { return [:] }
    return context.unsavedCounts.mapValues(\.deleted).filter { $0.value > 0 }
  }

  private func tell(_ text: String) { console.tell(Remark(.outcome, text)) }
}

extension Quantity {
  /// `335 Quake, 601 Report`, the most first.
  package static func list(_ counts: [(name: String, count: Int)]) -> String {
    counts.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
      .map { "\(grouped($0.count)) \($0.name)" }.joined(separator: ", ")
  }
}

extension WorkCounts {
  /// `1 inserted, 2 updated`
  fileprivate var text: String {
    [(inserted, "inserted"), (updated, "updated"), (deleted, "deleted")].filter { $0.0 > 0 }
      .map { "\(Quantity.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
  }
}
