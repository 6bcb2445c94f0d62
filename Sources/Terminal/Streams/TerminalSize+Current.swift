internal import Glibc
package import Presentation

extension TerminalSize {
  /// The size of the terminal behind a descriptor, or nil if it is not a terminal.
  ///
  /// $COLUMNS and $LINES, which people set to have their way, come before what the terminal says.
  package static func current(_ descriptor: Int32, environment: [String: String] = [:]) -> TerminalSize? {
    guard isatty(descriptor) == 1 else { return nil }
    var window = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0
    let columns = isKnown && window.ws_col > 0 ? Int(window.ws_col) : 80
    let rows = isKnown && window.ws_row > 0 ? Int(window.ws_row) : 24
    return TerminalSize(
      columns: positive(environment["COLUMNS"]) ?? columns, rows: positive(environment["LINES"]) ?? rows)
  }

  private static func positive(_ text: String?) -> Int? {
    text.flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
  }
}
