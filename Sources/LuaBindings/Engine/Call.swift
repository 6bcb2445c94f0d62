internal import LuaRuntime
internal import Modeling

/// A call of a bound function: its arguments, and its name in messages.
///
/// Arguments are numbered from 1, without self.
struct Call {
  let engine: Engine
  let stack: LuaStack
  /// The stack index before the arguments: `base + 1` is the first.
  let base: Int32
  /// The number of arguments.
  let count: Int32
  private let owner: (any Bound)?
  private let name: String
  private let separator: String

  /// Creates the call of a function, whose arguments stand behind the first `base` values.
  init(engine: Engine, stack: LuaStack, name: String, skipping base: Int32 = 0) {
    self.init(engine: engine, stack: stack, owner: nil, name: name, skipping: base)
  }

  /// Creates the call of a method, or the access of a property.
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

  /// The name of the called function, with which messages begin.
  var place: String { owner.map { "\($0.place)\(separator)\(name)" } ?? name }

  // MARK: Arguments

  /// The stack index of an argument.
  func index(_ argument: Int32) -> Int32 { base + argument }

  func type(_ argument: Int32) -> LuaType { stack.type(at: index(argument)) }

  func isMissing(_ argument: Int32) -> Bool { argument > count || stack.isNoneOrNil(at: index(argument)) }

  /// The error for an argument of the wrong kind.
  func expected(_ what: String, _ argument: Int32) -> ScriptError {
    fail(.expected(what, found: argument > count ? "no value" : stack.typeName(at: index(argument))))
  }

  func fail(_ fact: ScriptError.Fact) -> ScriptError { ScriptError(place, fact) }

  func fail(_ text: String) -> ScriptError { ScriptError(place, .other(text)) }

  func string(_ argument: Int32, _ what: String = "a string") throws -> String {
    guard argument <= count, let text = stack.string(at: index(argument)) else { throw expected(what, argument) }
    return text
  }

  /// The name of a file. A NUL byte is an error, because C would end the name there and mean another file.
  func fileName(_ argument: Int32, _ what: String) throws -> String {
    let name = try string(argument, what)
    if name.isEmpty { throw fail(.expected(what, found: "an empty string")) }
    if name.utf8.contains(0) { throw fail(.expected(what, found: "a string with a zero byte")) }
    return name
  }

  func integer(_ argument: Int32, _ what: String = "an integer") throws -> Int {
    if argument <= count, let number = stack.integer(at: index(argument)) { return Int(number) }
    guard argument <= count, type(argument) == .number else { throw expected(what, argument) }
    throw fail(.expected(what, found: try stack.toDisplayString(at: index(argument))))
  }

  func boolean(_ argument: Int32) throws -> Bool {
    guard type(argument) == .boolean else { throw expected("a boolean", argument) }
    return stack.bool(at: index(argument))
  }

  func entity(_ argument: Int32) throws -> BoundEntity {
    guard let entity = engine.classes.object(BoundEntity.self, at: index(argument), on: stack) else {
      throw expected("an entity", argument)
    }
    return entity
  }

  func function(_ argument: Int32) throws -> Int32 {
    guard type(argument) == .function else { throw expected("a function", argument) }
    return index(argument)
  }

  /// One of the words of `choices`; nil if the argument is missing.
  func choice<Choice: RawRepresentable & CaseIterable>(_ argument: Int32, _ type: Choice.Type) throws -> Choice?
  where Choice.RawValue == String {
    if isMissing(argument) { return nil }
    let words = Choice.allCases.map { "\"\($0.rawValue)\"" }
    let what = words.count == 1 ? words[0] : "one of \(ErrorReport.list(words, "or"))"
    let text = try string(argument, what)
    guard let choice = Choice(rawValue: text) else { throw fail(.expected(what, found: "\"\(text)\"")) }
    return choice
  }

  /// The options in a table, checked against the allowed names; no options if the argument is missing.
  func options(_ argument: Int32, _ allowed: [String]) throws -> Options {
    if isMissing(argument) { return Options(call: self, index: nil) }
    guard type(argument) == .table else { throw expected("a table of options", argument) }
    return try Options(call: self, index: index(argument), allowed: allowed)
  }

  /// Returns a reference to an argument; to nil if it is missing.
  func reference(_ argument: Int32) -> LuaReference {
    if argument <= count { return stack.reference(at: index(argument)) }
    stack.pushNil()
    return stack.popReference()
  }

  /// Calls the function in an argument, without arguments, and answers its results.
  func results(of argument: Int32) throws -> ReturnValue {
    let function = try self.function(argument)
    let top = stack.count
    stack.pushCopy(of: function)
    try stack.call(results: LuaStack.allResults)
    return .pushed(stack.count - top)
  }

  /// Throws if there are more arguments than `limit`.
  func refuseMore(than limit: Int32) throws {
    if count > limit { throw fail("expected \(ErrorReport.count(Int(limit), "argument")), got \(count)") }
  }
}

/// The nearest of some names.
func nearest(_ name: String, _ candidates: some Sequence<String>) -> String? { nearestName(to: name, in: candidates) }
