import Foundation
import Glibc
import TestSupport
import Testing

@testable import Shell

/// Keys that ended the prompt, windows of a few columns, and any keys on the full screens: the program lives and answers
/// afterwards.
@Suite(.serialized, .seeded) struct RubbishTests {
  private static let isLong = Effort.isLong

  @Test(arguments: [".predicate Quake\r", ".watch Quake\r", ".browse Quake\r"], 0..<(isLong ? 15 : 2))
  func theFullScreensSurviveRubbish(_ start: String, _ round: Int) throws {
    try survive(start: start, seed: UInt64(round))
  }

  /// Each of these ended the program once.
  @Test(arguments: [
    "\\xFF\\t", "\\x12\\e[<0;3;3M", "\\x12\\e[99z", "\\x12\\e[?1;2c", "\"\\xC3\\t",
    "\\e[200~\\xC5\\xD5\"\\xF9\\e[201~\\t", "\\x1Dp", "\\e\\x1Dp", "abc\\x12a\\x15\\x0B\\x0E", "\\x12x\\x01\\e[99z",
  ])
  func oneKeyDoesNotEndIt(_ keys: String) throws {
    let session = try session(columns: 80)
    session.send(bytes: Self.bytes(keys))
    try expectAnswer(session, "\(keys)")
  }

  @Test(arguments: 1...7) func aNarrowWindowDoesNotEndIt(_ columns: Int) throws {
    let session = try session(columns: columns)
    session.send("for i = 1, 10 do print(i) end -- 雪é\u{12}x")
    session.resize(columns: 40, rows: 2)
    session.settle(milliseconds: 50)
    session.resize(columns: columns, rows: 1)
    session.settle(milliseconds: 50)
    try expectAnswer(session, "\(columns) columns")
  }

  private func session(columns: Int) throws -> PTYSession {
    let program = try BuiltProgram.withStore()
    let session = try program.terminal("-q --no-init quakes.sqlite", columns: columns, rows: 24)
    session.settle(milliseconds: 300)
    return session
  }

  private func expectAnswer(_ session: PTYSession, _ what: String) throws {
    session.resize(columns: 80, rows: 24)
    session.settle(milliseconds: 50)
    // Ends a paste; then the completions, a pane and the text of a full screen, and the screen itself; a search, a block.
    for keys in ["\u{1B}[201~", "\u{1B}", "\u{1B}", "q", "\u{3}", "\u{3}", "\u{3}"] {
      session.send(keys)
      session.settle(milliseconds: 150)
    }
    session.send("print(41 + 1)\r")
    do {
      try session.expect("\n42", seconds: 10)
    } catch {
      let status = try? session.waitForExit(seconds: 0.1)
      Issue.record("\(what): \(status.map { "ended with \($0)" } ?? "no answer") \(error)")
    }
  }

  private func survive(start: String, seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let session = try session(columns: [80, 1, 2, 3, 5, 40].randomElement(using: &random)!)
    session.send(start)
    session.settle(milliseconds: 200)
    for _ in 0..<50 {
      if Int.random(in: 0..<4, using: &random) == 0 {
        session.resize(
          columns: [1, 2, 3, 4, 5, 8, 20, 80].randomElement(using: &random)!,
          rows: [1, 2, 3, 4, 5, 24].randomElement(using: &random)!)
      }
      // Not what leaves, stops or holds the terminal.
      let keys = Self.rubbish(&random).filter { ![0x03, 0x04, 0x1A, 0x1C, 0x13, 0x11].contains($0) }
      session.send(bytes: keys)
      session.settle(milliseconds: 5)
    }
    try expectAnswer(session, "seed \(seed) in \(start)")
  }

  private static let sequences = [
    "\\e[A", "\\e[B", "\\e[<0;3;3M", "\\e[M !!", "\\e[200~", "\\e[201~", "\\e[1;5C", "\\eOP", "\\e[99z", "\\e]0;x\\x07",
    "\\e",
    "\\e\\e", "\\e[", "\\e[1;", "\\ex", "\\e[3~", "\\xFF\\t", "\\t", "\\r", "\\x12a", "\\x12\\xFF", "\\x12\\e[24~",
    "\"\\xC3", "é",
    "雪", "Quake:where \"", "store.", "x = {", ".pre", "for i = 1",
  ].map(bytes)

  private static func rubbish(_ random: inout SplitMix) -> [UInt8] {
    func some(_ range: ClosedRange<UInt8>, _ count: Int) -> [UInt8] {
      (0..<Int.random(in: 1...count, using: &random)).map { _ in UInt8.random(in: range, using: &random) }
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return some(0x80...0xFF, 5)
    case 1: return some(0x01...0x1F, 2)
    case 2: return some(0x00...0xFF, 12)
    case 3: return bytes("\\e[200~") + some(0x01...0xFF, 40) + bytes("\\e[201~")
    case 4: return [0x1B] + some(0x20...0x7E, 1)
    default: return sequences.randomElement(using: &random)!
    }
  }

  /// The bytes that a text with escapes stands for.
  private static func bytes(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let letter = rest.popFirst() else {
        bytes.append(byte)
        continue
      }
      switch letter {
      case UInt8(ascii: "e"): bytes.append(0x1B)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      default:
        bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)!)
        rest = rest.dropFirst(2)
      }
    }
    return bytes
  }

}
