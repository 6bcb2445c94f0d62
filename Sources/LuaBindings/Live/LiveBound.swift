internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import Queries
internal import Reactive

/// The common part of live objects and live values in Lua: configuration and observers.
protocol LiveBound: Bound, SendableMetatype {
  associatedtype Query: LiveQuery
  /// The live query.
  var query: Query { get }
  var context: BoundContext { get }
  /// Whether the order of the configuration is reversed.
  var isReversed: Bool { get set }
  /// The observation sources of the configuration.
  var configurationSources: ConfigurationSources { get }
  /// Whether the elements are sections.
  var isSectioned: Bool { get }
  /// The names of the values in a row; nil if rows are objects.
  var columns: [String]? { get }
  /// The noun for one row.
  var rowName: String { get }
  /// Describes how the results are kept up to date.
  func explanation() throws -> LiveExplanation
  /// Called after another request was fetched.
  func didReplace() throws
}

extension LiveBound {
  var isSectioned: Bool { false }

  func didReplace() {}

  /// The current configuration.
  var configuration: ResultsConfiguration {
    ResultsConfiguration(request: query.request, isReversed: isReversed, animation: query.animation?.description)
  }

  /// The observation source of the results.
  var source: ObservationSource { query.source }

  /// Whether they no longer follow the store.
  var isClosed: Bool { query.isClosed }

  func close() { query.close() }

  /// Replaces the configuration; the next round notifies observers.
  func replace(with configuration: ResultsConfiguration) throws {
    try query.replace(with: configuration.request)
    query.animation = configuration.animation.map(Animation.init)
    isReversed = configuration.isReversed
    try didReplace()
  }

  /// Changes the named properties of the configuration: one fetch, and one change for observers.
  func configure(_ place: String, _ names: [String], _ change: (inout ResultsConfiguration) throws -> Void) throws {
    try context.checkOpen(place)
    if isClosed { throw ScriptError(place, .closed("live result")) }
    var wanted = configuration
    try change(&wanted)
    try wanted.request.validate()
    let isOther = wanted != configuration
    try replace(with: wanted)
    if isOther { configurationSources.didChange(names) }
    try context.engine.turns.run()
  }

  /// The state in the summary: whether the results follow the store.
  var state: String { isClosed || context.isClosed ? "closed" : "live" }

  /// Registers a script's function to be called with each change.
  func observe(_ call: Call) throws -> ReturnValue {
    try context.checkOpen(call.place)
    if isClosed { throw call.fail(.closed("live result")) }
    let function = call.stack.reference(at: try call.function(1))
    let (context, columns) = (context, columns)
    let name = context.engine.lua.name(of: function, as: "\(configuration.request.entity.name):live")
    let token = query.onChange(name: name, withFormerValues: true) { change in
      context.notify(function) { stack in
        context.engine.classes.push(BoundChange(change, context, columns: columns), on: stack)
        return 1
      }
    }
    return .object(BoundObservationToken(token))
  }

  /// The members of all kinds of live results; `word` is their name in signatures.
  static func liveMembers(_ word: String) -> [Member<Self>] {
    observing(word) + configuring(word) + bindingMembers(word)
      + ResultsConfiguration.options.map { option in
        .property(option.name, "\(word).\(option.name)", option.summary, sandbox: .allowed) { call, results in
          results.configurationSources.access(option.name)
          return option.answer(results.configuration)
        } set: { call, results in
          try results.configure(call.place, [option.name]) { try option.read(call, &$0) }
        }
      }
  }

  private static func observing(_ word: String) -> [Member<Self>] {
    [
      .method(
        "onChange", "\(word):onChange(function(change) ... end) -> token",
        "Calls a function with the difference after each change; cancel the token to end it.", sandbox: .allowed,
        example: "(function(change) print(change) end)"
      ) { call, results in
        try results.observe(call)
      },
      .method(
        "close", "\(word):close()", "Stops updates from the store; the current results stay readable.",
        sandbox: .allowed, example: "()"
      ) {
        _, results in
        results.close()
        return .nothing
      },
      .property(
        "isClosed", "\(word).isClosed -> boolean", "Whether updates from the store have stopped.", sandbox: .allowed
      ) {
        call, results in
        .boolean(results.isClosed || results.context.isClosed)
      },
      .method(
        "explain", "\(word):explain() -> explanation", "How it is kept up to date, and which tables it depends on.",
        sandbox: .allowed, example: "()"
      ) {
        call, results in
        try results.context.checkOpen(call.place)
        return LiveExplanationTable.answer(try results.explanation(), rows: results.rowName)
      },
    ]
  }

  private static func configuring(_ word: String) -> [Member<Self>] {
    [
      .method(
        "configure", "\(word):configure { predicate = , sortDescriptors = , ... }",
        "Changes several properties at once: one fetch, one change; null clears one.", sandbox: .allowed,
        example: #"({ predicate = "magnitude > 3" })"#
      ) { call, results in
        guard call.type(1) == .table else { throw call.expected("a table of properties", 1) }
        let names = try call.options(1, ResultsConfiguration.options.map(\.name)).names
        try results.configure(call.place, names) { try $0.apply(call) }
        return .nothing
      },
      .property(
        "configuration", "\(word).configuration -> { predicate = , sortDescriptors = , sectionIdentifier = }",
        "All properties that select and order, as one value; setting it clears those it does not name.",
        sandbox: .allowed
      ) { call, results in
        results.configurationSources.access(ConfigurationSources.all)
        return results.configuration.answer
      } set: { call, results in
        try results.configure(call.place, ResultsConfiguration.whole) { try $0.replace(call) }
      },
      .property("request", "\(word).request -> request", "The current request.", sandbox: .allowed) { call, results in
        results.configurationSources.access(ConfigurationSources.all)
        return .object(try BoundRequest(checking: results.configuration.request, results.context))
      },
    ]
  }
}
