import Foundation
import Modeling
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct ValueCodingTests {
  private func text(_ text: String, _ type: AttributeType) -> Value {
    Array(text.utf8).withUnsafeBytes { ValueCoding.decode(text: $0, as: type) }
  }

  @Test func valuesAreDecodedByTheirType() {
    #expect(ValueCoding.decode(integer: 1, as: .boolean) == .bool(true))
    #expect(ValueCoding.decode(integer: 2, as: .boolean) == .int(2))
    #expect(ValueCoding.decode(integer: 2, as: .double) == .double(2))
    #expect(ValueCoding.decode(integer: .max, as: .double) == .int(.max))
    #expect(ValueCoding.decode(integer: 2, as: .date) == .date(Timestamp(2)))
    #expect(ValueCoding.decode(real: 2.5, as: .integer64) == .double(2.5))
    #expect(ValueCoding.decode(real: 1.1, as: .decimal) == .decimal(Decimal(string: "1.1")!))
    #expect(text("1.10", .decimal) == .decimal(Decimal(string: "1.1")!))
    #expect(text("2024-01-22T16:26:12Z", .date) == .date(Timestamp(1_705_940_772)))
    #expect(text("soon", .date) == .string("soon"))
    #expect(
      text("e621e1f8c36c495a93fc0c247a3e6e5f", .uuid)
        == .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!))
    #expect(text("x", .uuid) == .string("x"))
    #expect(text("[1]", .transformable) == .json(.array([.int(1)])))
    #expect(text("[1", .transformable) == .string("[1"))
    #expect(text("x", .integer64) == .string("x"))
    #expect(text("http://a", .url) == .url("http://a"))
    let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    #expect((1...16).map { UInt8($0) }.withUnsafeBytes { ValueCoding.decode(blob: $0, as: .uuid) } == .uuid(uuid))
  }

  @Test func bytesThatAreNoTextStayBytes() {
    #expect(
      [UInt8]([0x61, 0xFF]).withUnsafeBytes { ValueCoding.decode(text: $0, as: .string) } == .data([0x61, 0xFF]))
  }

  @Test func keysAreNumberedAsTheyAreMet() {
    let interner = KeyInterner()
    #expect(interner.number(of: [.int(1), .string("a")]) == 1)
    #expect(interner.number(of: [.int(2), .string("a")]) == 2)
    #expect(interner.number(of: [.int(1), .string("a")]) == 1)
    #expect(interner.key(2) == [.int(2), .string("a")])
    #expect(interner.key(3) == nil)
    #expect(interner.key(0) == nil)
    interner.rename(1, to: [.int(9), .string("a")])
    #expect(interner.number(of: [.int(9), .string("a")]) == 1)
    #expect(interner.number(of: [.int(1), .string("a")]) == 3)
  }
}
