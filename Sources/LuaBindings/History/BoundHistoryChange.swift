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
      .text(change.change.kind.rawValue)
    },
    .property(
      "entity", "change.entity -> entity", "The object's entity; nil if the model no longer has it.", sandbox: .allowed
    ) {
      call, change in
      guard let entity = change.change.entity else { return .luaNil }
      return .object(change.store.mainContext.entity(entity))
    },
    .property(
      "entityName", "change.entityName -> string", "The name of the entity, the last one if it was renamed.",
      sandbox: .allowed
    ) {
      call, change in
      .text(change.change.entityName)
    },
    .property("objectID", "change.objectID -> objectID", "The identity of the object.", sandbox: .allowed) {
      call, change in
      .value(change.change.objectID.map(Value.object) ?? .null)
    },
    .property(
      "object", "change.object -> object or nil", "The object in the main context; nil if it was deleted.",
      sandbox: .allowed
    ) {
      call, change in
      let context = change.store.mainContext
      try context.checkOpen(call.place)
      guard let id = change.change.objectID, let object = try context.objectContext.existingObject(id) else {
        return .luaNil
      }
      return .pushing { try context.push(object, on: $0) }
    },
    .property(
      "properties", "change.properties -> list", "The names of the properties that an update changed.",
      sandbox: .allowed
    ) {
      call, change in
      .value(.list(change.change.updatedProperties.map(Value.string)))
    },
    .property(
      "tombstone", "change.tombstone -> table",
      "Of a deleted object, the values of the attributes declared with `preserveAfterDeletion`.", sandbox: .allowed
    ) { call, change in
      .record(change.change.tombstone.map { ($0.key, .value($0.value)) })
    },
  ]
}
