internal import Glibc
internal import Session
internal import Terminal

/// Ends the process if nothing else could stop the running code, and says what is lost where a signal ends it: some time
/// after the time limit, at the third Ctrl-C, at SIGTERM, at a mistake of the program's own.
///
/// The terminal is restored. Stores keep the committed transactions, the history what was entered.
enum LastResort {
  private static let overtime: StaticString =
    "\nperilune: nothing could stop what ran 5 s past the time limit; the process was ended\n"
  private static let impatience: StaticString =
    "\nperilune: nothing could stop what ran; the process was ended at the third Ctrl-C\n"

  /// Saves the terminal's settings and attends to signals. Call it before anything changes them, and before `end`.
  static func prepare() {
    SavedTerminal.save()
    FatalSignals.install()
  }

  /// Ends the process from a signal handler, for a `LuaInterruption` by its number.
  static func end(_ reason: Int32) -> Never {
    let isTimeOut = reason == 2
    SavedTerminal.restore()
    let text = isTimeOut ? overtime : impatience
    _ = write(2, text.utf8Start, text.utf8CodeUnitCount)
    _exit(isTimeOut ? ExitStatus.timeLimit : ExitStatus.interrupted)
  }
}
