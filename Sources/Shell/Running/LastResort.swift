internal import Glibc

/// Ends the process if nothing else could stop the running code: some time after the time limit, or at the third
/// Ctrl-C.
///
/// The terminal is restored. Stores keep the committed transactions.
enum LastResort {
  /// The handler's state. Raw memory, because Swift checks variables for overlapping accesses.
  private struct Kept {
    var terminal = termios()
    var hasTerminal = false
    var hasScreen = false
    var leaving = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  }

  nonisolated(unsafe) private static let kept: UnsafeMutablePointer<Kept> = {
    let kept = UnsafeMutablePointer<Kept>.allocate(capacity: 1)
    kept.initialize(to: Kept())
    return kept
  }()

  private static let overtime: StaticString =
    "\nperilune: nothing could stop what ran 5 s past the time limit; the process was ended\n"
  private static let impatience: StaticString =
    "\nperilune: nothing could stop what ran; the process was ended at the third Ctrl-C\n"

  /// Saves the terminal's settings. Call it before anything changes them, and before `end`.
  static func prepare() {
    guard !kept.pointee.hasTerminal else { return }
    kept.pointee.hasTerminal = tcgetattr(0, &kept.pointee.terminal) == 0
  }

  /// Records the text that restores the terminal from the full screen; nil when it has been restored.
  static func screen(_ leaving: StaticString?) {
    if let leaving {
      kept.pointee.leaving = UnsafeBufferPointer(start: leaving.utf8Start, count: leaving.utf8CodeUnitCount)
    }
    kept.pointee.hasScreen = leaving != nil
  }

  /// Ends the process from a signal handler, for a `LuaInterruption` by its number.
  static func end(_ reason: Int32) -> Never {
    let isTimeOut = reason == 2
    if kept.pointee.hasScreen { _ = write(1, kept.pointee.leaving.baseAddress, kept.pointee.leaving.count) }
    if kept.pointee.hasTerminal { tcsetattr(0, TCSANOW, &kept.pointee.terminal) }
    let text = isTimeOut ? overtime : impatience
    _ = write(2, text.utf8Start, text.utf8CodeUnitCount)
    _exit(isTimeOut ? ExitStatus.timeLimit : ExitStatus.interrupted)
  }
}
