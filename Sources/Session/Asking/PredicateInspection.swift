internal import LuaBindings
internal import LuaRuntime
package import Modeling
package import ObjectGraph
internal import Plots
internal import Presentation
package import Queries

/// What the engine has to say about a predicate as texts: the same as the members that scripts call.
///
///     let inspection = PredicateInspection(session, entity)
///     try inspection.explanation(request)          SQL, plan and costs
package struct PredicateInspection {
  private let session: Session
  private let entity: Entity
  private var engine: Engine { session.engine }

  /// The text of what this engine does not have.
  private static let unavailable = "not available"

  package init(_ session: Session, _ entity: Entity) { (self.session, self.entity) = (session, entity) }

  /// SQL, plan and costs of a request.
  package func explanation(_ request: FetchRequest) throws -> String { try text(of: ask("explain", request)) }

  /// Each clause with its counts, and what misses by one of them.
  package func clauseCounts(_ predicate: Predicate?) throws -> String { try text(of: ask("counts", predicate)) }

  /// The parts of a predicate that Apple's stores would refuse.
  package func refusals(_ predicate: Predicate?) throws -> String { try text(of: ask("check", predicate)) }

  /// A request, or its predicate, as Swift in a form of `Engine.swiftForms`.
  package func swift(_ request: FetchRequest, form: String) throws -> String {
    let form = engine.reference(to: form)
    if let value = try ask("swift", request, [form]) { return try text(of: value) }
    return try text(of: engine.call("swift", of: "Predicate", on: reference(request.predicate), [form]))
  }

  /// Each clause with its value for one object.
  package func reasons(_ predicate: Predicate?, _ object: ManagedObject) throws -> String {
    guard let value = try engine.reference(to: object) else { return Self.unavailable }
    return try text(of: engine.call("why", of: "Predicate", on: reference(predicate), [value]))
  }

  /// A plot of the objects that a request selects, as SVG: what `request:plot { x = , y = }` draws.
  package func svg(ofPlotting request: FetchRequest, x: String, y: String?) throws -> String? {
    let stack = engine.lua.stack
    stack.reserve(6)
    stack.pushTable()
    for (name, text) in [("x", x), ("y", y)] {
      guard let text else { continue }
      stack.push(text)
      try stack.set(field: name, at: -2)
    }
    guard let value = try ask("plot", request, [stack.popReference()]) else { return nil }
    stack.push(value)
    defer { stack.pop() }
    guard case .plot(let plot) = try EngineValue(at: -1, on: stack, in: engine) else { return nil }
    return SVGPlot().text(plot)
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
    let presenter = ValuePresenter(engine, .table, plain(session.parts.console.presenter().options))
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
