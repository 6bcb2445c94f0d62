internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries

/// The members that every object has in addition to its entity's properties.
enum ObjectMembers {
  static let owner = "Object"

  static func entries(of methods: [ObjectMethod]) -> [CatalogEntry] {
    properties.map { CatalogEntry(.property, of: owner, $0.declaration, maker: maker) }
      + methods.map { CatalogEntry(.method, of: owner, $0.declaration, maker: maker) }
  }

  private static let maker = "Quake:first()"

  static let properties: [ObjectProperty] = [
    ObjectProperty(
      "objectID", "object.objectID", "The object's identity; unsaved objects have a temporary one.", sandbox: .allowed
    ) {
      object, context, stack in
      context.engine.values.push(id: object.objectID, on: stack)
    },
    ObjectProperty(
      "isFault", "object.isFault -> boolean", "Whether the values are not in memory yet.", sandbox: .allowed
    ) {
      object, _, stack in
      stack.push(object.isFault)
    },
    ObjectProperty(
      "isInserted", "object.isInserted -> boolean", "Whether it was inserted since the last save.", sandbox: .allowed
    ) {
      object, _, stack in
      stack.push(object.isInserted)
    },
    ObjectProperty(
      "isUpdated", "object.isUpdated -> boolean", "Whether a saved object has unsaved changes.", sandbox: .allowed
    ) {
      object, _, stack in
      stack.push(object.isUpdated)
    },
    ObjectProperty(
      "isDeleted", "object.isDeleted -> boolean", "Whether it was deleted, saved or not.", sandbox: .allowed
    ) {
      object, _, stack in
      stack.push(object.isDeleted)
    },
    ObjectProperty(
      "hasChanges", "object.hasChanges -> boolean", "Whether the object has unsaved changes.", sandbox: .allowed
    ) {
      object, _, stack in
      stack.push(object.hasChanges)
    },
    ObjectProperty("context", "object.context -> context", "The context it belongs to.", sandbox: .allowed) {
      _, context, stack in
      context.engine.classes.push(context, on: stack)
    },
    ObjectProperty("entity", "object.entity -> entity", "Its entity.", sandbox: .allowed) { object, context, stack in
      context.engine.classes.push(context.entity(object.entity), on: stack)
    },
  ]

  static let methods: [ObjectMethod] = [
    ObjectMethod(
      "changedValues", "object:changedValues() -> table", "The new values of the properties with unsaved changes.",
      sandbox: .allowed, example: "()"
    ) { call, object, context in
      context.noteRead(of: object)
      return context.table(of: try object.changes().map { ($0.property, $0.new) }, in: object.entity)
    },
    ObjectMethod(
      "committedValues", "object:committedValues() -> table", "The values last read from or saved to the store.",
      sandbox: .allowed, example: "()"
    ) {
      call, object, context in
      context.noteRead(of: object)
      return context.table(of: try object.committedValues(), in: object.entity)
    },
    ObjectMethod(
      "validate", "object:validate()", "Raises an error that lists every rule the object breaks.", sandbox: .allowed,
      example: "()"
    ) {
      call, object, _ in
      let violations = try object.violations()
      if !violations.isEmpty { throw GraphError(.invalid(violations)) }
      return .boolean(true)
    },
    ObjectMethod(
      "refresh", "object:refresh { mergeChanges = true }",
      "Reads the values again at the next use; mergeChanges = false drops unsaved values, or brings a deleted object back.",
      sandbox: .allowed,
      example: "({ mergeChanges = true })"
    ) { call, object, _ in
      let options = try call.options(1, ["mergeChanges"])
      try object.refresh(mergeChanges: try options.bool("mergeChanges") ?? true)
      return .nothing
    },
  ]

  static let changingMethods: [ObjectMethod] = [
    ObjectMethod(
      "set", "object:set(name, value)", "Sets a property by its name.", sandbox: .allowed, example: #"("magnitude", 5)"#
    ) { call, object, context in
      let name = try call.string(1, "the name of a property")
      let objects = context.objects(of: object.entity)
      guard let index = object.entity.index(of: name) else {
        let isFetched = object.entity.fetchedProperties.contains { $0.name == name }
        throw isFetched ? objects.settingFetched(name) : objects.unknown(name)
      }
      guard call.count >= 2 else { throw call.expected("a value", 2) }
      try objects.set(property: index, of: object, at: call.index(2), on: call.stack)
      return .nothing
    },
    ObjectMethod(
      "delete", "object:delete()", "Deletes the object at the next save; its delete rules apply.", sandbox: .allowed,
      example: "()"
    ) {
      _, object, _ in
      try object.delete()
      return .nothing
    },
  ]

  /// Pushes the global `Object`: every method as a function of the object, for methods that a property hides.
  static func pushTable(of engine: Engine, on stack: LuaStack) {
    stack.pushTable(hash: Int32(clamping: engine.declarations.objectMethods.count))
    for method in engine.declarations.objectMethods {
      let signature = Signature(method.declaration.signature)
      stack.pushFunction { [unowned engine] stack in try method.call("Object.\(method.name)", signature, engine, stack)
      }
      stack.rawSet(field: method.name, at: -2)
    }
  }
}
