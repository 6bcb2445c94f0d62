internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries

/// The members that every object has in addition to its entity's properties.
enum ObjectMembers {
  /// A property, which is pushed by hand, as the reading of objects is.
  struct Property: Sendable {
    let declaration: Declaration
    let push: @Sendable (ManagedObject, BoundContext, LuaStack) throws -> Void

    init(
      _ name: String, _ signature: String, _ summary: String, sandbox: SandboxRule,
      _ push: @escaping @Sendable (ManagedObject, BoundContext, LuaStack) throws -> Void
    ) {
      declaration = Declaration(name: name, signature: signature, summary: summary, sandbox: sandbox)
      self.push = push
    }

    var name: String { declaration.name }
  }

  struct Method: Sendable {
    let declaration: Declaration
    let body: @Sendable (Call, ManagedObject, BoundContext) throws -> Answer

    init(
      _ name: String, _ signature: String, _ summary: String, sandbox: SandboxRule, example: String,
      _ body: @escaping @Sendable (Call, ManagedObject, BoundContext) throws -> Answer
    ) {
      declaration = Declaration(
        name: name, signature: signature, summary: summary, sandbox: sandbox, example: example)
      self.body = body
    }

    var name: String { declaration.name }

    /// Calls the method for the object at 1.
    func call(_ place: String, _ signature: Signature, _ engine: Engine, _ stack: LuaStack) throws -> Int32 {
      guard let (object, context) = engine.objectAndContext(at: 1, on: stack) else {
        throw ScriptError(place, .expected("an object", found: stack.typeName(at: 1)))
      }
      try context.checkOpen(place)
      let call = Call(engine: engine, stack: stack, owner: context.entity(object.entity), name: name)
      try call.refuseSurplus(signature)
      return try call.push(body(call, object, context))
    }
  }

  static let owner = "Object"

  static func entries(of methods: [Method]) -> [CatalogEntry] {
    properties.map { CatalogEntry(.property, of: owner, $0.declaration, maker: maker) }
      + methods.map { CatalogEntry(.method, of: owner, $0.declaration, maker: maker) }
  }

  private static let maker = "Quake:first()"

  static let properties: [Property] = [
    Property(
      "objectID", "object.objectID", "The object's identity; unsaved objects have a temporary one.", sandbox: .allowed
    ) {
      object, context, stack in
      context.engine.push(id: object.objectID, on: stack)
    },
    Property("isFault", "object.isFault -> boolean", "Whether the values are not in memory yet.", sandbox: .allowed) {
      object, _, stack in
      stack.push(object.isFault)
    },
    Property(
      "isInserted", "object.isInserted -> boolean", "Whether it was inserted since the last save.", sandbox: .allowed
    ) {
      object, _, stack in
      stack.push(object.isInserted)
    },
    Property(
      "isUpdated", "object.isUpdated -> boolean", "Whether a saved object has unsaved changes.", sandbox: .allowed
    ) {
      object, _, stack in
      stack.push(object.isUpdated)
    },
    Property("isDeleted", "object.isDeleted -> boolean", "Whether it was deleted, saved or not.", sandbox: .allowed) {
      object, _, stack in
      stack.push(object.isDeleted)
    },
    Property("hasChanges", "object.hasChanges -> boolean", "Whether the object has unsaved changes.", sandbox: .allowed)
    {
      object, _, stack in
      stack.push(object.hasChanges)
    },
    Property("context", "object.context -> context", "The context it belongs to.", sandbox: .allowed) {
      _, context, stack in
      context.engine.classes.push(context, on: stack)
    },
    Property("entity", "object.entity -> entity", "Its entity.", sandbox: .allowed) { object, context, stack in
      context.engine.classes.push(context.entity(object.entity), on: stack)
    },
  ]

