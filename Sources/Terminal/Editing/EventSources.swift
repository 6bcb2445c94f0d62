/// The sources of events beside the terminal: file events, timers, changes by other processes.
///
/// The shell is one thread and one loop. A turn runs to its end before the next key is read.
package struct EventSources {
  /// Descriptors to watch for input. Asked before each wait.
  package var descriptors: () -> [Int32] = { [] }
  /// The seconds until the next timer is due, or nil without timers.
  package var secondsToNextTimer: () -> Double? = { nil }
  /// Runs what is due, given the descriptors that have input; empty when a timer woke the loop.
  package var runTurn: ([Int32]) -> Void = { _ in }
  /// Whether Ctrl-C was pressed and has not been handled yet.
  package var isInterrupted: () -> Bool = { TerminalSignals.isPending(.interrupt) }
  /// Reads and clears the flag that `isInterrupted` returns.
  package var takeInterrupt: () -> Bool = { TerminalSignals.take(.interrupt) }

  package init(
    descriptors: @escaping () -> [Int32] = { [] },
    secondsToNextTimer: @escaping () -> Double? = { nil },
    runTurn: @escaping ([Int32]) -> Void = { _ in },
    isInterrupted: @escaping () -> Bool = { TerminalSignals.isPending(.interrupt) },
    takeInterrupt: @escaping () -> Bool = { TerminalSignals.take(.interrupt) }
  ) {
    self.descriptors = descriptors
    self.secondsToNextTimer = secondsToNextTimer
    self.runTurn = runTurn
    self.isInterrupted = isInterrupted
    self.takeInterrupt = takeInterrupt
  }
}
