internal import LuaRuntime
internal import Modeling
internal import Stores

/// The change that a transaction made to one object.
final class BoundHistoryChange: Bound {
  static let luaName = "HistoryChange"
  var place: String { "change" }

  private let store: BoundStore
  private let change: HistoryChange

  init(_ store: BoundStore, _ change: HistoryChange) {
    self.store = store
    self.change = change
  }

  func summary() -> String { HistoryText.line(of: change) }

  static let members: [Member<BoundHistoryChange>] = [
    .property("kind", "change.kind -> string", "`insert`, `update` or `delete`.", sandbox: .allowed) { call, change in
      call.stack.push(change.change.kind.rawValue)
      return 1
    },
    .property(
      "entity", "change.entity -> entity", "The object's entity; nil if the model no longer has it.", sandbox: .allowed
    ) {
      call, change in
      guard let entity = change.change.entity else {
        call.stack.pushNil()
        return 1
      }
      call.engine.classes.push(change.store.mainContext.entity(entity), on: call.stack)
      return 1
    },
    .property(
      "entityName", "change.entityName -> string", "The name of the entity, the last one if it was renamed.",
      sandbox: .allowed
    ) {
      call, change in
      call.stack.push(change.change.entityName)
      return 1
    },
    .property("objectID", "change.objectID -> objectID", "The identity of the object.", sandbox: .allowed) {
      call, change in
      call.engine.push(change.change.objectID.map(Value.object) ?? .null, on: call.stack)
      return 1
    },
    .property(
      "object", "change.object -> object or nil", "The object in the main context; nil if it was deleted.",
      sandbox: .allowed
    ) {
      call, change in
      let context = change.store.mainContext
      try context.checkOpen(call.place)
      guard let id = change.change.objectID, let object = try context.objectContext.existingObject(id) else {
        call.stack.pushNil()
        return 1
      }
      try context.push(object, on: call.stack)
      return 1
    },
    .property(
      "properties", "change.properties -> list", "The names of the properties that an update changed.",
      sandbox: .allowed
    ) {
      call, change in
      call.engine.push(.list(change.change.updatedProperties.map(Value.string)), on: call.stack)
      return 1
    },
    .property(
      "tombstone", "change.tombstone -> table",
      "Of a deleted object, the values of the attributes declared with `preserveAfterDeletion`.", sandbox: .allowed
    ) { call, change in
      call.stack.reserve(4)
      call.stack.pushTable(hash: Int32(clamping: change.change.tombstone.count))
      for (name, value) in change.change.tombstone {
        call.engine.push(value, on: call.stack)
        call.stack.rawSet(field: name, at: -2)
      }
      return 1
    },
  ]
}
