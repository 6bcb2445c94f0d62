internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

/// A change of live results as observers receive it; its tables are made on access.
final class BoundChange: Bound {
  static let luaName = "Change"
  var place: String { "change" }

  let change: ResultsChange
  let context: BoundContext
  /// The names of the values in a row; nil if rows are objects.
  let columns: [String]?
  private var tables: [String: LuaReference] = [:]

  init(_ change: ResultsChange, _ context: BoundContext, columns: [String]?) {
    self.change = change
    self.context = context
    self.columns = columns
  }

  /// The numbers of inserted, deleted, updated and moved rows and sections.
  func summary() -> String {
    var parts: [String] = []
    func add(_ count: Int, _ word: String) {
      if count > 0 { parts.append("\(Quantity.grouped(count)) \(word)") }
    }
    add(change.inserted.count, "inserted")
    add(change.deleted.count, "deleted")
    add(change.updated.count, "updated")
    add(change.moved.count, "moved")
    let (new, gone) = (change.insertedSections.count, change.deletedSections.count)
    add(new, new == 1 ? "section inserted" : "sections inserted")
    add(gone, gone == 1 ? "section deleted" : "sections deleted")
    let changed = change.updatedSections.count
    add(changed, changed == 1 ? "section updated" : "sections updated")
    if change.isReload { parts.append("reloaded") }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }

  /// A table that `make` pushes at first access.
  private func table(_ name: String, on stack: LuaStack, _ make: () throws -> Void) throws -> ReturnValue {
    if let known = tables[name] { return .reference(known) }
    try make()
    let table = stack.popReference()
    tables[name] = table
    return .reference(table)
  }

  private static func entries(
    _ name: String, _ summary: String, telling: Bool = false,
    _ list: @escaping @Sendable (ResultsChange) -> [ResultsChange.Entry]
  ) -> Member<BoundChange> {
    .property(name, "change.\(name) -> list", summary, sandbox: .allowed) { call, change in
      try change.table(name, on: call.stack) {
        try change.pushEntries(list(change.change), telling: telling, on: call.stack)
      }
    }
  }

  private static func sections(
    _ name: String, _ summary: String, _ list: @escaping @Sendable (ResultsChange) -> [ResultsChange.SectionEntry]
  ) -> Member<BoundChange> {
    .property(name, "change.\(name) -> list", summary, sandbox: .allowed) { call, change in
      try change.table(name, on: call.stack) { try change.pushSections(list(change.change), on: call.stack) }
    }
  }

  static let members: [Member<BoundChange>] = [
    entries("inserted", "The inserted objects: tables with index, object and objectID.") { $0.inserted },
    entries("deleted", "The removed objects: tables with oldIndex, object and objectID.") { $0.deleted },
    entries(
      "updated", "The objects with changed values that did not move: index, oldIndex and changes.", telling: true
    ) { $0.updated },
    entries("moved", "The objects that moved past others: index, oldIndex and changes.", telling: true) { $0.moved },
    sections("insertedSections", "The inserted sections: tables with index and id.") { $0.insertedSections },
    sections("deletedSections", "The removed sections: tables with their old index and id.") {
      $0.deletedSections
    },
    sections("updatedSections", "The sections whose values are others: tables with index and id.") {
      $0.updatedSections
    },
    .property(
      "kind", "change.kind -> \"pending\", \"save\", \"remote\" or \"configuration\"",
      "The cause of the change: unsaved changes, an own commit, a commit of others, or another request.",
      sandbox: .allowed
    ) { call, change in
      .text(change.change.kind.rawValue)
    },
    .property(
      "isReload", "change.isReload -> boolean", "Whether too much changed to list the rows with changed values.",
      sandbox: .allowed
    ) { call, change in
      .boolean(change.change.isReload)
    },
    .property(
      "transaction", "change.transaction -> { author = , animation = }",
      "Its author, and the animation to show it with.", sandbox: .allowed
    ) {
      call, change in
      try change.table("transaction", on: call.stack) {
        call.stack.pushTransaction(author: change.change.author, change.change.transaction)
      }
    },
    .property("animation", "change.animation -> string or nil", "The animation to show it with.", sandbox: .allowed) {
      call, change in
      .text(change.change.transaction.animation?.description)
    },
  ]
}
