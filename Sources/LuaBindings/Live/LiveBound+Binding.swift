internal import LuaRuntime
internal import Reactive

extension LiveBound {
  /// The method that binds controls to the configuration: `quakes:binding "sortDescriptors"`.
  static func bindingMembers(_ word: String) -> [Member<Self>] {
    [
      .method(
        "binding", "\(word):binding(name) -> binding",
        "A binding to a property of the configuration, such as \"sortDescriptors\"."
      ) { call, results in
        let name = try call.string(1, "the name of a property")
        guard let option = ResultsConfiguration.options.first(where: { $0.name == name }) else {
          let near = nearest(name, ResultsConfiguration.options.map(\.name))
          throw call.fail(.unknownOption(name, nearest: near))
        }
        return results.push(option, call)
      }
    ]
  }

  /// Pushes a binding that reads and sets a property.
  private func push(_ option: ResultsConfiguration.Option, _ call: Call) -> Int32 {
    let engine = call.engine
    let place = "\(self.place).\(option.name)"
    let binding = BoundBinding(engine) { [unowned engine] in
      self.configurationSources.access(option.name)
      let stack = engine.lua.stack
      stack.reserve(10)
      try option.push(Call(engine: engine, stack: stack, name: place), self.configuration, self.context)
      return stack.popReference()
    } set: { [unowned engine] value in
      let stack = engine.lua.stack
      let top = stack.count
      defer { stack.setCount(top) }
      stack.reserve(10)
      stack.push(value)
      let call = Call(engine: engine, stack: stack, owner: nil, name: place, skipping: top)
      try self.configure(place, [option.name]) { try option.read(call, &$0, self.context) }
    }
    return call.push(binding)
  }
}
