internal import LuaRuntime
internal import Modeling
internal import Reactive

// The interface for a program with an event loop of its own: the descriptors and the time to wait for, and the turn to
// run when one of them is ready.
extension ScriptLoop {
  /// Runs the due timers and sources, given the descriptors that have input. Each timer is a turn of its own.
  ///
  /// An error stops nothing else, and is reported to `onCallbackErrors`. Does nothing when called by a callback.
  public func runTurn(ready: [Int32]) {
    guard !isInTurn, !engine.turn.isRunning, !engine.lua.isClosed else { return }
    isInTurn = true
    defer { isInTurn = false }
    let due = takeDueSources(ready: ready)
    let timers = timers.numbers(dueAt: now)
    if due.isEmpty, timers.isEmpty { return }
    // A turn begins with the changes of other programs since the last one.
    engine.stores.noticeRemoteWrites()
    if !due.isEmpty {
      engine.asking { for source in due { source.run() } }
      endTurn()
    }
    for number in timers where engine.lua.interruption == nil { runTimer(number) }
  }

  /// Throws if waiting would block work that is in progress.
  ///
  /// - Throws: ScriptError.
  public func checkCanWait(_ place: String) throws {
    func refuse(_ why: String) -> ScriptError { ScriptError(place, .other(why)) }
    if isRunning || isInTurn { throw refuse("the loop runs already") }
    if engine.turn.isRunning { throw refuse("an observer cannot wait; call it where nothing is being told") }
    if engine.stores.isWriting { throw refuse("a save or a batch insert is under way; wait when it is done") }
  }

  /// Waits and runs turns until `stop`, the end of the time or an interruption.
  ///
  /// - Throws: LuaError for an interruption; errors that end a turn.
  public func run(seconds: Double?) throws {
    // Changes before the loop are reported to observers now rather than at its end.
    endTurn()
    let end = seconds.map { now + $0 }
    try keepRunning {
      try engine.lua.checkInterrupt()
      let rest = end.map { max($0 - now, 0) }
      engine.host.willWait?()
      let times = [rest, secondsToNextTimer].compactMap(\.self)
      let ready = DescriptorWait.wait(for: descriptors, seconds: times.min()) { [lua = engine.lua] in lua.isInterrupted
      }
      try engine.lua.checkInterrupt()
      runTurn(ready: ready ?? [])
      try engine.lua.checkInterrupt()
      return end.map { now < $0 } ?? true
    }
  }

  private func runTimer(_ number: Int) {
    guard let body = timers.begin(number) else { return }
    let isDone = engine.asking { engine.turns.runCallback(body) }
    timers.end(number, at: now)
    endTurn(failed: !isDone)
  }

  private func endTurn(failed: Bool = false) {
    let errors = engine.turns.finish(failed: failed)
    guard let report = engine.host.onCallbackErrors else {
      // Kept until the program asks for them at the end of a turn of its own.
      engine.turns.callbackErrors = errors
      return
    }
    if !errors.isEmpty { report(errors) }
  }
}
