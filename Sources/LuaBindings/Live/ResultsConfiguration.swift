internal import LuaRuntime
internal import Modeling
internal import Queries

/// The properties of a live result that can change.
struct ResultsConfiguration: Equatable {
  var request: Queries.FetchRequest
  /// Whether `order` has reversed the sort keys.
  var isReversed = false
  /// The animation of changes whose transaction has none.
  var animation: String?

  /// A property that can change: how it is read from a script and shown to it.
  struct Option: Sendable {
    let name: String
    let summary: String
    /// Reads the call's first argument; for nil or null, the default of a new request.
    let read: @Sendable (Call, inout ResultsConfiguration) throws -> Void
    let answer: @Sendable (ResultsConfiguration) -> ReturnValue
  }

  /// All properties: those of requests, the animation, and the names of `Query`.
  static let options: [Option] =
    RequestOptions.all.filter { $0.name != "resultType" }.map { Option($0) } + [animationOption] + queryOptions

  /// Changes the properties in the table that is the call's first argument.
  mutating func apply(_ call: Call, besides others: [String] = []) throws {
    let table = try call.options(1, Self.options.map(\.name) + others)
    for (name, other) in Self.synonyms where table.has(name) {
      let rivals = [other] + Self.synonyms.filter { $0.value == other && $0.key != name }.map(\.key)
      guard let rival = rivals.first(where: { table.has($0) }) else { continue }
      throw call.fail("'\(name)' and '\(rival)' are the same; give one of them")
    }
    for option in Self.options {
      try table.with(option.name) { index in
        // The value becomes the first argument of a call with the same name.
        let place = Call(
          engine: call.engine, stack: call.stack, owner: nil, name: "\(call.place): \(option.name)",
          skipping: index - 1)
        try option.read(place, &self)
      }
    }
  }

  /// The properties of SwiftUI's configuration, which is read and set as a whole.
  static let whole = ["predicate", "sortDescriptors", "sectionIdentifier"]

  /// Replaces the configuration by the table that is the call's first argument; omitted properties are cleared.
  mutating func replace(_ call: Call) throws {
    guard call.type(1) == .table else {
      throw call.expected("a table of predicate, sortDescriptors, sectionIdentifier", 1)
    }
    _ = try call.options(1, Self.whole + RequestOptions.aliases.map(\.key))
    (request.predicate, request.sortDescriptors) = (nil, [])
    (request.sectionIdentifier, request.sectionFunction) = (nil, nil)
    isReversed = false
    try apply(call)
  }

  /// The configuration as a table.
  var answer: ReturnValue {
    .record(Self.options.filter { Self.whole.contains($0.name) }.map { ($0.name, $0.answer(self)) })
  }

  private static let animationOption = Option(
    name: "animation", summary: "The default animation of changes: its name, or nil."
  ) { call, configuration in
    guard !call.isNothing(1) else { return configuration.animation = nil }
    let name = try call.string(1, "the name of an animation")
    configuration.animation = name == "none" ? nil : name
  } answer: {
    .text($0.animation)
  }
}

extension ResultsConfiguration.Option {
  /// A property of requests, by its own name or another.
  init(_ property: RequestOptions.Option, named name: String? = nil, _ summary: String? = nil) {
    self.name = name ?? property.name
    self.summary = summary ?? property.summary
    read = { call, configuration in
      try Self.read(property, call, &configuration)
    }
    answer = { property.answer($0.request) }
  }

  /// Reads the property from a table of its own; null stands for the default of a new request.
  private static func read(
    _ property: RequestOptions.Option, _ call: Call, _ configuration: inout ResultsConfiguration
  ) throws {
    let stack = call.stack
    stack.reserve(6)
    let top = stack.count
    defer { stack.setCount(top) }
    stack.pushTable(hash: 1)
    if call.isNothing(1) {
      _ = try call.push(property.answer(Queries.FetchRequest(configuration.request.entity)))
    } else {
      stack.pushCopy(of: call.index(1))
    }
    stack.rawSet(field: property.name, at: -2)
    if property.name == "sortDescriptors" { configuration.isReversed = false }
    do { try property.read(Options(call: call, index: stack.count), &configuration.request) } catch {
      throw error.placed(at: call.place, insteadOf: "\(call.place): \(property.name)")
    }
  }
}

extension Error {
  /// The same error, with the place that the script wrote.
  fileprivate func placed(at place: String, insteadOf other: String) -> any Error {
    guard var error = self as? ScriptError, error.place == other else { return self }
    error.place = place
    return error
  }
}
