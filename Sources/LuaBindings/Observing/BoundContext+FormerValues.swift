internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

extension BoundContext {
  /// Pushes the table that observers of an entity or an object receive after the object or its values.
  func push(_ change: ObjectChange, on stack: LuaStack) {
    stack.reserve(8)
    stack.pushTable(hash: 5)
    stack.push(change.kind.rawValue)
    stack.rawSet(field: "kind", at: -2)
    stack.push(change.cause.rawValue)
    stack.rawSet(field: "cause", at: -2)
    engine.values.push(id: change.object.objectID, on: stack)
    stack.rawSet(field: "objectID", at: -2)
    stack.pushTransaction(author: change.author, change.transaction)
    stack.rawSet(field: "transaction", at: -2)
    guard let former = change.former else { return }
    pushChangesMetatable(former, on: stack)
    stack.setMetatable(of: -2)
  }

  /// Pushes the metatable that gives tables with an `objectID` the field `changes`: `{ magnitude = { old = 5.3, new = 6
  /// } }`.
  ///
  /// The field is made on first access. It is nil if the former values are unknown.
  func pushChangesMetatable(_ former: FormerValues, on stack: LuaStack) {
    stack.reserve(6)
    stack.pushTable(hash: 1)
    stack.pushFunction { [self] stack in
      stack.reserve(8)
      guard stack.string(at: 2) == "changes", stack.type(at: 1) == .table else { return 0 }
      stack.rawGet(field: "objectID", at: 1)
      guard let id = engine.values.objectIDs.object(at: -1, on: stack)?.id, try push(changesOf: id, former, on: stack)
      else {
        return 0
      }
      stack.pushCopy(of: -1)
      stack.rawSet(field: "changes", at: 1)
      return 1
    }
    stack.rawSet(field: "__index", at: -2)
  }

  /// Pushes the old and new values of an object by property; returns false if they are unknown.
  private func push(changesOf id: ObjectID, _ former: FormerValues, on stack: LuaStack) throws -> Bool {
    guard !isClosed else { return false }
    let object = objectContext.object(id)
    // Of a fault only an ancestor of its entity may be known.
    _ = try? object.exists()
    let entity = objectContext.object(id).entity
    guard let changes = former.changes(of: id, entity: entity) else { return false }
    stack.pushTable(hash: Int32(clamping: changes.count))
    for change in changes {
      let attribute = entity.property(named: change.property)?.attribute
      try push(old: change.old, new: change.new, on: stack) { try push($0, of: attribute, on: stack) }
      stack.rawSet(field: change.property, at: -2)
    }
    return true
  }

  /// Pushes `{ old = , new = }`.
  func push(old: Value, new: Value, on stack: LuaStack, _ push: (Value) throws -> Void) throws {
    stack.reserve(8)
    stack.pushTable(hash: 2)
    for (name, value) in [("old", old), ("new", new)] {
      try push(value)
      stack.rawSet(field: name, at: -2)
    }
  }

  /// Pushes the old and new values of a group by column.
  func push(changesOf entry: ResultsChange.Entry, _ columns: [String], on stack: LuaStack) throws {
    stack.reserve(4)
    stack.pushTable()
    for (column, (old, new)) in zip(columns, zip(entry.oldValues, entry.values)) where old != new {
      try push(old: old, new: new, on: stack) { try push($0, on: stack) }
      stack.rawSet(field: column, at: -2)
    }
  }
}
