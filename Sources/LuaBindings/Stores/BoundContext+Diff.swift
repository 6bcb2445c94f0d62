internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

extension BoundContext {
  /// Pushes the unsaved changes: `{ inserted = { q }, updated = { { object = q, changes = { ... } } }, deleted = { q }
  /// }`.
  ///
  /// A change is `{ property = , old = , new = , cause = }`; `cause` is the deleted destination because of which a
  /// to-one relationship became nil. `tostring` of the whole has one line for each object: `+`, `~` or `-`.
  func pushDiff(_ call: Call) throws -> Answer {
    try checkOpen(call.place)
    let stack = call.stack
    let diff = try objectContext.diff()
    stack.reserve(12)
    stack.pushTable(hash: 3)
    try push(diff.inserted, on: stack)
    stack.rawSet(field: "inserted", at: -2)
    stack.pushTable(array: Int32(clamping: diff.updated.count))
    for (number, update) in diff.updated.enumerated() {
      stack.pushTable(hash: 2)
      try push(update.object, on: stack)
      stack.rawSet(field: "object", at: -2)
      try push(update.changes, of: update.object.entity, on: stack)
      stack.rawSet(field: "changes", at: -2)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    stack.rawSet(field: "updated", at: -2)
    try push(diff.deleted, on: stack)
    stack.rawSet(field: "deleted", at: -2)
    stack.setText(try text(of: diff), kind: "Diff")
    return 1
  }

  private func push(_ changes: [PropertyChange], of entity: Entity, on stack: LuaStack) throws {
    stack.pushTable(array: Int32(clamping: changes.count))
    for (number, change) in changes.enumerated() {
      let attribute = entity.property(named: change.property)?.attribute
      stack.pushTable(hash: 3)
      stack.push(change.property)
      stack.rawSet(field: "property", at: -2)
      try push(change.old, of: attribute, on: stack)
      stack.rawSet(field: "old", at: -2)
      try push(change.new, of: attribute, on: stack)
      stack.rawSet(field: "new", at: -2)
      if let cause = change.cause {
        try push(.object(cause), on: stack)
        stack.rawSet(field: "cause", at: -2)
      }
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
  }

  /// Pushes a value; object IDs become objects.
  func push(_ value: Value, on stack: LuaStack) throws {
    if case .object(let id) = value { return try push(objectContext.object(id), on: stack) }
    engine.push(value, on: stack)
  }

  /// The diff as text, one line for each object.
  func text(of diff: ContextDiff) throws -> String {
    var lines = diff.inserted.map { "+ \(ObjectText.line(of: $0))" }
    for update in diff.updated {
      let changes = update.changes.map { change in
        let text = "\(change.property): \(change.old.debugText) → \(change.new.debugText)"
        return change.cause == nil ? text : "\(text) (as that is deleted)"
      }
      lines.append("~ \(ObjectText.name(of: update.object))  \(changes.joined(separator: ", "))")
    }
    lines += diff.deleted.map { "- \(ObjectText.line(of: $0))" }
    return lines.isEmpty ? "no unsaved changes" : lines.joined(separator: "\n")
  }
}
