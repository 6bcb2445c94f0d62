package import Presentation

/// The terminal that a full screen is shown on: the program's own, or that of a client elsewhere.
package protocol ScreenTerminal: AnyObject {
  /// How many columns and rows there are; nil if that is not known.
  var size: TerminalSize? { get }

  /// Prepares what surrounds the screen; false if none can be shown.
  func begin() -> Bool
  /// Gives back what surrounds the screen. `unread` are bytes that no key was made of.
  func end(unread: [UInt8])

  /// Takes the terminal, which text that was printed may have left; false if there is none.
  func enter() -> Bool
  /// Whether the screen is shown.
  var isTaken: Bool { get }
  /// Whether the terminal is gone, or the program is to end.
  var hasEnded: Bool { get }

  func show(_ frame: ScreenFrame)
  /// Makes the next frame repaint the whole screen.
  func forgetScreen()

  /// Whether keys wait to be read.
  var hasInput: Bool { get }
  /// Whether keys wait, or something else that `wait` returns for.
  var isPending: Bool { get }
  /// The bytes that wait; nil when the terminal is gone.
  func read() -> [UInt8]?
  /// Waits for keys, a signal, a descriptor or the time, whichever comes first.
  func wait(for descriptors: [Int32], seconds: Double?, isInterrupted: @escaping () -> Bool) -> ScreenEvent
  /// What came as a signal since the last call.
  func takeSignals() -> ScreenSignals
}

/// What a full screen attends to.
package enum ScreenEvent: Equatable {
  case input
  case signal
  /// Descriptors have input, or a timer is due if there are none.
  case turn([Int32])
}

/// What came as a signal.
package struct ScreenSignals {
  /// Whether Ctrl-C was pressed.
  package var interrupt: Bool
  /// Whether the window may have another size, or other contents.
  package var resize: Bool

  package init(interrupt: Bool, resize: Bool) { (self.interrupt, self.resize) = (interrupt, resize) }
}
