internal import LuaBindings
internal import LuaRuntime
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Session

// What the engine has to say about a predicate: the same as the members that scripts call.
extension PredicateInquiry {
  /// The text of a pane that this engine does not have.
  private static let unavailable = "not available"

  /// SQL, plan and costs.
  func explanation(_ predicate: Predicate?) throws -> String {
    try text(of: ask("explain", request(predicate)))
  }

  /// Each clause with its counts, and what misses by one of them.
  func clauseCounts(_ predicate: Predicate?) throws -> String {
    try text(of: ask("counts", predicate))
  }

  /// Returns the parts of a predicate that Apple's stores would refuse.
  func refusals(_ predicate: Predicate?) throws -> String {
    try text(of: ask("check", predicate))
  }

  /// The predicate as Swift.
  func swift(_ predicate: Predicate?, form: String) throws -> String {
    let form = engine.reference(to: form)
    if let value = try ask("swift", request(predicate), [form]) { return try text(of: value) }
    return try text(of: engine.call("swift", of: "Predicate", on: reference(predicate), [form]))
  }

  /// Each clause with its value for one object.
  func reasons(_ predicate: Predicate?, _ object: ManagedObject) throws -> String {
    guard let value = try engine.reference(to: object) else { return Self.unavailable }
    return try text(of: engine.call("why", of: "Predicate", on: reference(predicate), [value]))
  }

  // MARK: Inside

  private func reference(_ predicate: Predicate?) -> LuaReference {
    engine.reference(to: predicate ?? .constant(true))
  }

  private func ask(_ method: String, _ predicate: Predicate?) throws -> LuaReference? {
    guard let entity = engine.reference(to: entity) else { return nil }
    return try engine.call(method, of: "Predicate", on: reference(predicate), [entity])
  }

  private func ask(_ method: String, _ request: FetchRequest, _ arguments: [LuaReference] = []) throws -> LuaReference?
  {
    guard let reference = try engine.reference(to: request) else { return nil }
    return try engine.call(method, of: "Request", on: reference, arguments)
  }

  /// What the prompt shows of a value, without colours.
  private func text(of value: LuaReference?) throws -> String {
    guard let value else { return Self.unavailable }
    let stack = engine.lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    stack.reserve(6)
    stack.push(value)
    // A text is shown without quotes, because it is code to read.
    if stack.type(at: -1) == .string { return stack.repairedString(at: -1) ?? "" }
    if hasText(at: -1) { return try stack.toDisplayString(at: -1) }
    let sink = OutputSink.inMemory()
    let presenter = ValuePresenter(engine, .table, plain(session.presenter().options))
    try presenter.show(at: -1, on: stack, to: sink)
    return sink.text
  }

  /// Whether a table says itself what it reads as.
  private func hasText(at index: Int32) -> Bool {
    let stack = engine.lua.stack
    guard stack.type(at: index) == .table, stack.pushMetatable(of: index) else { return false }
    defer { stack.pop(2) }
    return stack.rawGet(field: "__tostring", at: -1) != .nil
  }

  private func plain(_ options: RenderOptions) -> RenderOptions {
    var options = options
    options.style = Style(enabled: false)
    options.elapsed = nil
    return options
  }
}
