internal import LuaRuntime
internal import Modeling

// Arguments of several values, and arguments that are values of the engine.
extension Call {
  /// A list of strings.
  func strings(_ argument: Int32) throws -> [String] {
    try stack.elements(at: index(argument)) { element in
      guard let text = stack.string(at: element) else {
        throw fail(.expected("a list of strings", found: "\(stack.typeName(at: element)) in it"))
      }
      return text
    } ?? { throw expected("a list of strings", argument) }()
  }

  /// The zero-based range of a slice of `count` elements.
  func range(upTo count: Int) throws -> Range<Int> {
    let first = max(1, try integer(1))
    let last = min(count, try integer(2))
    return first - 1..<max(first - 1, last)
  }

  /// Whether an argument is nil, null or missing.
  func isNothing(_ argument: Int32) -> Bool {
    isMissing(argument) || engine.values.nulls.object(at: index(argument), on: stack) != nil
  }

  /// The values of a table by name; `null` is nil.
  func namedValues(_ argument: Int32) throws -> [String: LuaReference] {
    var values: [String: LuaReference] = [:]
    try stack.forEachPair(at: index(argument)) { stack in
      guard stack.type(at: -2) == .string, let name = stack.string(at: -2) else {
        throw fail("expected named values, got one under a key of type \(stack.typeName(at: -2))")
      }
      let isNull = engine.values.nulls.object(at: -1, on: stack) != nil
      if isNull { stack.pushNil() } else { stack.pushCopy(of: -1) }
      values[name] = stack.popReference()
    }
    return values
  }

  /// A value of an attribute, an object, or null.
  func value(_ argument: Int32) throws -> Value {
    guard count >= argument, let id = try engine.values.value(at: index(argument), on: stack, place: place) else {
      throw expected("a value", argument)
    }
    return id
  }
}
