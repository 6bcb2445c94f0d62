internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import PeriluneKit
internal import Presentation
internal import Session
internal import Stores

/// A session on the thread of a program, which collects what comes of each script.
final class ScriptSession: SessionClient {
  private(set) var layout = Layout()
  private(set) var output = OutputSink.inMemory()
  let answersQuestions = false
  /// Set once, when this is made.
  private(set) var session: Session!
  private let limits: ConsoleLimits
  /// The definitions that the engine has.
  private var definedCount = 0
  private var collected = Collected()

  /// What comes of a script.
  private struct Collected {
    var text: [UInt8] = []
    var remarks: [String] = []
    var first: LuaReference?
    var failure: ConsoleError?
  }

  init(_ container: PersistentContainer, _ limits: ConsoleLimits) throws {
    self.limits = limits
    output = OutputSink { [unowned self] bytes in
      collected.text += bytes
      return nil
    }
    session = try Session(program: container, limits, self)
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
    collected = Collected()
    session.sources.add(script, chunk: "=script")
    try engine.lua.setTimeLimit(seconds: limits.seconds)
    defer { try? engine.lua.setTimeLimit(seconds: nil) }
    let status = try naming(values) {
      session.guarding {
        let found = try engine.evaluate(script, name: "=script")
        collected.first = found.first
        for value in found { try session.show(value) }
      }
    }
    output.flush()
    defer {
      collected = Collected()
      session.requestedExit = nil
    }
    if let failure = collected.failure { throw failure }
    if status != 0, session.requestedExit == nil { throw ConsoleError("the script failed") }
    return ConsoleAnswer(
      text: String(decoding: collected.text, as: UTF8.self), remarks: collected.remarks, first: collected.first,
      engine: engine)
  }

  /// Runs `body` while globals have these values.
  private func naming<Result>(_ values: [String: any ConsoleValue], _ body: () throws -> Result) throws -> Result {
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard Naming.isLuaIdentifier(name) else { throw ConsoleError("'\(name)' is not a name of Lua") }
      guard !engine.hasGlobal(name) else { throw ConsoleError("'\(name)' is the name of something else") }
      try engine.setGlobal(name, to: value.hostValue())
    }
    defer {
      for name in values.keys { try? engine.setGlobal(name, to: .value(.null)) }
    }
    return try body()
  }

  // MARK: The client

  func flush() { output.flush() }

  func receive(_ event: SessionEvent) throws {
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

  func confirms(_ question: String) -> Bool { false }
}
