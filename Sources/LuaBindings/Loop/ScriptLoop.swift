internal import Modeling
public import Reactive

/// The timers and event sources that an engine handles between the turns of its scripts.
///
/// The program around the engine asks what to wait for, waits, and then runs a turn; `run` does that for scripts.
public final class ScriptLoop {
  private struct Entry {
    let number: Int
    let source: LoopSource
    var lastRun: Double
  }

  /// The engine, which holds the loop.
  unowned(unsafe) var engine: Engine!
  let timers = Timers()
  private var sources: [Entry] = []
  private var lastNumber = 0
  /// Whether timers and sources are running.
  var isInTurn = false
  /// Whether `runLoop` runs and has not been stopped.
  private(set) var isRunning = false

  /// The time of a monotonic clock, in seconds.
  var now: Double { monotonicSeconds() }

  /// Adds an event source until the token is cancelled.
  public func add(_ source: LoopSource) -> Reactive.ObservationToken {
    lastNumber += 1
    sources.append(Entry(number: lastNumber, source: source, lastRun: now))
    return Reactive.ObservationToken { [weak self, number = lastNumber] in
      self?.sources.removeAll { $0.number == number }
    }
  }

  /// The descriptors to watch for input. Ask before each wait.
  public var descriptors: [Int32] {
    let now = now
    return sources.compactMap { $0.source.rest(at: now) == nil ? $0.source.descriptor() : nil }
  }

  /// The seconds until a timer of a script is due; nil if none is.
  public var secondsToNextScriptTimer: Double? { timers.nextDue.map { max($0 - now, 0) } }

  /// The seconds until a timer or source is due without input; nil if none is.
  public var secondsToNextTimer: Double? {
    let now = now
    var next = timers.nextDue
    for entry in sources {
      if let end = entry.source.rest(at: now) {
        next = min(next ?? .infinity, end)
        continue
      }
      guard let interval = entry.source.interval() else { continue }
      next = min(next ?? .infinity, entry.lastRun + interval)
    }
    return next.map { max($0 - now, 0) }
  }

  /// Returns the sources that have input or whose interval has passed, and restarts their intervals.
  func takeDueSources(ready: [Int32]) -> [LoopSource] {
    let now = now
    var due: [LoopSource] = []
    for index in sources.indices {
      let source = sources[index].source
      if source.rest(at: now) != nil { continue }
      let hasInput = source.descriptor().map(ready.contains) ?? false
      guard hasInput || source.interval().map({ sources[index].lastRun + $0 <= now }) ?? false else { continue }
      sources[index].lastRun = now
      due.append(source)
    }
    return due
  }

  /// Calls `body` repeatedly until it returns false or the loop is stopped.
  func keepRunning(while body: () throws -> Bool) rethrows {
    isRunning = true
    defer { isRunning = false }
    while isRunning, try body() {}
  }

  /// Ends `run` after the current code; returns false if it does not run.
  @discardableResult
  public func stop() -> Bool {
    defer { isRunning = false }
    return isRunning
  }
}
