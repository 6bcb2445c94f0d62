@preconcurrency import CReadline
import Glibc

// What readline is told of the terminal: not every size, and not every key at every time.
extension ReadlineEditor {
  /// readline divides by what is left of a line behind its marks; the display of a narrower window is not to be read anyway.
  private static let fewestColumns: Int32 = 8
  private static let escape = Int32(0x1B)
  private static let newline = Int32(UInt8(ascii: "\n"))

  /// Has readline ask us for each byte.
  func watchKeys() {
    rl_getc_function = { stream in ReadlineEditor.nextByte(stream) }
  }

  /// The next byte for readline: what the terminal sent, or what readline can bear in its place.
  private static func nextByte(_ stream: UnsafeMutablePointer<FILE>?) -> Int32 {
    if !heldBytes.isEmpty { return heldBytes.removeFirst() }
    let byte = rl_getc(stream)
    if byte >= 0x80 { return wholeCharacter(from: byte, stream) }
    guard byte == escape, perilune_readline_is_state(UInt(RL_STATE_ISEARCH | RL_STATE_NSEARCH)) != 0 else {
      return byte
    }
    // A key of several bytes that is unknown (a click of the mouse is one) ends the process in the middle of a search:
    // readline 8.2 loses the keymap that it was in. A newline ends a search and nothing else, so it goes before. Escape
    // by itself is the user's way out of the search.
    if hasInput(stream) { heldBytes = [escape] }
    return newline
  }

  /// The first byte of a character, the others held; of U+FFFD or `?` for what is no character.
  ///
  /// readline counts what is no character now as bytes and now as columns, and writes where it should not.
  private static func wholeCharacter(from first: Int32, _ stream: UnsafeMutablePointer<FILE>?) -> Int32 {
    let isUTF8 = current?.charset == .utf8
    let length =
      switch first {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    var bytes = [UInt8(truncatingIfNeeded: first)]
    // A terminal sends a character at once.
    while isUTF8, bytes.count < length, hasInput(stream) {
      let next = rl_getc(stream)
      guard (0x80...0xBF).contains(next) else {
        heldBytes = [next]
        break
      }
      bytes.append(UInt8(truncatingIfNeeded: next))
    }
    let isWhole = isUTF8 && String(validating: bytes, as: UTF8.self) != nil
    let shown = (isWhole ? bytes : Array((isUTF8 ? "\u{FFFD}" : "?").utf8)).map { Int32($0) }
    heldBytes = shown.dropFirst() + heldBytes
    return shown[0]
  }

  private static func hasInput(_ stream: UnsafeMutablePointer<FILE>?) -> Bool {
    var input = pollfd(fd: fileno(stream), events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, 100) > 0
  }

  /// Has readline read what there is to read: a key, and the bytes that were held back before it.
  func readKeys() {
    widen()
    rl_callback_read_char()
    while !Self.heldBytes.isEmpty, isReading { rl_callback_read_char() }
  }

  /// Takes the size that the window has now.
  func resize() {
    // readline asks the terminal itself, and draws before anybody can correct it.
    if let size = TerminalSize.current(0), size.columns >= Self.fewestColumns { return rl_resize_terminal() }
    rl_set_screen_size(0, Self.fewestColumns)
    rl_forced_update_display()
  }

  /// Has readline take the window for wider than it is, where it is too narrow for it.
  ///
  /// Asked before each key: between two looks at the terminal it may have become another.
  func widen() {
    var (rows, columns): (Int32, Int32) = (0, 0)
    rl_get_screen_size(&rows, &columns)
    if columns < Self.fewestColumns - 1 { rl_set_screen_size(0, Self.fewestColumns) }
  }
}
