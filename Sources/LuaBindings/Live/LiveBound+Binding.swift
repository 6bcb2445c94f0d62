internal import LuaRuntime
internal import Reactive

extension LiveBound {
  /// The method that binds a part of the configuration: `quakes:binding "sortDescriptors"`,
  /// `quakes:binding().predicate`.
  static func bindingMembers(_ word: String) -> [Member<Self>] {
    [
      .method(
        "binding", "\(word):binding([name]) -> binding",
        "A binding to a property of the configuration, such as \"sortDescriptors\", or to all of it: binding().predicate.",
        sandbox: .allowed,
        example: word == "results" ? #"("sortDescriptors")"# : #"("predicate")"#
      ) { call, results in
        if call.isMissing(1) { return results.wholeBinding(call) }
        let name = try call.string(1, "the name of a property")
        guard let option = ResultsConfiguration.options.first(where: { $0.name == name }) else {
          throw call.fail(.unknownOption(name, among: ResultsConfiguration.options.map(\.name)))
        }
        return .object(results.binding(option, call.engine))
      }
    ]
  }

  /// A binding to the whole configuration, whose fields are bindings to its properties.
  private func wholeBinding(_ call: Call) -> ReturnValue {
    let engine = call.engine
    let place = "\(self.place).configuration"
    let binding = BoundBinding(engine) { [unowned engine] in
      self.configurationSources.access(ConfigurationSources.all)
      return try self.configuration.answer.kept(in: engine)
    } set: { [unowned engine] value in
      try self.setting(value, place, ResultsConfiguration.whole, engine) { try $0.replace($1) }
    }
    binding.field = { [unowned engine] name in
      ResultsConfiguration.options.first { $0.name == name }.map { self.binding($0, engine) }
    }
    binding.ownNames = ResultsConfiguration.options.map(\.name)
    return .object(binding)
  }

  /// Changes the configuration by a value, which is the first argument of the call that `change` receives.
  private func setting(
    _ value: LuaReference, _ place: String, _ names: [String], _ engine: Engine,
    _ change: (inout ResultsConfiguration, Call) throws -> Void
  ) throws {
    let stack = engine.lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    stack.reserve(10)
    stack.push(value)
    let call = Call(engine: engine, stack: stack, owner: nil, name: place, skipping: top)
    try configure(place, names) { try change(&$0, call) }
  }

  /// A binding that reads and sets a property.
  private func binding(_ option: ResultsConfiguration.Option, _ engine: Engine) -> BoundBinding {
    let place = "\(self.place).\(option.name)"
    return BoundBinding(engine) { [unowned engine] in
      self.configurationSources.access(option.name)
      return try option.answer(self.configuration).kept(in: engine)
    } set: { [unowned engine] value in
      try self.setting(value, place, [option.name], engine) { try option.read($1, &$0) }
    }
  }
}
