internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries

// What scripts call on an entity.
extension BoundEntity {
  static let members: [Member<BoundEntity>] = [
    .property("name", "Entity.name -> string", "The name of the entity.") { call, entity in
      call.stack.push(entity.entity.name)
      return 1
    },
    .property("context", "Entity.context -> context", "The context whose objects it makes and finds.") { call, entity in
      call.engine.contexts.push(entity.context, on: call.stack)
      return 1
    },
    .property("computed", "Entity.computed.name = function(self) ... end", "Properties computed by functions.") {
      call, entity in
      call.engine.computedProperties.push(ComputedProperties(entity), on: call.stack)
      return 1
    },
    .method(
      "find", "Entity:find(key) -> object or nil",
      "The object with a value of the unique attribute, or else with a key."
    ) { call, entity in
      try entity.find(call)
    },
    .method("all", "Entity:all() -> request", "A request for all objects.") { call, entity in
      call.engine.requests.push(try entity.request(), on: call.stack)
      return 1
    },
    .method("where", "Entity:where(predicate, ...) -> request", "A request for the objects that fulfil a predicate.") {
      call, entity in
      call.engine.requests.push(try entity.request(try call.predicate(1)), on: call.stack)
      return 1
    },
    .method("count", "Entity:count([predicate, ...]) -> number", "How many objects fulfil a predicate.") {
      call, entity in
      call.stack.push(try entity.request(try call.optionalPredicate(1)).count(call))
      return 1
    },
    .method("first", "Entity:first([predicate, ...]) -> object or nil", "One object that fulfils a predicate.") {
      call, entity in
      try entity.request(try call.optionalPredicate(1)).first(call)
    },
    .method("exists", "Entity:exists([predicate, ...]) -> boolean", "Whether any object fulfils a predicate.") {
      call, entity in
      call.stack.push(try entity.request(try call.optionalPredicate(1)).exists(call))
      return 1
    },
    .method(
      "batchInsert", "Entity:batchInsert(rows) -> number",
      "Writes rows at once: a list of tables, or a function that returns the next."
    ) { call, entity in
      try entity.batchInsert(call)
    },
    .method("batchUpdate", "Entity:batchUpdate(predicate, changes) -> number", "Changes objects in the store at once.")
    { call, entity in
      let predicate = try entity.batchPredicate(call)
      return try entity.request(predicate).update(call, at: call.index(2))
    },
    .method(
      "batchDelete", "Entity:batchDelete(predicate) -> number",
      "Deletes objects in the store at once, delete rules enforced."
    ) { call, entity in
      try entity.request(try call.predicate(1)).delete(call)
    },
  ]

  private func batchPredicate(_ call: Call) throws -> Queries.Predicate? {
    if call.isMissing(1) { return nil }
    guard let predicate = try call.engine.predicate(at: call.index(1), on: call.stack, place: call.place) else {
      throw call.expected("a predicate (string, table or Predicate)", 1)
    }
    try call.refuseMore(than: 2)
    return predicate
  }

  /// `find "us1"`, `find { a = 1, b = 2 }`
  private func find(_ call: Call) throws -> Int32 {
    try context.checkOpen(call.place)
    try call.refuseMore(than: 1)
    let object = try call.type(1) == .table ? objectByNames(call) : objectByKey(call)
    guard let object else {
      call.stack.pushNil()
      return 1
    }
    try context.push(object, on: call.stack)
    return 1
  }

  private func objectByKey(_ call: Call) throws -> ManagedObject? {
    guard let value = try call.engine.value(at: call.index(1), on: call.stack, place: call.place), !value.isNull else {
      throw call.expected("a key", 1)
    }
    // A key of another type than the unique attribute's would find nothing without a word.
    guard let unique = entity.uniqueAttribute else { return try context.context.find(entity, [value]) }
    do { return try context.context.find(entity, [try unique.coerce(value)]) } catch is ValueError {
      throw call.fail(
        .expected("\(unique.type.rawValue), as \(unique.name) is", found: call.stack.typeName(at: call.index(1))))
    }
  }

  private func objectByNames(_ call: Call) throws -> ManagedObject? {
    let values = try values(at: call.index(1), call)
    var indices: [Int] = []
    var wanted: [Value] = []
    for (index, value) in values {
      guard let attribute = entity.properties[index].attribute else {
        throw call.fail("'\(entity.properties[index].name)' is a relationship, and find takes attributes")
      }
      do { wanted.append(try attribute.coerce(value)) } catch {
        throw GraphError(.wrongValue(error, entity: entity.name, property: attribute.name))
      }
      indices.append(index)
    }
    if indices.isEmpty { throw call.fail("expected values by attribute, got an empty table") }
    return try context.context.find(entity, where: indices, equal: wanted)
  }

  private func batchInsert(_ call: Call) throws -> Int32 {
    try context.checkOpen(call.place)
    let stack = call.stack
    let next: () throws -> [(property: Int, value: Value)]?
    switch call.type(1) {
    case .table:
      var row: Int64 = 0
      next = { [self] in
        row += 1
        defer { stack.pop() }
        guard stack.rawGet(element: row, at: call.index(1)) != .nil else { return nil }
        return try values(at: stack.count, call)
      }
    case .function:
      next = { [self] in
        stack.pushCopy(of: call.index(1))
        try stack.call(arguments: 0, results: 1)
        defer { stack.pop() }
        try context.checkOpen(call.place)
        return stack.isNil(at: -1) ? nil : try values(at: stack.count, call)
      }
    default: throw call.expected("a list of tables, or a function", 1)
    }
    stack.push(try context.context.batchInsert(entity, next))
    return 1
  }
}

// MARK: - Methods and computed properties of scripts

extension BoundEntity {
  /// The method that a script gave to the entity or an ancestor.
  func scriptMethod(_ name: String) -> LuaReference? {
    var next: Entity? = entity
    while let ancestor = next {
      if let method = context.store.members(of: ancestor).methods[name] { return method }
      next = ancestor.parent
    }
    return nil
  }

  /// `function Quake:isMajor() ... end`
  func setMethod(_ name: String, _ call: Call) throws {
    // What is built in asks it, too, rather than being replaced by it.
    if name != "validate" { try checkName(name) }
    if name == "awakeFromFetch" {
      throw ScriptError(
        entity.name, .other("awakeFromFetch is never called, as rows are read in batches; use \(entity.name).computed"))
    }
    let isRemoval = call.stack.isNil(at: 3)
    guard isRemoval || call.stack.type(at: 3) == .function else {
      throw ScriptError("\(entity.name).\(name)", .expected("a function", found: call.stack.typeName(at: 3)))
    }
    context.store.members(of: entity).setMethod(name, isRemoval ? nil : call.stack.reference(at: 3))
    context.store.memberChanged(name, of: entity)
  }

  /// Refuses names that mean something else already.
  func checkName(_ name: String) throws {
    let builtIn =
      Self.members.map(\.name) + ObjectMembers.methods.map(\.name) + ObjectMembers.properties.map(\.name)
    if builtIn.contains(name) { throw ScriptError(entity.name, .builtIn(name)) }
    if entity.index(of: name) != nil {
      throw ScriptError(entity.name, .other("'\(name)' is a property of the entity already"))
    }
  }
}
