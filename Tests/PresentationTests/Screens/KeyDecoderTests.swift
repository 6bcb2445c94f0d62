import TestSupport
import Testing

@testable import Presentation

@Suite(.seeded) struct KeyDecoderTests {
  private func keys(_ bytes: [UInt8], inPieces size: Int = .max, isComplete: Bool = true) -> [Key] {
    var decoder = KeyDecoder()
    var keys: [Key] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      decoder.feed(rest.prefix(size))
      rest = rest.dropFirst(size)
      while let key = decoder.next() { keys.append(key) }
    }
    while isComplete, let key = decoder.next(isComplete: true) { keys.append(key) }
    return keys
  }

  private func keys(_ text: String) -> [Key] { keys(Array(text.utf8)) }

  @Test func typedCharactersAreText() {
    #expect(keys("aé雪🌋") == [.text("a"), .text("é"), .text("雪"), .text("🌋")])
    #expect(keys("e\u{301}") == [.text("e"), .text("\u{301}")])
  }

  @Test func controlCharactersAreKeysOfTheirOwn() {
    #expect(keys("\u{1}\u{1F}\u{0}\u{1C}") == [.control("a"), .control("_"), .control("@"), .control("\\")])
    #expect(keys("\t\r\n\u{7F}\u{8}") == [.tab, .enter, .enter, .backspace, .backspace])
  }

  @Test(arguments: [
    ("[A", Key.up), ("OA", .up), ("[B", .down), ("[C", .right), ("[D", .left), ("[1;5C", .wordRight),
    ("[1;3D", .wordLeft), ("[1;2C", .right), ("[H", .home), ("[1~", .home), ("OF", .end), ("[4~", .end),
    ("[5~", .pageUp), ("[6~", .pageDown), ("[3~", .delete), ("[2~", .insert), ("[Z", .backTab), ("OP", .function(1)),
    ("[11~", .function(1)), ("[[A", .function(1)), ("OS", .function(4)), ("[15~", .function(5)),
    ("[17~", .function(6)), ("[18~", .function(7)), ("[24~", .function(12)), ("[1;5Q", .function(2)),
    ("b", .alt("b")), ("\u{7F}", .alt("\u{7F}")), ("[999999999999999999999~", .unknown), ("[<0;1;1M", .unknown),
  ])
  func sequencesAreKeys(sequence: String, key: Key) {
    #expect(keys("\u{1B}" + sequence + "x") == [key, .text("x")])
    #expect(keys(Array(("\u{1B}" + sequence + "x").utf8), inPieces: 1) == [key, .text("x")])
  }

  @Test func escapeIsAKeyWhenNothingFollowsInTime() {
    #expect(keys([0x1B], isComplete: false) == [])
    #expect(keys([0x1B]) == [.escape])
    #expect(keys([0x1B, 0x1B]) == [.escape, .escape])
    #expect(keys("\u{1B}[") == [.alt("[")])
    #expect(keys("\u{1B}é") == [.escape, .text("é")])
  }

  @Test func whatComesInPiecesIsWhatComesAtOnce() {
    let bytes = Array("a雪\u{1B}[1;5D\u{1B}OP\u{1B}b🌋\u{1B}[200~x\ny 雪\u{1B}[201~z".utf8)
    let whole = keys(bytes)
    for size in 1...7 {
      var pieces = keys(bytes, inPieces: size)
      // A paste may come in several pieces, too.
      while let index = pieces.indices.dropLast().first(where: {
        pieces[$0].pastedText != nil && pieces[$0 + 1].pastedText != nil
      }) {
        let joined = (pieces[index].pastedText ?? "") + (pieces[index + 1].pastedText ?? "")
        pieces.replaceSubrange(index...(index + 1), with: [.pasted(joined)])
      }
      #expect(pieces == whole)
    }
  }

  @Test func nothingWithinAPasteIsAKey() {
    #expect(keys("\u{1B}[200~a\r\u{1B}[Ab\u{3}\u{1B}[201~\r") == [.pasted("a\r\u{1B}[Ab\u{3}"), .enter])
    #expect(keys("\u{1B}[200~\u{1B}[201~x") == [.text("x")])
  }

  @Test func aPasteThatStallsGoesOnLater() {
    var decoder = KeyDecoder()
    decoder.feed(Array("\u{1B}[200~ab\u{1B}[20".utf8))
    #expect(decoder.next() == .pasted("ab"))
    #expect(decoder.next() == nil)
    decoder.feed(Array("1~\r".utf8))
    #expect(decoder.next() == .enter)
    decoder.feed(Array("\u{1B}[200~ab".utf8))
    #expect(decoder.next() == .pasted("ab"))
    decoder.reset()
    decoder.feed([0x0D])
    #expect(decoder.next() == .enter)
  }

  @Test func bytesThatAreNoTextAreDropped() {
    #expect(keys([0xFF, 0x61, 0xC3, 0x28, 0xED, 0xA0, 0x80]).filter { $0 != .unknown } == [.text("a"), .text("(")])
    // Controls of eight bits act on some terminals.
    #expect(keys([0xC2, 0x9B]) == [.unknown])
  }

  @Test func fuzzedBytesAreAlwaysUsedUpAndNeverTrap() {
    var random = SplitMix(seed: 1)
    let pieces: [[UInt8]] = [
      [0x1B], Array("[".utf8), Array("O".utf8), Array("[200~".utf8), Array("\u{1B}[201~".utf8), [0xC3], [0xF0, 0x9F],
      Array(";;;".utf8), Array("~".utf8), Array("999999999999999999999".utf8), [0x00], [0x7F], Array("雪".utf8),
    ]
    for _ in 0..<3_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...24, using: &random) {
        bytes +=
          Bool.random(using: &random)
          ? pieces.randomElement(using: &random)! : [UInt8.random(in: 0...255, using: &random)]
      }
      var decoder = KeyDecoder()
      var rest = bytes[...]
      var count = 0
      while !rest.isEmpty {
        let size = Int.random(in: 1...rest.count, using: &random)
        decoder.feed(rest.prefix(size))
        rest = rest.dropFirst(size)
        while decoder.next() != nil { count += 1 }
      }
      while decoder.next(isComplete: true) != nil { count += 1 }
      #expect(!decoder.isWaiting, "\(bytes)")
      #expect(count <= bytes.count)
    }
  }

  @Test func whatNoKeyWasMadeOfIsGivenToTheNextReader() {
    var decoder = KeyDecoder()
    decoder.feed(Array("q1+1\r".utf8))
    #expect(decoder.next() == .text("q"))
    #expect(decoder.takeRest() == Array("1+1\r".utf8))
    #expect(!decoder.isWaiting && decoder.takeRest().isEmpty)
    // The next reader learns that it is in a paste.
    decoder.feed(Array("\u{1B}[200~one".utf8))
    #expect(decoder.next() == .pasted("one"))
    #expect(decoder.takeRest() == Array("\u{1B}[200~".utf8))
    decoder.feed(Array("x".utf8))
    #expect(decoder.next() == .text("x"))
  }
}

extension Key {
  fileprivate var pastedText: String? { if case .pasted(let text) = self { text } else { nil } }
}
