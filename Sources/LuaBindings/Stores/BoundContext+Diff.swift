internal import Modeling
internal import ObjectGraph

extension BoundContext {
  /// Pushes the unsaved changes: `{ inserted = { q }, updated = { { object = q, changes = { ... } } }, deleted = { q }
  /// }`.
  ///
  /// A change is `{ property = , old = , new = , cause = }`; `cause` is the deleted destination because of which a
  /// to-one relationship became nil. `tostring` of the whole has one line for each object: `+`, `~` or `-`.
  func diff(_ call: Call) throws -> ReturnValue {
    try checkOpen(call.place)
    let diff = try objectContext.diff()
    let updated = diff.updated.map { update in
      ReturnValue.record([
        ("object", .managedObject(update.object, self)),
        ("changes", .list(update.changes.map { table(of: $0, update.object.entity) })),
      ])
    }
    let fields: [(name: String, value: ReturnValue)] = [
      ("inserted", .pushing { try self.push(diff.inserted, on: $0) }), ("updated", .list(updated)),
      ("deleted", .pushing { try self.push(diff.deleted, on: $0) }),
    ]
    return .printed(.record(fields), kind: "Diff", text: try text(of: diff))
  }

  private func table(of change: PropertyChange, _ entity: Entity) -> ReturnValue {
    let attribute = entity.property(named: change.property)?.attribute
    return .record([
      ("property", .text(change.property)),
      ("old", .pushing { try self.push(change.old, of: attribute, on: $0) }),
      ("new", .pushing { try self.push(change.new, of: attribute, on: $0) }),
      ("cause", change.cause.map { cause in .pushing { try self.push(.object(cause), on: $0) } } ?? .luaNil),
    ])
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
