internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

// Calls of the functions that scripts define as objects' hooks.
extension BoundContext {
  /// Makes the context's hooks call the functions that scripts have defined; other hooks stay nil and cost nothing.
  func updateHooks() {
    let entities = objectContext.store.model.entities
    entityHooks = Dictionary(uniqueKeysWithValues: entities.map { ($0, EntityHooks(entity($0))) })
    func isDefined(_ isWanted: (EntityHooks) -> Bool) -> Bool { entityHooks.values.contains(where: isWanted) }
    objectContext.hooks.awakeFromInsert = isDefined { $0.awakeFromInsert != nil } ? hook(\.awakeFromInsert) : nil
    objectContext.hooks.prepareForDeletion =
      isDefined { $0.prepareForDeletion != nil } ? hook(\.prepareForDeletion) : nil
    objectContext.hooks.willSave = isDefined { $0.willSave != nil } ? hook(\.willSave) : nil
    objectContext.hooks.validate =
      isDefined(\.validates) ? { [unowned self] in try violations(of: $0, $1) } : nil
    let didSave = hook(\.didSave)
    objectContext.hooks.didSave =
      isDefined { $0.didSave != nil }
      ? { [unowned self] object in engine.turns.runCallback { try didSave(object) } } : nil
  }

  /// Returns a function that calls a method of an object's entity.
  private func hook(_ method: KeyPath<EntityHooks, LuaReference?>) -> (ManagedObject) throws -> Void {
    { [unowned self] object in
      guard !isClosed, let function = entityHooks[object.entity]?[keyPath: method] else { return }
      let stack = engine.lua.stack
      stack.reserve(6)
      let top = stack.count
      defer { stack.setCount(top) }
      stack.push(function)
      try push(object, on: stack)
      try stack.call(arguments: 1)
    }
  }

  // MARK: Validation

  private func violations(of object: ManagedObject, _ occasion: ValidationOccasion) throws -> [Violation] {
    guard let hooks = entityHooks[object.entity], hooks.validates else { return [] }
    let stack = engine.lua.stack
    stack.reserve(8)
    let top = stack.count
    defer { stack.setCount(top) }
    var found: [Violation] = []
    if occasion != .delete {
      for (index, function) in hooks.propertyRules {
        stack.push(function)
        try push(object, on: stack)
        let name = object.entity.properties[index].name
        try stack.get(field: name, at: -1)
        guard let mistake = try mistake(arguments: 2, on: stack) else { continue }
        found.append(violation(of: object, mistake, property: name))
      }
    }
    for function in hooks.objectRules(occasion) {
      stack.push(function)
      try push(object, on: stack)
      if let mistake = try mistake(arguments: 1, on: stack) { found.append(violation(of: object, mistake)) }
    }
    return found
  }

  /// A script rule's objection to an object.
  private struct Mistake {
    var text = "is not valid"
    var property: String?
  }

  /// Calls the rule on the stack; a rule refuses an object by an error, or by false and a message.
  ///
  /// - Throws: a failure that is not a refusal, such as an interruption or an error in the rule itself.
  private func mistake(arguments: Int32, on stack: LuaStack) throws -> Mistake? {
    let top = stack.count - arguments - 1
    defer { stack.setCount(top) }
    do {
      try stack.call(arguments: arguments, results: 2)
    } catch {
      guard error.kind == .runtime, let value = error.value, engine.raised(error) == nil else { throw error }
      stack.push(value)
      return try mistake(error: error, on: stack)
    }
    guard stack.type(at: -2) == .boolean, !stack.bool(at: -2) else { return nil }
    return Mistake(text: stack.repairedString(at: -1) ?? Mistake().text)
  }

  /// The refusal in an error value, which is on the top.
  private func mistake(error: LuaError, on stack: LuaStack) throws -> Mistake {
    if stack.type(at: -1) == .table {
      var mistake = Mistake()
      if stack.rawGet(field: "message", at: -1) == .string { mistake.text = stack.repairedString(at: -1) ?? "" }
      if stack.rawGet(field: "property", at: -2) == .string { mistake.property = stack.repairedString(at: -1) }
      return mistake
    }
    if stack.isNil(at: -1) { return Mistake() }
    let text = error.message.withoutPosition
    // Lua's own messages mean that the rule is wrong, not the object.
    let isLuas = ["attempt to ", "bad argument ", "calling ", "stack overflow", "C stack overflow", "error in error "]
    if isLuas.contains(where: text.hasPrefix) { throw error }
    return Mistake(text: text)
  }

  private func violation(of object: ManagedObject, _ mistake: Mistake, property: String? = nil) -> Violation {
    let name = mistake.property ?? property ?? ""
    var value = Value.null
    if let index = object.entity.index(of: name), object.entity.properties[index].attribute != nil {
      value = (try? object.attribute(at: index)) ?? .null
    }
    var violation = Violation(entity: object.entity.name, property: name, kind: .custom, value: value)
    violation.text = mistake.text
    return violation
  }
}

extension String {
  /// A Lua message without its leading `file:line: `.
  fileprivate var withoutPosition: String {
    var search = self[...]
    while let colon = search.firstIndex(of: ":") {
      search = search[search.index(after: colon)...]
      let digits = search.prefix { $0.isASCII && $0.isNumber }
      if !digits.isEmpty, search.dropFirst(digits.count).hasPrefix(": ") {
        return String(search.dropFirst(digits.count + 2))
      }
    }
    return self
  }
}
