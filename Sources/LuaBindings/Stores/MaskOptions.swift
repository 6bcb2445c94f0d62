internal import LuaRuntime
internal import Modeling
internal import Transfer

/// The masks of a copy: `mask = { ["User.email"] = "email", ["*.name"] = function(value, object) … end }, secret = "…"`.
enum MaskOptions {
  /// Reads the masks; nil without any.
  static func read(_ options: Options, for store: BoundStore) throws -> Masks? {
    let secret = try options.string("secret").map { try MaskSecret($0) } ?? .random()
    return try options.with("mask") { index in
      let call = options.call
      guard call.stack.type(at: index) == .table else {
        throw options.expected("a table of masks by ENTITY.ATTRIBUTE", "mask", index)
      }
      var rules: [MaskRule] = []
      try call.stack.forEachPair(at: index) { stack in
        guard stack.type(at: -2) == .string, let path = stack.string(at: -2) else {
          throw options.expected("a table of masks by ENTITY.ATTRIBUTE", "mask", -2)
        }
        rules.append(MaskRule(path, try mask(options, path, store)))
      }
      return try Masks(rules, secret, for: store.objectStore)
    }
  }

  /// The mask on the top of the stack.
  private static func mask(_ options: Options, _ path: String, _ store: BoundStore) throws -> Mask {
    let stack = options.call.stack
    if stack.type(at: -1) == .string, let name = stack.string(at: -1) { return try Mask(name) }
    guard stack.type(at: -1) == .function else {
      throw options.expected("the name of a mask, or a function(value, object)", "mask[\"\(path)\"]", -1)
    }
    let function = stack.reference(at: -1)
    let (engine, place) = (options.call.engine, "\(options.call.place): mask[\"\(path)\"]")
    return .function { value, id in
      try store.checkOpen(options.call)
      stack.reserve(8)
      stack.push(function)
      try store.mainContext.push(value, on: stack)
      try store.mainContext.push(store.mainContext.objectContext.object(id), on: stack)
      try stack.call(arguments: 2, results: 1)
      defer { stack.pop() }
      if stack.type(at: -1) == .nil { return .null }
      guard let masked = try engine.values.value(at: -1, on: stack, place: place) else {
        throw ScriptError(place, .expected("a value from the function", found: stack.typeName(at: -1)))
      }
      return masked
    }
  }
}
