internal import Glibc

/// The settings that the terminal had when the process began, and the bytes that leave a full screen, so that a signal
/// handler can restore both.
package enum SavedTerminal {
  /// Raw memory, because Swift checks variables for overlapping accesses and a handler may come at any moment.
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

  /// Saves the terminal's settings. Call it before anything changes them, and before `restore`.
  package static func save() {
    guard !kept.pointee.hasTerminal else { return }
    kept.pointee.hasTerminal = tcgetattr(0, &kept.pointee.terminal) == 0
  }

  /// Records the text that restores the terminal from the full screen, or from the prompt; nil when it has been restored.
  static func screen(_ leaving: StaticString?) {
    if let leaving {
      kept.pointee.leaving = UnsafeBufferPointer(start: leaving.utf8Start, count: leaving.utf8CodeUnitCount)
    }
    kept.pointee.hasScreen = leaving != nil
  }

  /// Leaves the full screen and puts the settings back; safe in a signal handler.
  package static func restore() {
    // A terminal that another job has would stop this one.
    guard !kept.pointee.hasTerminal || tcgetpgrp(0) == getpgrp() else { return }
    if kept.pointee.hasScreen { _ = write(1, kept.pointee.leaving.baseAddress, kept.pointee.leaving.count) }
    if kept.pointee.hasTerminal { tcsetattr(0, TCSANOW, &kept.pointee.terminal) }
  }
}
