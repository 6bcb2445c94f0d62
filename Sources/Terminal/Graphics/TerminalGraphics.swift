import Glibc
import Modeling
internal import Presentation

/// How a terminal draws pictures.
package struct TerminalGraphics: Equatable {
  /// The protocol of pictures.
  package enum Form: String, CaseIterable {
    case kitty, sixel
  }

  /// The protocol; nil if the terminal draws none.
  package var form: Form?
  /// The width of a cell in pixels.
  package var cellWidth = 8
  /// The height of a cell in pixels.
  package var cellHeight = 16
  /// Whether the ground is dark.
  package var isDark = true

  package init(form: Form? = nil) { self.form = form }

  /// The time for the terminal's reply: enough for a far host.
  private static let patience = 1.0
  /// Terminals that print the questions, or that hand on answers of a terminal behind them which they do not keep to.
  private static let silentTerminals = ["dumb", "linux", "vt100", "vt102", "vt220", "ansi", "cygwin", "screen", "tmux"]

  /// Whether to ask a terminal of this name.
  package static func canAsk(_ environment: [String: String]) -> Bool {
    guard let name = environment["TERM"], !name.isEmpty, (environment["TMUX"] ?? "").isEmpty else { return false }
    return !silentTerminals.contains { name == $0 || name.hasPrefix($0 + "-") || name.hasPrefix($0 + ".") }
  }

  /// Asks the terminal; `typed` gets the keys that came meanwhile. Returns nil if it did not answer.
  package static func ask(input: Int32 = 0, output: Int32 = 1, typed: ([UInt8]) -> Void) -> TerminalGraphics? {
    var settings = termios()
    guard tcgetattr(input, &settings) == 0 else { return nil }
    let saved = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    settings.c_lflag |= tcflag_t(ISIG | NOFLSH)
    tcsetattr(input, TCSANOW, &settings)
    defer {
      var saved = saved
      tcsetattr(input, TCSANOW, &saved)
    }
    let sink = OutputSink(descriptor: output, capacity: 1 << 8)
    sink.write(TerminalReplies.questions)
    sink.flush()
    var replies = TerminalReplies()
    let deadline = monotonicSeconds() + patience
    while !replies.hasEnded {
      let left = deadline - monotonicSeconds()
      var ready = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      // A signal ends the waiting, too.
      guard left > 0, poll(&ready, 1, Int32(left * 1_000) + 1) > 0 else { break }
      var bytes = [UInt8](repeating: 0, count: 1 << 10)
      let count = read(input, &bytes, bytes.count)
      guard count > 0 else { break }
      replies.feed(Array(bytes[..<count]))
    }
    replies.finish()
    if !replies.typed.isEmpty { typed(replies.typed) }
    return replies.hasEnded ? TerminalGraphics(replies) : nil
  }

  init(_ replies: TerminalReplies) {
    form = replies.hasKitty ? .kitty : replies.hasSixel ? .sixel : nil
    if let cell = replies.cell { (cellWidth, cellHeight) = cell }
    isDark = replies.isDark ?? true
  }

  /// The cells' size from the window, if the terminal does not report it.
  package mutating func measure(_ descriptor: Int32) {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_xpixel > 0, window.ws_ypixel > 0,
      window.ws_col > 0, window.ws_row > 0
    else { return }
    cellWidth = max(Int(window.ws_xpixel) / Int(window.ws_col), 1)
    cellHeight = max(Int(window.ws_ypixel) / Int(window.ws_row), 1)
  }
}
