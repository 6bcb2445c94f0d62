internal import LuaRuntime
internal import Modeling
public import Reactive

// The interface for a program with an event loop of its own: the descriptors and the time to wait for, and the turn to
// run when one of them is ready.
extension Engine {
  /// Adds an event source until the token is cancelled.
  public func addLoopSource(_ source: LoopSource) -> Reactive.ObservationToken {
    let number = loop.add(source)
    return Reactive.ObservationToken { [loop] in loop.remove(number) }
  }

  /// The descriptors to watch for input. Ask before each wait.
  public var loopDescriptors: [Int32] { loop.descriptors }

  /// The seconds until a timer or source is due without input; nil if none is.
  public var secondsToNextTimer: Double? { loop.secondsToNextTimer }

  /// The seconds until a timer of a script is due; nil if none is.
  public var secondsToNextScriptTimer: Double? { loop.timers.nextDue.map { max($0 - loop.now, 0) } }

  /// Runs the due timers and sources, given the descriptors that have input. Each timer is a turn of its own.
  ///
  /// An error stops nothing else, and is reported to `onCallbackErrors`. Does nothing when called by a callback.
  public func runLoopTurn(ready: [Int32]) {
    guard !loop.isInTurn, !turn.isRunning, !lua.isClosed else { return }
    loop.isInTurn = true
    defer { loop.isInTurn = false }
    let due = loop.takeDueSources(ready: ready)
    let timers = loop.timers.numbers(dueAt: loop.now)
    if due.isEmpty, timers.isEmpty { return }
    // A turn begins with the changes of other programs since the last one.
    for store in openStores { store.noticeRemoteWrites() }
    if !due.isEmpty {
      asking { for source in due { source.run() } }
      endLoopTurn()
    }
    for number in timers where lua.interruption == nil { runTimer(number) }
  }

  /// Throws if waiting would block work that is in progress.
  ///
  /// - Throws: ScriptError.
  public func checkCanWait(_ place: String) throws {
    func refuse(_ why: String) -> ScriptError { ScriptError(place, .other(why)) }
    if loop.isRunning || loop.isInTurn { throw refuse("the loop runs already") }
    if turn.isRunning { throw refuse("an observer cannot wait; call it where nothing is being told") }
    if isWriting { throw refuse("a save or a batch insert is under way; wait when it is done") }
  }

  /// Waits and runs turns until `stopLoop`, the end of the time or an interruption.
  ///
  /// - Throws: LuaError for an interruption; errors that end a turn.
  public func runLoop(seconds: Double?) throws {
    // Changes before the loop are reported to observers now rather than at its end.
    endLoopTurn()
    let end = seconds.map { loop.now + $0 }
    try loop.run {
      try lua.checkInterrupt()
      let rest = end.map { max($0 - loop.now, 0) }
      host.willWait?()
      let times = [rest, loop.secondsToNextTimer].compactMap(\.self)
      let ready = DescriptorWait.wait(for: loop.descriptors, seconds: times.min()) { [lua] in lua.isInterrupted }
      try lua.checkInterrupt()
      runLoopTurn(ready: ready ?? [])
      try lua.checkInterrupt()
      return end.map { loop.now < $0 } ?? true
    }
  }

  /// Ends `runLoop` after the current code; returns false if no loop runs.
  @discardableResult
  public func stopLoop() -> Bool { loop.stop() }

  private func runTimer(_ number: Int) {
    guard let body = loop.timers.begin(number) else { return }
    let isDone = asking { noting(body) }
    loop.timers.end(number, at: loop.now)
    endLoopTurn(failed: !isDone)
  }

  private func endLoopTurn(failed: Bool = false) {
    guard let onCallbackErrors = host.onCallbackErrors else {
      // Kept until the program asks for them at the end of a turn of its own.
      callbackErrors = finishTurn(failed: failed)
      return
    }
    let errors = finishTurn(failed: failed)
    if !errors.isEmpty { onCallbackErrors(errors) }
  }
}
