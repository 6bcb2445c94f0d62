public import Foundation
import LuaBindings
import LuaRuntime
import Modeling

/// One simulated run of the engine: a script that draws models, objects, live results and steps, in a world from the same seed.
///
///     let simulation = Simulation(SimulationCase(seed: 1789, turns: 40), script: script, folder: folder)
///     let (log, failure) = simulation.run()
///
/// The same case gives the same log, byte for byte.
public struct Simulation {
  private let example: SimulationCase
  private let script: URL
  private let folder: URL

  /// Creates a run whose files lie in `folder`, which each run empties.
  public init(_ example: SimulationCase, script: URL, folder: URL) {
    self.example = example
    self.script = script
    self.folder = folder
  }

  /// Runs all turns, or as many as there are before something is wrong; says what was done and what is wrong.
  public func run() -> (log: String, failure: String?) {
    let world = SimulatedWorld(seed: example.seed)
    return OutsideWorld.$current.withValue(world.outside) {
      SimulatedSQLite.begin()
      var log = Log(folder: folder.path)
      do {
        try empty()
        try run(in: world, &log)
      } catch { log.fail("the run ends: \(error)") }
      return (log.text, log.failure)
    }
  }

  /// Runs twice; the failure also says where the second log differs from the first.
  public func runTwice() -> (log: String, failure: String?) {
    let (first, failure) = run()
    guard failure == nil else { return (first, failure) }
    let (second, again) = run()
    if first == second { return (first, again) }
    let lines = (first.split(separator: "\n"), second.split(separator: "\n"))
    let place = zip(lines.0, lines.1).enumerated().first { $1.0 != $1.1 }
    guard let (number, (one, other)) = place else { return (first, "the second run has another length") }
    return (first, "the second run differs in line \(number + 1):\n  \(one)\n  \(other)")
  }

  private func empty() throws {
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func run(in world: SimulatedWorld, _ log: inout Log) throws {
    var options = Engine.Options()
    options.preferencePath = folder.appending(path: "storage.json").path
    let engine = try Engine(options)
    defer { engine.close() }
    var errors: [any Error] = []
    engine.host.onCallbackErrors = { errors += $0 }
    let interruption = Countdown(engine)
    let source = try Data(contentsOf: script)
    _ = try engine.run(
      Array(source), name: "@simulation.lua", arguments: [folder.path, String(Int64(bitPattern: example.seed))])
    _ = engine.turns.end()
    for turn in 0..<example.turns where log.failure == nil {
      world.begin(part: UInt64(turn) + 1, of: example.seed)
      if example.slots(of: turn) != 0 {
        interruption.isOver = false
        try make(turn, in: engine, world, &log)
        interruption.stop()
      }
      for error in errors { log.add("callback: \(engine.report(error).message)") }
      errors = []
      try check(engine, wasInterrupted: interruption.isOver, &log)
    }
  }

  /// A line of the prompt, and the turns of the loop while the next one is typed.
  private func make(_ turn: Int, in engine: Engine, _ world: SimulatedWorld, _ log: inout Log) throws {
    log.add("turn \(turn)")
    do {
      log.addChecked(try text(engine.evaluate("return turn(\(turn), \(example.slots(of: turn)))"), engine))
    } catch let error as LuaError {
      log.add("error: \(engine.report(error).message)")
      if engine.report(error).kind != "interrupted" { log.fail("a step ends with \(engine.report(error).message)") }
    }
    for error in engine.turns.end() { log.add("error: \(engine.report(error).message)") }
    for _ in 0..<world.below(3) {
      let typing = Double(world.below(400)) / 100
      let next = [engine.loop.secondsToNextTimer, typing].compactMap(\.self).min()
      let ready = DescriptorWait.wait(for: engine.loop.descriptors, seconds: next)
      engine.loop.runTurn(ready: ready ?? [])
    }
    for error in engine.turns.end() { log.add("error: \(engine.report(error).message)") }
  }

  private func check(_ engine: Engine, wasInterrupted: Bool, _ log: inout Log) throws {
    do {
      log.addChecked(try text(engine.evaluate("return check(\(wasInterrupted))"), engine))
    } catch let error as LuaError { log.fail("the check ends with \(engine.report(error).message)") }
    // What others have deleted first cannot be brought back by an undo.
    for problem in try engine.stores.brokenInvariants() where !problem.hasSuffix("nothing is known of it to undo that")
    {
      log.fail("invariant: \(problem)")
    }
  }

  private func text(_ values: [LuaReference], _ engine: Engine) throws -> String {
    guard let value = values.first else { return "" }
    engine.lua.stack.push(value)
    defer { engine.lua.stack.pop() }
    return try engine.lua.stack.toDisplayString(at: -1)
  }
}

/// `interruptAt(n)` for scripts: as Ctrl-C at the n-th time that running work asks whether to stop.
private final class Countdown {
  /// Whether it has stopped what ran.
  var isOver = false
  private unowned let engine: Engine
  private var left = 0

  init(_ engine: Engine) {
    self.engine = engine
    engine.host.onWait = { [unowned self] in
      guard left > 0 else { return }
      left -= 1
      if left == 0 {
        isOver = true
        self.engine.interrupt()
      }
    }
    engine.define("interruptAt", "interruptAt(n)", "Stops what runs at its n-th question whether to stop.") {
      [unowned self] stack in
      left = stack.integer(at: 1).flatMap(Int.init(exactly:)) ?? 0
      return 0
    }
  }

  func stop() {
    left = 0
    engine.lua.clearInterrupt()
  }
}

/// What a run says; paths are those of any run.
private struct Log {
  let folder: String
  private(set) var text = ""
  private(set) var failure: String?

  init(folder: String) { self.folder = folder }

  mutating func add(_ line: String) {
    if !line.isEmpty { text += line.replacing(folder, with: "FOLDER") + "\n" }
  }

  /// Adds what a script says, of which a line tells what is wrong.
  mutating func addChecked(_ said: String) {
    add(said)
    if let wrong = said.split(separator: "\n").first(where: { $0.hasPrefix("WRONG") }) { fail(String(wrong)) }
  }

  mutating func fail(_ sentence: String) {
    failure = failure ?? sentence
    add("WRONG: \(sentence)")
  }
}
