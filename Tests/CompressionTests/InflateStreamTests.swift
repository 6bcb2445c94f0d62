import Compression
import Foundation
import Testing

@Suite struct InflateStreamTests {
  /// Two members: `a,b` on three lines, and `1,2` on one.
  private static let first = bytes("H4sIAAAAAAACA0vUSeJKhGIALy+bGgwAAAA=")
  private static let second = bytes("H4sIAAAAAAACAzPUMeICADNCIVUEAAAA")

  private static func bytes(_ text: String) -> [UInt8] { Data(base64Encoded: text).map { [UInt8]($0) } ?? [] }

  /// What a text unpacks to that is read `step` bytes at a time.
  private func unpacked(_ packed: [UInt8], step: Int = 7) throws -> String {
    var rest = packed[...]
    let stream = InflateStream(.gzip) { buffer in
      let part = rest.prefix(min(step, buffer.count))
      buffer.copyBytes(from: part)
      rest = rest.dropFirst(part.count)
      return part.count
    }
    var bytes: [UInt8] = []
    while let chunk = try stream.next() { bytes += chunk }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func membersFollowEachOther() throws {
    for step in [1, 7, 1000] {
      #expect(try unpacked(Self.first + Self.second, step: step) == "a,b\na,b\na,b\n1,2\n")
      // Zeros pad files to the blocks of a tape.
      #expect(try unpacked(Self.second + [0, 0, 0], step: step) == "1,2\n")
    }
  }

  @Test func everyMissingOrWrongByteIsAnError() throws {
    for count in 0..<Self.first.count {
      #expect(throws: CompressionError.cutOff, "\(count)") { try unpacked(Array(Self.first[..<count])) }
    }
    // Behind the header, whose time and system say nothing about the content.
    for index in 10..<Self.first.count {
      var wrong = Self.first
      wrong[index] ^= 0x55
      #expect(throws: CompressionError.self, "\(index)") { try unpacked(wrong) }
    }
  }

  @Test func whatBecomesTooLargeIsABomb() throws {
    let small = ExpansionLimit(packed: 10)
    try small.count(ExpansionLimit.free)
    #expect(throws: CompressionError.bomb) { try small.count(1) }
    try ExpansionLimit(packed: 2 * ExpansionLimit.free / ExpansionLimit.ratio).count(2 * ExpansionLimit.free)
  }

  @Test func anUnpackedWholeHasALimit() {
    let packed = Array(Self.first[10...].dropLast(8))
    #expect(InflateStream.unpack(packed, limit: 12) == Array("a,b\na,b\na,b\n".utf8))
    #expect(InflateStream.unpack(packed, limit: 11) == nil)
    #expect(InflateStream.unpack(Array(packed.dropLast()), limit: 100) == nil)
  }
}
