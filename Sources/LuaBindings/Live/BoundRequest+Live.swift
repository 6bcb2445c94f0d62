internal import LuaRuntime
internal import Queries

extension BoundRequest {
  static let liveMembers: [Member<BoundRequest>] = [
    .method(
      "live", "request:live([{ animation = }]) -> FetchedResults",
      "The objects it selects, kept up to date while the store and the context change.", sandbox: .allowed,
      example: "()"
    ) { call, request in
      try request.live(call)
    },
    .property(
      "animation", "request.animation", "The animation of changes to its live results: a name, or nil.",
      sandbox: .allowed
    ) {
      call, request in
      .text(request.request.animation)
    },
  ]

  private func live(_ call: Call) throws -> ReturnValue {
    var configuration = ResultsConfiguration(request: request, animation: request.animation)
    if let animation = try call.options(1, ["animation", "transaction"]).animation() {
      configuration.animation = animation.name
    }
    switch request.resultType {
    case .objects, .objectIDs:
      return .object(try BoundFetchedResults(checking: configuration, context, call))
    case .dictionaries, .count:
      return .object(try BoundFetchedValues(checking: configuration, context, call))
    }
  }
}

extension Options {
  /// The name of an animation, whose name is nil for none; nil if the option is absent.
  func animation() throws -> (name: String?, Void)? {
    if let transaction = try transaction() {
      if has("animation") { throw call.fail("'animation' and 'transaction' say the same; give one of them") }
      return transaction
    }
    guard has("animation") else { return nil }
    let name = try string("animation")
    return (name == "none" ? nil : name, ())
  }
}

extension Options {
  /// The animation of the option `transaction`, whose name is nil for none; nil if the option is absent.
  func transaction() throws -> (name: String?, Void)? {
    try with("transaction") { index in
      guard call.stack.type(at: index) == .table else { throw expected("a table of options", "transaction", index) }
      let fields = try Options(call: call, index: index, allowed: ["animation", "disablesAnimations"])
      let name = try fields.string("animation")
      let isShown = try fields.bool("disablesAnimations") != true && name != "none"
      return (isShown ? name : nil, ())
    }
  }
}

extension BoundFetchedResults {
  /// Checks and fetches the request.
  convenience init(
    checking configuration: ResultsConfiguration, _ context: BoundContext, isFlat: Bool = false, _ call: Call
  ) throws {
    try context.checkOpen(call.place)
    if isFlat, configuration.request.resultType != .objects {
      throw call.fail("a Query is of objects; use request:live() for \(configuration.request.resultType.rawValue)")
    }
    try configuration.request.validate()
    try configuration.request.validate(for: .fetch)
    try self.init(configuration, context, isFlat: isFlat)
  }
}

extension BoundFetchedValues {
  /// Checks and fetches the configuration.
  convenience init(checking configuration: ResultsConfiguration, _ context: BoundContext, _ call: Call) throws {
    try context.checkOpen(call.place)
    try configuration.request.validate()
    try configuration.request.validate(for: .fetch)
    try self.init(configuration, context)
  }
}
