internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import PeriluneKit
internal import Presentation
internal import Session
internal import Stores

/// A session on the thread of a program, which collects what comes of each script; during a pause a client has it.
final class ScriptSession: SessionClient {
  /// Set once, when this is made.
  private(set) var session: Session!
  /// The pause that is under way.
  private var pause: Pause?
  /// Whether a script runs, which a function of it may have paused.
  private var isEvaluating = false
  private let limits: ConsoleLimits
  /// The client of a pause.
  private var visitor: AttachedClient?
  private var collector = OutputSink.inMemory()
  /// The definitions that the engine has.
  private var definedCount = 0
  private var collected = Collected()
  /// The names that have values of the program.
  private var named: Set<String> = []

  /// What comes of a script.
  private struct Collected {
    var text: [UInt8] = []
    var remarks: [String] = []
    var first: LuaReference?
    var failure: ConsoleError?
  }

  init(_ container: PersistentContainer, _ limits: ConsoleLimits) throws {
    self.limits = limits
    collector = OutputSink { [unowned self] bytes in
      collected.text += bytes
      return nil
    }
    let screens = Screens(of: { [unowned self] in visitor })
    session = try Session(program: container, limits, self, screens: screens) { [unowned self] _ in [goCommand] }
  }

  var engine: Engine { session.engine }

  /// Adds the definitions that are new.
  func define(_ definitions: [Definition]) throws {
    for definition in definitions[definedCount...] {
      definedCount += 1
      try definition.install(engine)
    }
  }

  /// Runs a script with values of the program as its globals.
  func evaluate(_ script: String, _ values: [String: any ConsoleValue]) throws -> ConsoleAnswer {
    let (outer, wasEvaluating) = (collected, isEvaluating)
    (collected, isEvaluating) = (Collected(), true)
    defer {
      (collected, isEvaluating) = (outer, wasEvaluating)
      session.requestedExit = nil
      try? engine.lua.setTimeLimit(seconds: wasEvaluating ? limits.seconds : nil)
    }
    session.sources.add(script, chunk: "=script")
    try engine.lua.setTimeLimit(seconds: limits.seconds)
    let status = try naming(values) {
      session.guarding {
        let found = try engine.evaluate(script, name: "=script")
        collected.first = found.first
        for value in found { try session.show(value) }
      }
    }
    output.flush()
    if let failure = collected.failure { throw failure }
    if status != 0, session.requestedExit == nil { throw ConsoleError("the script failed") }
    return ConsoleAnswer(
      text: String(decoding: collected.text, as: UTF8.self), remarks: collected.remarks, first: collected.first,
      engine: engine)
  }

  /// Runs `body` while globals have these values; a name that has another value of the program has it again afterwards.
  func naming<Result>(_ values: [String: any ConsoleValue], _ body: () throws -> Result) throws -> Result {
    let before = named
    var replaced: [(name: String, value: LuaReference?)] = []
    defer {
      named = before
      for (name, value) in replaced { restore(name, value) }
    }
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard Naming.isLuaIdentifier(name) else { throw ConsoleError("'\(name)' is not a name of Lua") }
      let isTaken = engine.hasGlobal(name)
      if isTaken, !before.contains(name) { throw ConsoleError("'\(name)' is the name of something else") }
      let former = isTaken ? engine.global(name) : nil
      try engine.setGlobal(name, to: value.hostValue())
      replaced.append((name, former))
      named.insert(name)
    }
    return try body()
  }

  private func restore(_ name: String, _ value: LuaReference?) {
    guard let value else { return (try? engine.setGlobal(name, to: .value(.null))) ?? () }
    engine.lua.stack.push(value)
    engine.lua.setGlobal(name)
  }

  // MARK: Pauses

  /// Runs `body` while values are globals, and no time limit stops a script that has paused.
  func pausing(_ pause: Pause, _ values: [String: any ConsoleValue], _ body: () throws -> Void) throws {
    self.pause = pause
    try engine.lua.setTimeLimit(seconds: nil)
    defer {
      self.pause = nil
      if isEvaluating { try? engine.lua.setTimeLimit(seconds: limits.seconds) }
    }
    try naming(values, body)
  }

  /// Answers the requests of a client, on this thread, until it leaves or the pause is over.
  func serve(_ client: AttachedClient, _ settings: ListenerSettings, _ pause: Pause) {
    visitor = client
    session.settings.isForPrograms = !client.layout.isTerminal
    defer {
      visitor = nil
      session.settings.isForPrograms = true
    }
    session.parts.runs.typing { AttachedSession(client, session, settings, pause: pause).serve() }
  }

  /// `.go`
  private var goCommand: Command {
    Command(name: "go", arguments: "", summary: "let the program that has paused go on", inSandbox: .allowed) {
      [unowned self] (invocation) throws(CommandFailure) in
      guard invocation.arguments.isEmpty else { throw .usage(invocation.command.usage) }
      pause?.isOver = true
    }
  }

  // MARK: The client

  var layout: Layout { visitor?.layout ?? Layout() }
  var output: OutputSink { visitor?.output ?? collector }
  var answersQuestions: Bool { visitor?.answersQuestions ?? false }
  var isGone: Bool { visitor?.isGone ?? false }

  func flush() { output.flush() }

  func receive(_ event: SessionEvent) throws {
    if let visitor { return try visitor.receive(event) }
    output.flush()
    switch event {
    case .value(let answer):
      try answer.write(to: output)
      output.flush()
    case .printed(_, let bytes): collected.text += bytes
    case .diagnostic(let diagnostic):
      if diagnostic.severity == .error {
        if collected.failure == nil { collected.failure = ConsoleError(diagnostic) }
      } else {
        collected.remarks.append(diagnostic.message)
      }
    case .remark(let remark):
      if remark.kind == .stopped {
        collected.failure = ConsoleError(remark.text, wasStopped: true)
      } else {
        collected.remarks.append(remark.heading + remark.text)
      }
    case .progress, .change: break
    }
  }

  func confirms(_ question: String) -> Bool { visitor?.confirms(question) ?? false }
}

extension Engine {
  /// The value of a global.
  fileprivate func global(_ name: String) -> LuaReference {
    _ = lua.pushGlobal(name)
    return lua.stack.popReference()
  }
}
