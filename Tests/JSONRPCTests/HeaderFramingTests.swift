import JSONRPC
import TestSupport
import Testing

/// Messages with headers are told apart, wherever the stream is cut.
@Suite struct HeaderFramingTests {
  private func messages(_ pieces: [[UInt8]]) -> [String] {
    var framing = HeaderFraming()
    return (pieces.flatMap { framing.take($0) } + framing.end()).map { arrival in
      switch arrival {
      case .message(let bytes): String(decoding: bytes, as: UTF8.self)
      case .broken(let error): "broken \(error.code)"
      }
    }
  }

  private static let stream = Array(
    (HeaderFraming.framed("{\"é\":1}") + "content-length:2\nContent-Type: x\n\n{}" + HeaderFraming.framed("")).utf8)

  @Test(arguments: stream.indices)
  func aCutAnywhereChangesNothing(place: Int) {
    let pieces = [Array(Self.stream[..<place]), Array(Self.stream[place...])]
    #expect(messages(pieces) == ["{\"é\":1}", "{}", ""])
  }

  @Test func anEndWithinAMessageIsSaid() {
    #expect(messages([Array("Content-Length: 9\r\n\r\n{}".utf8)]) == ["broken parse"])
    #expect(messages([Array("Content-Len".utf8)]) == ["broken parse"])
  }

  @Test func aWrongLengthSpoilsOneMessage() {
    let wrong = "Content-Length: 1\r\n\r\n{}" + HeaderFraming.framed("[1]")
    #expect(messages([Array(wrong.utf8)]) == ["{", "[1]"])
  }
}
