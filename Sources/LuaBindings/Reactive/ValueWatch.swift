internal import LuaRuntime
internal import Reactive

/// A function that is called when the value of another function changes: `onChange(function() return a.value + b.value
/// end, fn)`.
///
/// Like an effect, the value is computed again when anything that it read has changed. With a delay the observer is
/// called once nothing has changed for that time, with the last value and the one reported before.
final class ValueWatch {
  private unowned let engine: Engine
  private let expression: LuaReference
  private let action: LuaReference
  private let isInitial: Bool
  /// The delay in seconds; nil for none.
  private let delay: Double?
  private weak var effect: Effect?
  /// The value that was reported last, or the first value.
  private var told: LuaReference?
  private var latest: LuaReference?
  private var timer: Int?

  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "onChange", "onChange(function, function(new, old) ... end [, { initial = , debounce = }]) -> effect",
      "Calls a function with the new and the old value whenever the value of another function has changed.",
      sandbox: .allowed,
      example: "local s = State(1) onChange(function() return s.value end, print, { initial = true }) s.value = 2"
    ) { call in
      let watch = ValueWatch(
        call.engine, expression: call.stack.reference(at: try call.function(1)),
        action: call.stack.reference(at: try call.function(2)),
        try call.options(3, ["debounce", "initial"]).watchOptions())
      return .object(BoundEffect(watch.start()))
    }
  ]

  static let entries: [CatalogEntry] = [
    CatalogEntry(
      kind: .option, owner: "onChange", name: "initial", signature: "initial = true",
      summary: "Whether the function is also called at once, with the current value as the new and the old one.",
      example: "local s = State(1) onChange(function() return s.value end, print, { initial = true }) s.value = 2"),
    CatalogEntry(
      kind: .option, owner: "onChange", name: "debounce", signature: "debounce = seconds",
      summary: "How long the value must stay unchanged before the function is called; needs a running loop.",
      example: "local s = State(1) onChange(function() return s.value end, print, { initial = true }) s.value = 2"),
  ]

  private init(
    _ engine: Engine, expression: LuaReference, action: LuaReference, _ options: (isInitial: Bool, delay: Double?)
  ) {
    self.engine = engine
    self.expression = expression
    self.action = action
    (isInitial, delay) = options
  }

  private func start() -> Effect {
    let scope = engine.environment.values
    let name = engine.lua.name(of: action, as: "onChange")
    // The effect retains this, and the sources that the effect has read retain the effect.
    let effect = Effect(engine.turn, name: name) { [self, unowned engine] in
      if engine.lua.isClosed { return }
      engine.environment.with(scope) {
        guard let value = engine.tracking.during(evaluate) else { return }
        withoutObservationTracking { take(value) }
      }
    }
    self.effect = effect
    return effect
  }

  /// The value; nil if the function fails, which is reported as an error of a callback.
  private func evaluate() -> LuaReference? {
    var value: LuaReference?
    engine.turns.runCallback {
      let stack = engine.lua.stack
      let top = stack.count
      defer { stack.setCount(top) }
      stack.reserve(6)
      stack.push(expression)
      try stack.call(results: 1)
      value = stack.popReference()
    }
    return value
  }

  private func take(_ value: LuaReference) {
    guard let told else {
      self.told = value
      if isInitial { engine.turns.notify(action, [value, value]) }
      return
    }
    latest = value
    if let timer { engine.loop.timers.remove(timer) }
    timer = nil
    if engine.values.areSame(value, told) { return }
    guard let delay else { return tell() }
    timer = engine.loop.timers.add(at: engine.loop.now + delay) { [self] in
      timer = nil
      if effect?.isActive == true { tell() }
    }
  }

  private func tell() {
    guard let value = latest, let old = told else { return }
    told = value
    engine.turns.notify(action, [value, old])
  }
}

extension Options {
  fileprivate func watchOptions() throws -> (isInitial: Bool, delay: Double?) {
    let delay = try number("debounce")
    if let delay, !(delay >= 0 && delay <= 1e9) {
      throw ScriptError("\(call.place): debounce", .expected("a number of seconds", found: "\(delay)"))
    }
    return (try bool("initial") ?? false, delay == 0 ? nil : delay)
  }
}
