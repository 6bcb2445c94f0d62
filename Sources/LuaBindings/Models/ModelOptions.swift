internal import LuaRuntime
internal import Modeling

/// The options in `_` of `Model { ... }`.
enum ModelOptions {
  static let entries = [
    CatalogEntry(
      kind: .option, owner: "Model", name: "version", signature: "_ = { version = ... }",
      summary: "The author's name for this version; a store of a later one is refused.",
      example: #"Model { Quake = Entity { code = String { unique = true }, magnitude = Double, time = Date } }"#),
    CatalogEntry(
      kind: .option, owner: "Model", name: "configurations", signature: "_ = { configurations = { Name = { ... } } }",
      summary: "Lists of the entities that go into one of several stores of an app.",
      example: #"Model { Quake = Entity { code = String { unique = true }, magnitude = Double, time = Date } }"#),
    CatalogEntry(
      kind: .option, owner: "Model", name: "usedWithCloudKit", signature: "_ = { usedWithCloudKit = true | { ... } }",
      summary: "Whether an app mirrors it to CloudKit, or which configurations; Default is that of all entities.",
      example: #"Model { Quake = Entity { code = String { unique = true }, magnitude = Double, time = Date } }"#),
  ]

  /// The configurations that are mirrored to CloudKit: `true` for that of all entities, or a list of names.
  static func cloudKitConfigurations(_ options: Options, among names: [String]) throws -> Set<String> {
    let listed = try options.with("usedWithCloudKit") { index -> Set<String> in
      let stack = options.call.stack
      if stack.type(at: index) == .boolean {
        return stack.bool(at: index) ? [Model.defaultConfiguration] : []
      }
      let known = names + [Model.defaultConfiguration]
      let list = try options.strings("usedWithCloudKit") ?? []
      for name in list where !known.contains(name) {
        throw ScriptError(
          "Model: usedWithCloudKit", .unknownMember(name, of: "the model", nearest: nearest(name, known)))
      }
      return Set(list)
    }
    return listed ?? []
  }

  /// The author's name for the version: a text or a number, `2` or `"1.10"`.
  static func version(_ options: Options) throws -> ModelVersion? {
    try options.with("version") { index in
      let stack = options.call.stack
      if stack.type(at: index) == .number {
        if let number = stack.integer(at: index) { return ModelVersion("\(number)") }
        if let number = stack.number(at: index), number.isFinite { return ModelVersion("\(number)") }
      }
      guard stack.type(at: index) == .string, let text = stack.string(at: index), !text.isEmpty else {
        throw options.expected("a number or a text", "version", index)
      }
      return ModelVersion(text)
    }
  }
}
