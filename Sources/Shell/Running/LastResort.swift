internal import Glibc

/// Ends the process where nothing else could stop what runs: long after the time limit, or for the third Ctrl-C.
///
/// The terminal is given back as it was. What was written to stores is what had been committed.
enum LastResort {
  /// What a signal handler needs. Raw memory, because Swift checks accesses to variables for overlap.
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

  /// Notes how the terminal is now. To be called before anything changes it, and before `end` may be.
  static func prepare() {
    guard !kept.pointee.hasTerminal else { return }
    kept.pointee.hasTerminal = tcgetattr(0, &kept.pointee.terminal) == 0
  }

  /// Notes that the program has the whole screen, and what gives it back; nil when it has been given back.
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
