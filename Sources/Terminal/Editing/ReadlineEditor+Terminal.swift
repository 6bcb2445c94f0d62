@preconcurrency import CReadline
import Glibc
import Presentation

// The terminal as readline sees it: some sizes and keys are withheld from it.
extension ReadlineEditor {
  /// readline divides by the rest of a line behind its marks; a narrower window is not readable anyway.
  private static let fewestColumns: Int32 = 8
  private static let escape = Int32(0x1B)
  private static let newline = Int32(UInt8(ascii: "\n"))
  /// Ctrl-G, which ends what waits for a key.
  private static let abort: Int32 = 0x07
  /// Escape and Ctrl-X, with which keys of several bytes begin. They end a command of vi that waits for a motion, before they are
  /// read: readline 8.2 has one place for what both wait for, and ends the process.
  private static let beginsKeys: Set<Int32> = [0x1B, 0x18]

  /// Makes readline read each byte through us.
  func watchKeys() {
    rl_getc_function = { stream in ReadlineEditor.nextByte(stream) }
  }

  /// Takes the search for a character (Ctrl-], Alt-Ctrl-]) from readline's keys.
  ///
  /// Where the character comes in a later call, as it does here, readline 8.2 writes over its own stack.
  func unbindCharacterSearch() {
    for map in [rl_get_keymap_by_name("emacs"), rl_get_keymap_by_name("emacs-meta")] {
      rl_unbind_function_in_map(rl_char_search, map)
      rl_unbind_function_in_map(rl_backward_char_search, map)
    }
  }

  /// The next byte for readline: what the terminal sent, or what readline can bear in its place.
  private static func nextByte(_ stream: UnsafeMutablePointer<FILE>?) -> Int32 {
    let isHeld = !heldBytes.isEmpty
    let byte = isHeld ? heldBytes.removeFirst() : firstByte(stream)
    if byte >= 0x80, !isHeld { return wholeCharacter(from: byte, stream) }
    if beginsKeys.contains(byte), perilune_readline_is_state(UInt(RL_STATE_VIMOTION)) != 0 {
      heldBytes.insert(byte, at: 0)
      return abort
    }
    guard endsSearch(byte) else { return byte }
    // Escape by itself is the user's way out of the search.
    if byte != escape || isHeld || hasInput(stream) { heldBytes.insert(byte, at: 0) }
    return newline
  }

  /// Whether a byte is for the editor while a search is at work, so that a newline, which ends a search and does nothing
  /// else, has to go before it.
  ///
  /// readline 8.2 ends the process otherwise: in the middle of a search it loses the keymap of an unknown key of several
  /// bytes, such as a click of the mouse, and a key that ends an incremental search is read by a call within the call.
  private static func endsSearch(_ byte: Int32) -> Bool {
    if perilune_readline_is_state(UInt(RL_STATE_ISEARCH)) != 0 {
      return byte >= 0 && byte < 0x20 && !searchKeys.contains(byte)
    }
    return byte == escape && perilune_readline_is_state(UInt(RL_STATE_NSEARCH)) != 0
  }

  /// Control characters that an incremental search takes itself: Ctrl-G, H, J, R, S, V, W and Y.
  private static let searchKeys: Set<Int32> = [0x07, 0x08, 0x0A, 0x12, 0x13, 0x16, 0x17, 0x19]

  /// The first byte of a character, with the others held; U+FFFD or `?` stands for invalid bytes.
  ///
  /// readline counts invalid bytes now as bytes and now as columns, and writes where it should not.
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
      let next = firstByte(stream)
      guard (0x80...0xBF).contains(next) else {
        heldBytes.append(next)
        break
      }
      bytes.append(UInt8(truncatingIfNeeded: next))
    }
    let isWhole = isUTF8 && String(validating: bytes, as: UTF8.self) != nil
    let shown = (isWhole ? bytes : Array((isUTF8 ? "\u{FFFD}" : "?").utf8)).map { Int32($0) }
    heldBytes = shown.dropFirst() + heldBytes
    return shown[0]
  }

  /// The next byte that the terminal sent, which an earlier reader may have left.
  private static func firstByte(_ stream: UnsafeMutablePointer<FILE>?) -> Int32 {
    typed.next(
      isInterrupted: { isInterrupted }, unread: { UnreadInput.takeFirst() },
      hasInput: { hasInput(stream, milliseconds: -1) }, read: { rl_getc(stream) })
  }

  /// The state of the bytes that were read.
  nonisolated(unsafe) static var typed = TypedBytes()

  private static var isInterrupted: Bool { current?.sources.isInterrupted() == true }

  /// Whether the next key waits already and is a blank; Tab is a key that indents.
  static var nextIsBlank: Bool {
    guard heldBytes.isEmpty, hasInput(rl_instream, milliseconds: 0) else { return false }
    let byte = firstByte(rl_instream)
    // The end of the terminal is found by the next reader, too.
    if byte >= 0 { UnreadInput.giveBack([UInt8(truncatingIfNeeded: byte)]) }
    return byte == 0x20
  }

  static func hasInput(_ stream: UnsafeMutablePointer<FILE>?, milliseconds: Int32 = 100) -> Bool {
    if !UnreadInput.isEmpty { return true }
    var input = pollfd(fd: fileno(stream), events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, milliseconds) > 0
  }

  /// Makes readline read the available input: a key, and the bytes that were held back before it.
  package func readKeys() {
    widen()
    readKey()
    while !Self.heldBytes.isEmpty, isReading { readKey() }
  }

  private func readKey() {
    // What readline does next counts on it.
    _ = Self.point
    if search == nil { rl_callback_read_char() } else { takeSearchKey(Self.nextByte(rl_instream)) }
  }

  /// Takes the size that the window has now.
  package func resize() {
    if drawsBlocks { return redraw() }
    // readline asks the terminal itself, and draws before we can correct the size.
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
