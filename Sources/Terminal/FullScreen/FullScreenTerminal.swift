import Glibc
package import Presentation

/// The terminal while a full screen has it: keys come one by one, and the former content comes back at the end.
///
/// Ctrl-C stays a signal, so that it also stops work that does not look at keys. `leave()` may be called at any time and
/// any number of times.
package final class FullScreenTerminal {
  package let input: Int32
  private let output: OutputSink
  private var saved: termios?
  private var painter = ScreenPainter()

  /// The screen of its own, pasted text in brackets, no wrapping at the last column.
  private static let entering = "\u{1B}[?1049h\u{1B}[?2004h\u{1B}[?7l"
  private static let leaving: StaticString = "\u{1B}[0m\u{1B}[?7h\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"

  package init(input: Int32 = 0, output: Int32 = 1) {
    self.input = input
    self.output = OutputSink(descriptor: output, capacity: 1 << 14)
  }

  deinit { leave() }

  /// Takes the terminal; returns false if there is no terminal.
  package func enter() -> Bool {
    guard saved == nil else { return true }
    var settings = termios()
    guard tcgetattr(input, &settings) == 0 else { return false }
    saved = settings
    settings.c_iflag &= ~tcflag_t(ICRNL | INLCR | IXON | ISTRIP)
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    // Keys that were typed before Ctrl-C are still wanted.
    settings.c_lflag |= tcflag_t(ISIG | NOFLSH)
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
      // Ctrl-\ would end the program with the screen as it is.
      characters[Int(VQUIT)] = 0
    }
    tcsetattr(input, TCSADRAIN, &settings)
    painter.forget()
    SavedTerminal.screen(Self.leaving)
    send(Self.entering)
    return true
  }

  /// Gives the terminal back as it was.
  package func leave() {
    guard var settings = saved else { return }
    saved = nil
    send("\(Self.leaving)")
    tcsetattr(input, TCSADRAIN, &settings)
    SavedTerminal.screen(nil)
  }

  /// Whether the screen is shown.
  package var isTaken: Bool { saved != nil }

  /// Shows a frame.
  package func show(_ frame: ScreenFrame) {
    guard saved != nil else { return }
    send(painter.paint(frame))
  }

  /// Makes the next frame repaint the whole screen.
  package func forgetScreen() { painter.forget() }

  /// Whether keys wait to be read.
  package var hasInput: Bool {
    if !UnreadInput.isEmpty { return true }
    var ready = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    return poll(&ready, 1, 0) > 0
  }

  /// The bytes that wait; nil when the terminal is gone.
  package func read() -> [UInt8]? {
    if !UnreadInput.isEmpty { return UnreadInput.takeAll() }
    var bytes = [UInt8](repeating: 0, count: 1 << 12)
    let count = Glibc.read(input, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  /// Whether the terminal takes no more output.
  package var hasFailed: Bool { output.failure != nil }

  private func send(_ text: String) {
    guard !text.isEmpty else { return }
    output.write(text)
    output.flush()
  }
}
