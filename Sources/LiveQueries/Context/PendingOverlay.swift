internal import Modeling
internal import ObjectGraph
internal import Stores

/// The unsaved changes that were reported to observers, so that each is reported once.
///
/// Results show these objects by their values in memory, not by those in the store.
struct PendingOverlay {
  /// The reported state of an object.
  struct ReportedState {
    var kind: PendingObject.Kind
    var fingerprint: Int
    /// The unsaved values, by column.
    var columns: ChangedColumns
  }

  /// The change of an object since it was last reported.
  struct Step {
    /// The key under which it was reported, or its key in the store.
    var oldKey: Int64
    /// The key it has now; nil for one that is gone.
    var newKey: Int64?
    /// Its unsaved changes; nil if it has none any more.
    var pending: PendingObject?
    /// Its last reported state, if any.
    var reported: ReportedState?
    /// Whether its values differ from those reported.
    var hasChanged: Bool
    /// Whether its changes are in the store now.
    var wasSaved: Bool
  }

  /// The reported states, by key.
  private(set) var reported: [Int64: ReportedState] = [:]

  var isEmpty: Bool { reported.isEmpty }

  /// Whether results show the object with a key by its values in memory.
  func contains(_ key: Int64) -> Bool { reported[key] != nil }

  /// Moves on to the current unsaved changes; returns the objects whose state changed, and those that always need
  /// another look. `touched` are the rows of their table that commits touched; `level` is the level of the context that
  /// has the changes.
  mutating func advance(
    _ pending: [PendingObject], _ settled: [SavedObject], _ touched: TouchedRows.Table?, always: Bool = false,
    level: Int = 0
  ) -> [Step] {
    if pending.isEmpty, reported.isEmpty { return [] }
    var steps: [Step] = []
    let saved = Saved(settled, level)
    var next: [Int64: ReportedState] = [:]
    for object in pending {
      let before = reported[object.key]
      next[object.key] = ReportedState(kind: object.kind, fingerprint: object.fingerprint, columns: object.columns)
      let hasChanged = before.map { $0.fingerprint != object.fingerprint } ?? true
      if hasChanged || always {
        steps.append(
          Step(
            oldKey: object.key, newKey: object.key, pending: object, reported: before, hasChanged: hasChanged,
            wasSaved: false))
      }
    }
    for key in left(for: next) {
      guard let before = reported[key] else { continue }
      var step = Step(oldKey: key, newKey: key, pending: nil, reported: before, hasChanged: true, wasSaved: false)
      if let saved = saved.last[key] {
        step.newKey = saved.newKey
        step.hasChanged = saved.fingerprint != before.fingerprint
        step.wasSaved = true
        if let newKey = saved.newKey, newKey != key, let object = pending.first(where: { $0.key == newKey }) {
          // Saved, and changed again afterwards.
          step.pending = object
          step.hasChanged = true
        }
      } else if key <= ObjectID.temporaryLimit, before.kind == .inserted {
        step.newKey = nil
      }
      steps.append(step)
    }
    reported = next
    if let touched { steps.noteChanges(of: touched) }
    return steps.merged()
  }

  /// The keys that have no unsaved changes any more: those of rows, then those of new objects, in the order in which these were
  /// made.
  ///
  /// A save may give a new object the key of a row that is gone. The row's step must come first, and observers hear of the steps
  /// in the same order each time.
  private func left(for next: [Int64: ReportedState]) -> [Int64] {
    var (stored, new): ([Int64], [Int64]) = ([], [])
    for key in reported.keys where next[key] == nil {
      if key > ObjectID.temporaryLimit { stored.append(key) } else { new.append(key) }
    }
    return stored.sorted() + new.sorted(by: >)
  }

  /// Discards all reported states.
  mutating func clear() { reported = [:] }
}

/// The effects of one or several saves on keys, by the key before them.
private struct Saved {
  /// The key an object has now, and a fingerprint of the saved values if there was one save.
  var last: [Int64: (newKey: Int64?, fingerprint: Int?)] = [:]

  init(_ settled: [SavedObject], _ level: Int) {
    var origins: [Int64: Int64] = [:]
    for object in settled {
      let first = origins[object.oldKey] ?? object.oldKey
      if object.level == level {
        last[first] = (object.newKey, last[first] == nil ? object.fingerprint : nil)
      } else if let known = last[first] {
        last[first] = (object.newKey, known.fingerprint)
      }
      if let newKey = object.newKey { origins[newKey] = first }
    }
  }
}

extension [PendingOverlay.Step] {
  /// A saved object whose row was touched again was also changed by another writer.
  fileprivate mutating func noteChanges(of table: TouchedRows.Table) {
    let saved = Set(compactMap { $0.wasSaved && !$0.hasChanged ? $0.newKey : nil })
    if saved.isEmpty { return }
    var (once, again): (Set<Int64>, Set<Int64>) = ([], [])
    for keys in [table.inserted, table.updated, table.deleted] {
      for key in keys where saved.contains(key) && !once.insert(key).inserted { again.insert(key) }
    }
    for index in indices { if let key = self[index].newKey, again.contains(key) { self[index].hasChanged = true } }
  }

  /// One step per object: the step of a key that a save assigned, and that has new changes, is merged into the other.
  fileprivate func merged() -> [PendingOverlay.Step] {
    let given = Set(compactMap { $0.oldKey != $0.newKey && $0.pending != nil ? $0.newKey : nil })
    return given.isEmpty ? self : filter { !given.contains($0.oldKey) || $0.oldKey != $0.newKey }
  }
}
