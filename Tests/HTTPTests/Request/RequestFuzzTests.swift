import Foundation
import TestSupport
import Testing

@testable import HTTP

/// The parser and the reference agree on random bytes that are near requests.
@Suite struct RequestFuzzTests {
  private static let pieces = [
    "GET ", "POST ", "HEAD ", "PUT ", "/", "//", "/a", "/%41", "/%2e%2e", "/%", "?", "a=b", "&", "=", "+", "%20", "#",
    " HTTP/1.1", " HTTP/1.0", "\r\n", "\n", "\r", "Host: a", "host:b", "Host : a", "Content-Length: 3",
    "Content-Length: 03", "content-length: -1", "Transfer-Encoding: chunked", "Origin: null", "Expect: x", "X-Y:\t z ",
    " folded",
    "\r\n\r\n", "abc", "\u{0}", "\u{7F}", "é", ":", " ", "\t", "Cookie: a=b",
  ]

  /// How many inputs are tried; `PERILUNE_HTTP_INPUTS` sets it.
  private static let count = ProcessInfo.processInfo.environment["PERILUNE_HTTP_INPUTS"].flatMap { Int($0) } ?? 20_000

  @Test(.seeded) func theParserAgreesWithTheReference() {
    var random = SplitMix(seed: 45)
    var accepted = 0
    for _ in 0..<Self.count {
      let bytes = input(&random)
      let expected = ReferenceParser.parse(bytes)
      var parser = RequestParser(limits: .standard)
      var found: HTTPRequest?
      // In two parts, which must not matter.
      let cut = random.below(bytes.count + 1)
      parser.receive(bytes[..<cut])
      var outcome = parser.next()
      if outcome == .incomplete {
        parser.receive(bytes[cut...])
        outcome = parser.next()
      }
      if case .request(let request) = outcome { found = request }
      if found != nil { accepted += 1 }
      #expect(found == expected, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
      if found != expected { return }
    }
    #expect(accepted > Self.count / 50)
  }

  /// A request in which pieces were put in, doubled, left out, or changed by a byte.
  private func input(_ random: inout SplitMix) -> [UInt8] {
    func pick(_ count: Int) -> Int { random.below(count) }
    var parts = ["GET ", "/a", "?x=1", " HTTP/1.1", "\r\n", "Host: a", "\r\n\r\n"]
    if pick(2) == 0 {
      parts = ["POST ", "/a", " HTTP/1.1", "\r\n", "Host: a", "\r\n", "Content-Length: 3", "\r\n\r\n", "abc"]
    }
    for _ in 0..<pick(4) {
      let place = pick(parts.count)
      switch pick(3) {
      case 0: parts.insert(Self.pieces[pick(Self.pieces.count)], at: place)
      case 1: parts[place] = Self.pieces[pick(Self.pieces.count)]
      default: if parts.count > 1 { parts.remove(at: place) }
      }
    }
    var bytes = Array(parts.joined().utf8)
    if pick(4) == 0, !bytes.isEmpty { bytes[pick(bytes.count)] = UInt8(pick(256)) }
    return bytes
  }
}
