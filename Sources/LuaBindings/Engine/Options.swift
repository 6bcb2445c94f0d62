internal import LuaRuntime
internal import Modeling

/// The fields of an options table.
struct Options {
  let call: Call
  /// The stack index of the table; nil for none.
  let index: Int32?

  init(call: Call, index: Int32?) {
    self.call = call
    self.index = index
  }

  /// Reads the table at `index`, whose fields must be among `allowed`; with `listed` it may also have elements from 1
  /// on.
  init(call: Call, index: Int32, allowed: [String], listed: Bool = false) throws {
    self.init(call: call, index: index)
    try call.stack.forEachPair(at: index) { stack in
      if listed, stack.isInteger(at: -2) { return }
      guard let name = stack.string(at: -2), stack.type(at: -2) == .string else {
        throw call.fail("expected options by name, got a field of type \(stack.typeName(at: -2))")
      }
      if !allowed.contains(name) { throw call.fail(.unknownOption(name, among: allowed)) }
    }
  }

  /// Calls `body` with the stack index of the field's value; returns nil if the table has no such field.
  func with<Result>(_ name: String, _ body: (Int32) throws -> Result) rethrows -> Result? {
    guard let index else { return nil }
    let stack = call.stack
    defer { stack.pop() }
    guard stack.rawGet(field: name, at: index) != .nil else { return nil }
    return try body(stack.count)
  }

  /// The names of the fields.
  var names: [String] {
    get throws {
      var names: [String] = []
      guard let index else { return names }
      try call.stack.forEachPair(at: index) { stack in
        if stack.type(at: -2) == .string, let name = stack.string(at: -2) { names.append(name) }
      }
      return names
    }
  }

  /// Whether the table has the field.
  func has(_ name: String) -> Bool { with(name) { _ in true } ?? false }

  func expected(_ what: String, _ name: String, _ index: Int32) -> ScriptError {
    ScriptError("\(call.place): \(name)", .expected(what, found: call.stack.typeName(at: index)))
  }

  /// An entity, or the entity with that name in the context of the environment.
  func entity(_ name: String) throws -> BoundEntity? {
    try with(name) { index in
      if let text = call.stack.string(at: index) {
        return try call.engine.globals.context(call).entity(named: text, "\(call.place): \(name)")
      }
      guard let entity = call.engine.classes.object(BoundEntity.self, at: index, on: call.stack) else {
        throw expected("an entity", name, index)
      }
      return entity
    }
  }

  func bool(_ name: String) throws -> Bool? {
    try with(name) { index in
      guard call.stack.type(at: index) == .boolean else { throw expected("a boolean", name, index) }
      return call.stack.bool(at: index)
    }
  }

  func integer(_ name: String) throws -> Int? {
    try with(name) { index in
      if let number = call.stack.integer(at: index) { return Int(number) }
      guard call.stack.type(at: index) == .number else { throw expected("an integer", name, index) }
      let found = try call.stack.toDisplayString(at: index)
      throw ScriptError("\(call.place): \(name)", .expected("an integer", found: found))
    }
  }

  func number(_ name: String) throws -> Double? {
    try with(name) { index in
      guard let number = call.stack.number(at: index) else { throw expected("a number", name, index) }
      return number
    }
  }

  func string(_ name: String) throws -> String? {
    try with(name) { index in
      guard let text = call.stack.string(at: index) else { throw expected("a string", name, index) }
      return text
    }
  }

  /// A list of strings.
  func strings(_ name: String) throws -> [String]? {
    try with(name) { index in
      try call.stack.elements(at: index) { element in
        guard let text = call.stack.string(at: element) else { throw expected("a list of strings", name, element) }
        return text
      } ?? { throw expected("a list of strings", name, index) }()
    }
  }

  /// A string, or a list of strings; none where the field is missing.
  func names(_ name: String) throws -> [String] {
    try with(name) { index in
      if call.stack.type(at: index) == .string { return [try string(name) ?? ""] }
      return try strings(name) ?? []
    } ?? []
  }

  func choice<Choice: RawRepresentable & CaseIterable>(_ name: String, _ type: Choice.Type) throws -> Choice?
  where Choice.RawValue == String {
    guard let text = try string(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let words = Choice.allCases.map { "\"\($0.rawValue)\"" }
      throw ScriptError(
        "\(call.place): \(name)", .expected("one of \(ErrorReport.list(words, "or"))", found: "\"\(text)\""))
    }
    return choice
  }
}

extension LuaStack {
  /// The results of `body` for each element of the list at `index`; nil if it is not a table.
  func elements<Element>(at index: Int32, _ body: (Int32) throws -> Element) throws -> [Element]? {
    guard type(at: index) == .table else { return nil }
    let table = absolute(index)
    var list: [Element] = []
    var poll = InterruptionPoll()
    for number in 0..<rawLength(at: table) {
      try poll.step()
      reserve(4)
      rawGet(element: Int64(number + 1), at: table)
      let top = count
      defer { setCount(top - 1) }
      list.append(try body(top))
    }
    return list
  }
}
