internal import Glibc
internal import Terminal

/// Ends the process if nothing else could stop the running code: some time after the time limit, or at the third
/// Ctrl-C.
///
/// The terminal is restored. Stores keep the committed transactions.
enum LastResort {
  private static let overtime: StaticString =
    "\nperilune: nothing could stop what ran 5 s past the time limit; the process was ended\n"
  private static let impatience: StaticString =
    "\nperilune: nothing could stop what ran; the process was ended at the third Ctrl-C\n"

  /// Saves the terminal's settings. Call it before anything changes them, and before `end`.
  static func prepare() { SavedTerminal.save() }

  /// Ends the process from a signal handler, for a `LuaInterruption` by its number.
  static func end(_ reason: Int32) -> Never {
    let isTimeOut = reason == 2
    SavedTerminal.restore()
    let text = isTimeOut ? overtime : impatience
    _ = write(2, text.utf8Start, text.utf8CodeUnitCount)
    _exit(isTimeOut ? ExitStatus.timeLimit : ExitStatus.interrupted)
  }
}
