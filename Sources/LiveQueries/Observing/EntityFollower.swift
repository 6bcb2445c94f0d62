internal import Modeling
internal import ObjectGraph
internal import Storage

/// Finds out what became of the objects of one root entity, so that nothing is told twice.
struct EntityFollower {
  let root: Entity
  /// The table of the entity's rows, in lower case.
  let table: String
  private var overlay = PendingOverlay()

  init(_ root: Entity, _ store: SQLiteStore) {
    self.root = root
    table = store.layout(of: root).table.lowercased()
  }

  /// What happened to each key.
  struct Event {
    var kind: ObjectChange.Kind
    var key: Int64
  }

  /// What happened since it was asked last.
  mutating func events(_ occasion: Occasion, in context: ObjectContext) -> [Event] {
    let settled = occasion.settled.filter { $0.root === root }
    let steps = overlay.advance(context.pendingObjects(of: root), settled)
    var events: [Event] = []
    var known: Set<Int64> = []
    var gone: Set<Int64> = []
    for step in steps {
      known.insert(step.oldKey)
      if let newKey = step.newKey { known.insert(newKey) } else { gone.insert(step.oldKey) }
      if let kind = step.event { events.append(Event(kind: kind, key: step.newKey ?? step.oldKey)) }
    }
    guard let touched = occasion.touched.tables[table] else { return events }
    // A key that was given again is another object.
    let again = Set(touched.inserted).intersection(touched.deleted)
    func add(_ keys: [Int64], _ kind: ObjectChange.Kind) {
      for key in keys where !known.contains(key) && !again.contains(key) { events.append(Event(kind: kind, key: key)) }
    }
    add(touched.inserted, .insert)
    // Others may have given the key of a deleted row again.
    for key in touched.inserted where gone.contains(key) { events.append(Event(kind: .insert, key: key)) }
    add(touched.updated, .update)
    add(touched.deleted, .delete)
    for key in again.sorted() where !known.contains(key) { events.append(Event(kind: .update, key: key)) }
    return events
  }
}

extension PendingOverlay.Step {
  /// What happened to the object, as far as it was not told before.
  fileprivate var event: ObjectChange.Kind? {
    guard let told else {
      guard let pending else { return nil }
      return switch pending.kind {
      case .inserted: .insert
      case .updated: .update
      case .deleted: pending.key <= ObjectID.temporaryLimit ? nil : .delete
      }
    }
    let wasThere = told.kind != .deleted
    let isThere = pending.map { $0.kind != .deleted } ?? (newKey != nil && !(wasSaved && told.kind == .deleted))
    switch (wasThere, isThere) {
    case (false, false): return nil
    case (false, true): return .insert
    case (true, false): return .delete
    case (true, true): return hasChanged ? .update : nil
    }
  }
}
