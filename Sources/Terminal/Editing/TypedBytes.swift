/// The bytes that a terminal sends, one at a time, where Ctrl-C may come between any two.
struct TypedBytes {
  /// The byte that was read between Ctrl-C and its signal, for the next block.
  private var behindInterrupt: UInt8?
  /// Whether Ctrl-C was answered with a mark already.
  private var hasMarked = false

  /// The next byte: one that an earlier reader has left, or else the next that the terminal sends. After Ctrl-C it is 0 once, then -1.
  ///
  /// What was there may be gone with Ctrl-C since: the next key is not for the block that this drops. A mark is no harm to the
  /// block; what reads on, as a paste does to its end, finds the end.
  mutating func next(
    isInterrupted: () -> Bool, unread: () -> UInt8?, hasInput: () -> Bool, read: () -> Int32
  ) -> Int32 {
    while true {
      if isInterrupted() {
        defer { hasMarked = true }
        return hasMarked ? -1 : 0
      }
      if let byte = unread() {
        hasMarked = false
        return Int32(byte)
      }
      guard hasInput(), !isInterrupted() else { continue }
      let byte = read()
      guard isInterrupted(), byte >= 0 else {
        hasMarked = false
        return byte
      }
      // With Ctrl-C the terminal forgets earlier keys, so this byte came after it.
      behindInterrupt = UInt8(truncatingIfNeeded: byte)
    }
  }

  /// The byte that belongs to the next block, once.
  mutating func takeBehindInterrupt() -> UInt8? {
    defer { behindInterrupt = nil }
    return behindInterrupt
  }
}