  static let methods: [Method] = [
    Method(
      "changedValues", "object:changedValues() -> table", "The new values of the properties with unsaved changes.",
      sandbox: .allowed, example: "()"
    ) { call, object, context in
      context.noteRead(of: object)
      return context.answer(try object.changes().map { ($0.property, $0.new) }, of: object.entity)
    },
    Method(
      "committedValues", "object:committedValues() -> table", "The values last read from or saved to the store.",
      sandbox: .allowed, example: "()"
    ) {
      call, object, context in
      context.noteRead(of: object)
      return context.answer(try object.committedValues(), of: object.entity)
    },
    Method(
      "validate", "object:validate()", "Raises an error that lists every rule the object breaks.", sandbox: .allowed,
      example: "()"
    ) {
      call, object, _ in
      let violations = try object.violations()
      if !violations.isEmpty { throw GraphError(.invalid(violations)) }
      return .boolean(true)
    },
    Method(
      "refresh", "object:refresh { mergeChanges = true }",
      "Reads the values again at the next use; without mergeChanges, unsaved values are dropped.", sandbox: .allowed,
      example: "({ mergeChanges = true })"
    ) { call, object, _ in
      let options = try call.options(1, ["mergeChanges"])
      try object.refresh(mergeChanges: try options.bool("mergeChanges") ?? true)
      return .nothing
    },
    Method(
      "value", "object:value(keyPath)",
      "The value of a property, a key path or an expression such as `reports.@count`.", sandbox: .allowed,
      example: #"("reports.@count")"#
    ) { call, object, context in
      let expression = try Queries.Expression.parse(try call.expressionText(1))
      try expression.check(in: object.entity, for: .evaluation)
      context.noteRead(of: object)
      let value = try expression.evaluate(object)
      return .pushing { try context.push(evaluated: value, on: $0) }
    },
    Method(
      "set", "object:set(name, value)", "Sets a property by its name.", sandbox: .allowed, example: #"("magnitude", 5)"#
    ) { call, object, context in
      let name = try call.string(1, "the name of a property")
      let objects = context.objects(of: object.entity)
      guard let index = object.entity.index(of: name) else {
        let isFetched = object.entity.fetchedProperties.contains { $0.name == name }
        throw isFetched ? objects.notSettable(fetched: name) : objects.unknown(name)
      }
      guard call.count >= 2 else { throw call.expected("a value", 2) }
      try objects.set(property: index, of: object, at: call.index(2), on: call.stack)
      return .nothing
    },
    Method(
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

extension BoundContext {
  /// A table of properties' values, with `null` for nil, so that the field exists.
  fileprivate func answer(_ values: [(property: String, value: Value)], of entity: Entity) -> Answer {
    .record(
      values.map { name, value in
        let attribute = entity.property(named: name)?.attribute
        return (name, value.isNull ? .reference(engine.null) : .pushing { try self.push(value, of: attribute, on: $0) })
      })
  }

  /// Pushes the result of an expression; object IDs become objects, also in lists.
  func push(evaluated value: Value, on stack: LuaStack) throws {
    guard case .list(let values) = value else { return try push(value, on: stack) }
    stack.reserve(4)
    stack.pushTable(array: Int32(clamping: values.count))
    for (number, value) in values.enumerated() {
      if value.isNull { stack.push(engine.null) } else { try push(value, on: stack) }
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
  }
}

// MARK: - Objects among Lua's values

extension Engine {
  /// The object at `index` and its context; nil for other values.
  func objectAndContext(at index: Int32, on stack: LuaStack) -> (ManagedObject, BoundContext)? {
    guard let objects = objectClass(at: index, on: stack), let object = objects.object(at: index, on: stack) else {
      return nil
    }
    return (object, objects.context)
  }

  /// The object at `index`; nil for other values.
  func object(at index: Int32, on stack: LuaStack) -> ManagedObject? {
    objectClass(at: index, on: stack)?.object(at: index, on: stack)
  }

  func objectID(at index: Int32, on stack: LuaStack) -> ObjectID? { object(at: index, on: stack)?.objectID }

  /// The class of the object at `index`; nil for anything else.
  func objectClass(at index: Int32, on stack: LuaStack) -> ObjectClass? {
    guard stack.type(at: index) == .userdata, stack.pushMetatable(of: index) else { return nil }
    defer { stack.pop() }
    return stack.identity(at: -1).flatMap { objectClasses.objectClass(at: $0) }
  }

  /// The objects of a list, a collection or a result at `index`; nil for anything else.
  func objects(at index: Int32, on stack: LuaStack, place: String) throws -> [ManagedObject]? {
    if let collection = classes.object(BoundCollection.self, at: index, on: stack) { return try collection.members() }
    if let result = classes.object(BoundResult.self, at: index, on: stack) { return try result.result.objectList() }
    if let live = liveRows(at: index, on: stack) { return live.rows.map { live.results[$0] } }
    return try stack.elements(at: index) { element in
      guard let object = object(at: element, on: stack) else {
        throw ScriptError(place, .expected("a list of objects", found: "\(stack.typeName(at: element)) in it"))
      }
      return object
    }
  }

  /// The objects of a collection or result as arguments of a predicate; nil for anything else.
  func argumentList(at index: Int32, on stack: LuaStack) throws -> [Value]? {
    guard stack.type(at: index) == .userdata else { return nil }
    if let collection = classes.object(BoundCollection.self, at: index, on: stack) {
      return try collection.members().map { .object($0.objectID) }
    }
    if let live = liveRows(at: index, on: stack) { return live.results.objectIDs(live.rows).map { .object($0) } }
    return classes.object(BoundResult.self, at: index, on: stack)?.result.objectIDs.map { .object($0) }
  }
}
