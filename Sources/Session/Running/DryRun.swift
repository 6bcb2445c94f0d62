internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Stores

/// The changes that a dry run would have made.
///
///     + Quake/t1 { code = "us9", magnitude = 5.1 }
///     ~ Quake us2: magnitude 4.1 → 4.2
///     - Quake/3
///     ~ 12 Quake by batch requests or SQL
///     - 3 Quake, 40 Report by batch requests or SQL
///     + the file 'out.csv' with 12 rows
///     nothing of this was kept
package final class DryRun {
  private let engine: Engine
  private let diffText: DiffText
  private let note: (String) -> String
  private var lines = ""
  /// The number of rows written before the dry run and by the saves in `lines`.
  private var accounted: Int
  /// The files that would have been written.
  private var files = ""
  /// The objects listed in `lines`.
  private var listed: Set<ObjectID> = []

  init(_ engine: Engine, _ diffText: DiffText) {
    self.engine = engine
    self.diffText = diffText
    note = { diffText.style(.note, $0) }
    accounted = engine.changeCount
  }

  /// Records what a save will write; returns a closure to call after the save.
  func willSave(_ diff: ContextDiff) -> () -> Void {
    let text = diffText.text(diff)
    let before = engine.changeCount
    listed.formUnion(diff.deleted.map(\.objectID))
    return { [self] in
      lines += text
      // New objects have their keys now.
      listed.formUnion(diff.inserted.map(\.objectID))
      listed.formUnion(diff.updated.map(\.object.objectID))
      accounted += engine.changeCount - before
    }
  }

  /// Records a file that is not written; `contents` says what it would have.
  func noteFile(_ path: String, _ contents: String) {
    let what = contents.isEmpty ? "" : " with \(contents)"
    files +=
      diffText.style(.added, "+ the file '\(DisplayText.picturingControls(in: path, diffText.charset))'\(what)") + "\n"
  }

  /// Ignores earlier writes, when the store was copied and migrated.
  package func beginAgain() { accounted = engine.changeCount }

  /// All changes so far, a line for each; empty if there are none.
  package var changes: String { lines + othersText() + files }

  /// Returns all changes so far, and says whether they are kept.
  func text(isOver: Bool) -> String {
    let text = changes
    if text.isEmpty { return note(isOver ? "nothing would change" : "nothing has changed yet") + "\n" }
    return text + note(isOver ? "nothing of this was kept" : "not kept unless you say .dryrun keep") + "\n"
  }

  /// Counts by entity the rows that were written past saves.
  private func othersText() -> String {
    let count = engine.changeCount - accounted
    guard count > 0 else { return "" }
    guard let touched = try? engine.rowsTouchedByOpenTransaction(), let counts = counts(touched) else {
      return diffText.style(.changed, "~ \(Quantity.count(count, "row")) by batch requests or SQL") + "\n"
    }
    let signs: [(sign: String, style: Style.Role, counts: [String: Int])] = [
      ("+", .added, counts.inserted), ("~", .changed, counts.updated), ("-", .removed, counts.deleted),
    ]
    return signs.filter { !$0.counts.isEmpty }.map { sign, style, counts in
      let rows = counts.sorted { $0.key < $1.key }.map { "\(Quantity.grouped($0.value)) \($0.key)" }
      return diffText.style(style, "\(sign) \(rows.joined(separator: ", ")) by batch requests or SQL") + "\n"
    }.joined()
  }

  private typealias Counts = (inserted: [String: Int], updated: [String: Int], deleted: [String: Int])

  /// Returns nil if the rows are not all known or concern no entity.
  private func counts(_ touched: TouchedRows) -> Counts? {
    guard touched.isComplete else { return nil }
    var counts: Counts = ([:], [:], [:])
    for table in touched.tables.values {
      guard let entity = table.entity else { continue }
      func count(_ keys: [Int64]) -> Int? {
        let count = Set(keys).count { !listed.contains(ObjectID(entity: entity, key: $0)) }
        return count == 0 ? nil : count
      }
      counts.inserted[entity.name] = count(table.inserted)
      counts.updated[entity.name] = count(table.updated)
      counts.deleted[entity.name] = count(table.deleted)
    }
    return counts.inserted.isEmpty && counts.updated.isEmpty && counts.deleted.isEmpty ? nil : counts
  }
}
