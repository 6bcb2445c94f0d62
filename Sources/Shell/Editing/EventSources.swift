/// The sources of events beside the terminal: file events, timers, changes by other processes.
///
/// The shell is one thread and one loop. A turn runs to its end before the next key is read.
struct EventSources {
  /// Descriptors to watch for input. Asked before each wait.
  var descriptors: () -> [Int32] = { [] }
  /// The seconds until the next timer is due, or nil without timers.
  var secondsToNextTimer: () -> Double? = { nil }
  /// Runs what is due, given the descriptors that have input; empty when a timer woke the loop.
  var runTurn: ([Int32]) -> Void = { _ in }
  /// Whether Ctrl-C was pressed and has not been handled yet.
  var isInterrupted: () -> Bool = { TerminalSignals.isPending(.interrupt) }
  /// Reads and clears the flag that `isInterrupted` returns.
  var takeInterrupt: () -> Bool = { TerminalSignals.take(.interrupt) }
}
