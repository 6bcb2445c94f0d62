public import LuaRuntime

extension EngineValue {
  /// Reads the value at `index`.
  ///
  /// - Throws: ScriptError for a value that cannot be read, such as one of a closed store.
  public init(at index: Int32, on stack: LuaStack, in engine: Engine) throws {
    guard stack.type(at: index) == .userdata else {
      self = BoundListing.listing(at: index, on: stack, in: engine).map { .listing($0) } ?? .other
      return
    }
    if let object = engine.values.object(at: index, on: stack) {
      self = .object(object)
    } else if let known = try engine.classes.value(at: index, on: stack)?.display {
      self = known
    } else {
      self = try engine.values.value(at: index, on: stack, place: "").map { .value($0) } ?? .other
    }
  }
}
