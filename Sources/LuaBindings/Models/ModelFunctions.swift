internal import LuaRuntime
internal import Modeling
internal import Queries

/// The functions that declare models.
enum ModelFunctions {
  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "Model", "Model { Name = Entity { ... }, ... } | Model [[source]] -> model",
      "A model of entities by name, of Swift classes with @Model, or of the XML of a .xcdatamodel.", sandbox: .allowed,
      example: #"Model { Quake = Entity { code = String { unique = true }, magnitude = Double, time = Date } }"#
    ) { call in
      if call.type(1) == .string { try call.refuseMore(than: 1) }
      let model =
        try call.type(1) == .string
        ? ModelLoader(call.engine).model(declaredBy: call.string(1, "a model in valid UTF-8")) : model(call)
      return .object(BoundModel(model))
    },
    GlobalFunction(
      "loadModel", "loadModel(path [, version]) -> model",
      "A model of Apple's: .xcdatamodeld, .xcdatamodel, .momd, .mom or .swift; the current version, or the one named.",
      sandbox: .noFiles, example: #"loadModel "Recipes.xcdatamodeld""#
    ) { call in
      let version = call.isMissing(2) ? nil : try call.string(2, "the name of a version")
      let model = try ModelLoader(call.engine).load(try call.fileName(1, "the path of a model"), version: version)
      return .object(BoundModel(model))
    },
    GlobalFunction(
      "Entity", "Entity { name = type, ..., _ = { ... } }", "An entity of a model, with its properties by name.",
      sandbox: .allowed,
      example: #"Model { City = Entity { name = String { indexed = true }, _ = { indexes = { { "name" } } } } }"#
    ) { call in
      .object(try EntityDraft(call))
    },
    GlobalFunction(
      "Derived", "Derived { type = String, \"day(time)\" }", "An attribute that the store computes from others.",
      sandbox: .allowed,
      example: #"Model { Quake = Entity { time = Date, day = Derived { type = String, "day(time)" } } }"#
    ) { call in
      .object(try AttributeDraft(derived: call))
    },
    GlobalFunction(
      "FetchedProperty", "FetchedProperty { entity = , predicate = , sortDescriptors = , fetchLimit = }",
      "Objects fetched at the first read by a predicate in which `$FETCH_SOURCE` is the object itself.",
      sandbox: .allowed,
      example:
        #"Model { Quake = Entity { magnitude = Double, strong = FetchedProperty { entity = "Quake", predicate = "magnitude > 6" } } }"#
    ) { call in
      .object(try FetchedPropertyDraft(call))
    },
    GlobalFunction(
      "ToOne", "ToOne \"Entity\" { inverse = ... }", "A relationship to one object.", sandbox: .allowed,
      example: #"Model { A = Entity { name = String }, B = Entity { a = ToOne "A" } }"#
    ) { call in
      .object(try RelationshipDraft(call, toMany: false))
    },
    GlobalFunction(
      "ToMany", "ToMany \"Entity\" { inverse = ... }", "A relationship to many objects.", sandbox: .allowed,
      example: #"Model { A = Entity { bs = ToMany "B" { inverse = "a" } }, B = Entity { a = ToOne "A" } }"#
    ) { call in
      .object(try RelationshipDraft(call, toMany: true))
    },
  ]

  /// Reads `Model { ... }`: entities by name, in the order in `_` or else alphabetically.
  private static func model(_ call: Call) throws -> Model {
    guard call.type(1) == .table else { throw call.expected("a table of entities, Swift source or XML", 1) }
    let stack = call.stack
    var entities: [String: EntityDescription] = [:]
    try stack.forEachPair(at: call.index(1)) { stack in
      guard stack.type(at: -2) == .string, let name = stack.string(at: -2) else {
        throw call.fail("expected entities by name, got a field of type \(stack.typeName(at: -2))")
      }
      if name == "_" { return }
      guard let draft = call.engine.classes.object(EntityDraft.self, at: -1, on: stack) else {
        throw ScriptError("Model: \(name)", .expected("Entity { ... }", found: stack.typeName(at: -1)))
      }
      entities[name] = draft.description
      entities[name]?.name = name
    }
    return try withOptions(call) { options in
      let order = try order(options, names: Array(entities.keys))
      let rest = Set(entities.keys).subtracting(order).sorted()
      let configurations = try options.listsByName("configurations")
      let model = try Model(
        (order + rest).compactMap { entities[$0] }, version: ModelOptions.version(options),
        fetchRequestTemplates: templates(options), configurations: configurations,
        cloudKitConfigurations: ModelOptions.cloudKitConfigurations(options, among: Array(configurations.keys)))
      try model.checkFetchRequestTemplates()
      return model
    }
  }

  /// Calls `body` with the options in `_`.
  private static func withOptions<Result>(_ call: Call, _ body: (Options) throws -> Result) throws -> Result {
    let stack = call.stack
    defer { stack.pop() }
    switch stack.rawGet(field: "_", at: call.index(1)) {
    case .nil: return try body(Options(call: call, index: nil))
    case .table:
      return try body(
        Options(
          call: call, index: stack.count,
          allowed: ["order", "templates", "version", "configurations", "usedWithCloudKit"]))
    default: throw ScriptError("Model: _", .expected("a table of options", found: stack.typeName(at: -1)))
    }
  }

  private static func order(_ options: Options, names: [String]) throws -> [String] {
    let order = try options.strings("order") ?? []
    for name in order where !names.contains(name) {
      throw ScriptError("Model: order", .unknownMember(name, of: "the model", nearest: nearest(name, names)))
    }
    return order
  }

  /// Reads `templates = { big = { entity = "Quake", predicate = "magnitude >= $minimum" } }`.
  private static func templates(_ options: Options) throws -> [String: FetchRequestTemplate] {
    let call = options.call
    let templates = try options.with("templates") { index -> [String: FetchRequestTemplate] in
      guard call.stack.type(at: index) == .table else {
        throw options.expected("a table of requests by name", "templates", index)
      }
      var templates: [String: FetchRequestTemplate] = [:]
      try call.stack.forEachPair(at: index) { stack in
        guard stack.type(at: -2) == .string, let name = stack.string(at: -2), stack.type(at: -1) == .table else {
          throw options.expected("a table of requests by name", "templates", stack.count)
        }
        let names = FetchedPropertyDraft.options.map(\.name)
        templates[name] = try FetchRequestTemplate(Options(call: call, index: stack.count, allowed: names))
      }
      return templates
    }
    return templates ?? [:]
  }
}
