internal import LuaRuntime
internal import Modeling

/// A call of a function of ours: its arguments, and how messages name it.
///
/// Arguments are numbered from 1, self not counted.
struct Call {
  let engine: Engine
  let stack: LuaStack
  /// Where the arguments begin: `arguments + 1` is the first.
  let base: Int32
  /// How many arguments were given.
  let count: Int32
  private let owner: (any Bound)?
  private let name: String
  private let separator: String

  /// A call of a function.
  init(engine: Engine, stack: LuaStack, name: String) {
    self.init(engine: engine, stack: stack, owner: nil, name: name, skipping: 0)
  }

  /// A call of a method, or the use of a property.
  init(
    engine: Engine, stack: LuaStack, owner: (any Bound)?, name: String, separator: String = ":",
    skipping base: Int32 = 1
  ) {
    self.engine = engine
    self.stack = stack
    self.owner = owner
    self.name = name
    self.separator = separator
    self.base = base
    count = max(0, stack.count - base)
  }

  /// What was called, as messages begin.
  var place: String { owner.map { "\($0.place)\(separator)\(name)" } ?? name }

  // MARK: Arguments

  /// The stack index of an argument.
  func index(_ argument: Int32) -> Int32 { base + argument }

  func type(_ argument: Int32) -> LuaType { stack.type(at: index(argument)) }

  func isMissing(_ argument: Int32) -> Bool { argument > count || stack.isNoneOrNil(at: index(argument)) }

  /// The error that an argument is not what was expected.
  func expected(_ what: String, _ argument: Int32) -> ScriptError {
    fail(.expected(what, found: argument > count ? "no value" : stack.typeName(at: index(argument))))
  }

  func fail(_ fact: ScriptError.Fact) -> ScriptError { ScriptError(place, fact) }

  func fail(_ text: String) -> ScriptError { ScriptError(place, .other(text)) }

  func string(_ argument: Int32, _ what: String = "a string") throws -> String {
    guard argument <= count, let text = stack.string(at: index(argument)) else { throw expected(what, argument) }
    return text
  }

  func integer(_ argument: Int32, _ what: String = "an integer") throws -> Int {
    guard argument <= count, let number = stack.integer(at: index(argument)) else { throw expected(what, argument) }
    return Int(number)
  }

  func boolean(_ argument: Int32) throws -> Bool {
    guard type(argument) == .boolean else { throw expected("a boolean", argument) }
    return stack.bool(at: index(argument))
  }

  func function(_ argument: Int32) throws -> Int32 {
    guard type(argument) == .function else { throw expected("a function", argument) }
    return index(argument)
  }

  /// One of the words of `choices`; nil when the argument was left out.
  func choice<Choice: RawRepresentable & CaseIterable>(_ argument: Int32, _ choices: Choice.Type) throws -> Choice?
  where Choice.RawValue == String {
    if isMissing(argument) { return nil }
    let words = Choice.allCases.map { "\"\($0.rawValue)\"" }
    let what = "one of \(ErrorReport.list(words, "or"))"
    let text = try string(argument, what)
    guard let choice = Choice(rawValue: text) else { throw fail(.expected(what, found: "\"\(text)\"")) }
    return choice
  }

  /// The options that a table gives, checked against the names allowed; no options when the argument was left out.
  func options(_ argument: Int32, _ allowed: [String]) throws -> Options {
    if isMissing(argument) { return Options(call: self, index: nil) }
    guard type(argument) == .table else { throw expected("a table of options", argument) }
    return try Options(call: self, index: index(argument), allowed: allowed)
  }

  /// Refuses more arguments than `limit`.
  func refuseMore(than limit: Int32) throws {
    if count > limit { throw fail("expected \(ErrorReport.count(Int(limit), "argument")), got \(count)") }
  }
}

/// The nearest of some names.
func nearest(_ name: String, _ candidates: some Sequence<String>) -> String? { nearestName(to: name, in: candidates) }

/// The fields of a table that names arguments.
struct Options {
  let call: Call
  /// Where the table stands; nil for none.
  let index: Int32?

  init(call: Call, index: Int32?) {
    self.call = call
    self.index = index
  }

  /// Takes the table at `index`, whose fields must be among `allowed`; elements numbered from 1 only with `listed`.
  init(call: Call, index: Int32, allowed: [String], listed: Bool = false) throws {
    self.init(call: call, index: index)
    try call.stack.forEachPair(at: index) { stack in
      if listed, stack.isInteger(at: -2) { return }
      guard let name = stack.string(at: -2), stack.type(at: -2) == .string else {
        throw call.fail("expected options by name, got a field of type \(stack.typeName(at: -2))")
      }
      if !allowed.contains(name) { throw call.fail(.unknownOption(name, nearest: nearest(name, allowed))) }
    }
  }

  /// Calls `body` with the stack index of the field's value; nil when the field is not there.
  func with<Result>(_ name: String, _ body: (Int32) throws -> Result) rethrows -> Result? {
    guard let index else { return nil }
    let stack = call.stack
    defer { stack.pop() }
    guard stack.rawGet(field: name, at: index) != .nil else { return nil }
    return try body(stack.count)
  }

  /// Whether the field is there.
  func has(_ name: String) -> Bool { with(name) { _ in true } ?? false }

  func expected(_ what: String, _ name: String, _ index: Int32) -> ScriptError {
    ScriptError("\(call.place): \(name)", .expected(what, found: call.stack.typeName(at: index)))
  }

  func bool(_ name: String) throws -> Bool? {
    try with(name) { index in
      guard call.stack.type(at: index) == .boolean else { throw expected("a boolean", name, index) }
      return call.stack.bool(at: index)
    }
  }

  func integer(_ name: String) throws -> Int? {
    try with(name) { index in
      guard let number = call.stack.integer(at: index) else { throw expected("an integer", name, index) }
      return Int(number)
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

  func choice<Choice: RawRepresentable & CaseIterable>(_ name: String, _ choices: Choice.Type) throws -> Choice?
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
  /// What `body` makes of each element of the list at `index`; nil if it is no table.
  func elements<Element>(at index: Int32, _ body: (Int32) throws -> Element) throws -> [Element]? {
    guard type(at: index) == .table else { return nil }
    let table = absolute(index)
    var list: [Element] = []
    for number in 0..<rawLength(at: table) {
      reserve(4)
      rawGet(element: Int64(number + 1), at: table)
      let top = count
      defer { setCount(top - 1) }
      list.append(try body(top))
    }
    return list
  }
}
