import Testing

@testable import Terminal

@Suite struct TypedBytesTests {
  /// A terminal that sends bytes, with Ctrl-C behind so many questions whether it came.
  private final class Keys {
    var waiting: [UInt8]
    var unread: [UInt8] = []
    /// How many questions are answered with no before Ctrl-C is there.
    var patience: Int
    var isInterrupted = false

    init(_ text: String, interruptedAfter patience: Int = .max) {
      (waiting, self.patience) = (Array(text.utf8), patience)
    }

    func next(_ typed: inout TypedBytes) -> Int32 {
      typed.next(
        isInterrupted: {
          self.patience -= 1
          if self.patience < 0 { self.isInterrupted = true }
          return self.isInterrupted
        }, unread: { self.unread.isEmpty ? nil : self.unread.removeFirst() }, hasInput: { !self.waiting.isEmpty },
        read: { self.waiting.isEmpty ? -1 : Int32(self.waiting.removeFirst()) })
    }
  }

  @Test func bytesComeInTheirOrderThoseThatWereLeftFirst() {
    let keys = Keys("bc")
    keys.unread = [0x61]
    var typed = TypedBytes()
    #expect((0..<3).map { _ in keys.next(&typed) } == [0x61, 0x62, 0x63])
    #expect(typed.takeBehindInterrupt() == nil)
  }

  @Test func aByteThatIsReadBetweenControlCAndItsSignalIsForTheNextBlock() {
    // Asked at the beginning, before the read, and behind it.
    let keys = Keys("\u{1B}[A", interruptedAfter: 2)
    var typed = TypedBytes()
    #expect(keys.next(&typed) == 0, "the block that is dropped gets a mark")
    #expect(keys.next(&typed) == -1, "what reads on finds the end")
    #expect(typed.takeBehindInterrupt() == 0x1B)
    #expect(typed.takeBehindInterrupt() == nil)
    (keys.isInterrupted, keys.patience) = (false, .max)
    #expect(keys.next(&typed) == 0x5B)
  }

  @Test func controlCBeforeTheReadLeavesTheByteWhereItIs() {
    let keys = Keys("x", interruptedAfter: 1)
    var typed = TypedBytes()
    #expect(keys.next(&typed) == 0)
    #expect(typed.takeBehindInterrupt() == nil)
    (keys.isInterrupted, keys.patience) = (false, .max)
    #expect(keys.next(&typed) == 0x78)
  }

  @Test func theEndOfTheTerminalIsNoByteBehindControlC() {
    let keys = Keys("", interruptedAfter: 2)
    var typed = TypedBytes()
    let end = typed.next(
      isInterrupted: {
        keys.patience -= 1
        return keys.patience < 0
      }, unread: { nil }, hasInput: { true }, read: { -1 })
    #expect(end == -1)
    #expect(typed.takeBehindInterrupt() == nil)
  }
}
