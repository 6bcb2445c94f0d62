internal import LuaRuntime

/// `after(seconds, fn)`, `every(seconds, fn)`, `runLoop { seconds = }` and `stopLoop()`
enum LoopFunctions {
  /// Some thirty years: a longer time is an error.
  private static let mostSeconds = 1e9

  static let entries: [CatalogEntry] = [
    CatalogEntry(
      kind: .option, owner: "runLoop", name: "seconds", signature: "seconds = ...",
      summary: "How long the loop runs; without it, until `stopLoop` or Ctrl-C.",
      example: "after(0, stopLoop) runLoop { seconds = 1 }")
  ]

  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "after", "after(seconds, function() ... end) -> token", "Calls a function once, after a number of seconds.",
      sandbox: .allowed, example: #"after(1, function() print("a second later") end)"#
    ) { call in
      try addTimer(call, repeats: false)
    },
    GlobalFunction(
      "every", "every(seconds, function() ... end) -> token", "Calls a function repeatedly, at an interval in seconds.",
      sandbox: .allowed, example: #"local ticks = every(1, function() print("tick") end) ticks:cancel()"#
    ) { call in
      try addTimer(call, repeats: true)
    },
    GlobalFunction(
      "runLoop", "runLoop([{ seconds = }])",
      "Waits for timers, changes and observers until `stopLoop`, the end of the time or Ctrl-C; the prompt does so anyway.",
      sandbox: .allowed, example: "after(0, stopLoop) runLoop { seconds = 1 }"
    ) { call in
      try runLoop(call)
    },
    GlobalFunction(
      "stopLoop", "stopLoop() -> boolean", "Ends `runLoop` after the current callback; false if no loop runs.",
      sandbox: .allowed, example: "after(0, stopLoop) runLoop()"
    ) { call in
      .boolean(call.engine.loop.stop())
    },
  ]

  private static func addTimer(_ call: Call, repeats: Bool) throws -> ReturnValue {
    guard call.count > 0, let seconds = call.stack.number(at: call.index(1)) else {
      throw call.expected("a number of seconds", 1)
    }
    try check(seconds, at: call.index(1), call, call.place, allowsZero: !repeats)
    let engine = call.engine
    let function = call.stack.reference(at: try call.function(2))
    let timers = engine.loop.timers
    let number = timers.add(at: engine.loop.now + seconds, every: repeats ? seconds : nil) { [unowned engine] in
      let stack = engine.lua.stack
      stack.reserve(4)
      let top = stack.count
      defer { stack.setCount(top) }
      stack.push(function)
      try stack.call()
    }
    return .object(BoundObservationToken { timers.remove(number) })
  }

  private static func runLoop(_ call: Call) throws -> ReturnValue {
    let engine = call.engine
    let options = try call.options(1, ["seconds"])
    let seconds = try options.number("seconds")
    if let seconds {
      try options.with("seconds") { try check(seconds, at: $0, call, "\(call.place): seconds", allowsZero: true) }
    }
    try engine.loop.checkCanWait(call.place)
    try engine.loop.run(seconds: seconds)
    return .nothing
  }

  private static func check(
    _ seconds: Double, at index: Int32, _ call: Call, _ place: String, allowsZero: Bool
  ) throws {
    // The comparison also rejects NaN.
    let isEnough = allowsZero ? seconds >= 0 : seconds > 0
    if isEnough, seconds <= mostSeconds { return }
    let range = allowsZero ? "0 seconds or more" : "more than 0 seconds"
    throw ScriptError(
      place,
      .expected(
        isEnough ? "at most 1000000000 seconds" : range, found: try call.stack.toDisplayString(at: index)))
  }
}
