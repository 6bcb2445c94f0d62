import AppleModels
import Foundation
import Modeling
import Testing

@Suite struct BinaryPropertyListTests {
  private func bytes(_ list: Any) throws -> [UInt8] {
    Array(try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
  }

  @Test func whatFoundationWritesIsRead() throws {
    let list: [String: Any] = [
      "text": "plain", "wide": "Zoë 🌍", "number": 42, "negative": -7, "large": Int.max, "real": 1.5, "flag": true,
      "date": Date(timeIntervalSinceReferenceDate: 86_400), "data": Data([1, 2, 255]), "list": [1, "two", [3.0]],
    ]
    let json = try #require(try BinaryPropertyList(bytes(list)).json(limit: 10_000))
    #expect(
      json
        == .object([
          "text": .string("plain"), "wide": .string("Zoë 🌍"), "number": .int(42), "negative": .int(-7),
          "large": .int(.max), "real": .double(1.5), "flag": .bool(true), "date": .string("2001-01-02T00:00:00Z"),
          "data": .string("AQL/"), "list": .array([.int(1), .string("two"), .array([.double(3)])]),
        ]))
  }

  @Test(arguments: [0, 1, 14, 15, 16, 255, 256, 300])
  func listsOfEveryLengthAreRead(count: Int) throws {
    let list = try BinaryPropertyList(bytes((0..<count).map { $0 * 1000 }))
    #expect(list.json(limit: 10_000) == .array((0..<count).map { .int(Int64($0 * 1000)) }))
    let text = String(repeating: "é", count: count)
    #expect(try BinaryPropertyList(bytes([text])).json(limit: 10_000) == .array([.string(text)]))
  }

  @Test func integersOfSixteenBytesAreNumbersWhereTheyFitElseDigits() throws {
    func number(_ digits: [UInt8]) throws -> BinaryPropertyList.Object {
      let list = try BinaryPropertyList(ListBuilder.list([[0x14] + digits]))
      return list.objects[list.root]
    }
    #expect(try number([UInt8](repeating: 0, count: 15) + [9]) == .int(9))
    #expect(try number([UInt8](repeating: 255, count: 16)) == .int(-1))
    #expect(
      try number([UInt8](repeating: 0, count: 7) + [1] + [UInt8](repeating: 0, count: 8))
        == .largeInt("18446744073709551616"))
  }

  @Test func referencesThatLeadIntoOneAnotherAreNoTree() throws {
    // A list that holds itself.
    let itself = try BinaryPropertyList(ListBuilder.list([[0xA1, 0]]))
    #expect(itself.objects[0] == .array([0]))
    #expect(itself.json(limit: 10_000) == nil)
    // Forty lists of two, each twice the next, which would be a million million numbers.
    let lists: [[UInt8]] = (1...40).map { (next: UInt8) in [0xA2, next, next] }
    let doubling = lists + [[0x10, 1]]
    #expect(try BinaryPropertyList(ListBuilder.list(doubling)).json(limit: 10_000) == nil)
  }

  @Test func objectsThatLieInOneAnotherAreRefused() throws {
    let text: [UInt8] = [0x5F, 0x10, 100] + [UInt8](repeating: 0x41, count: 100)
    let many = ListBuilder.list([text], offsets: [UInt8](repeating: 8, count: 50))
    #expect(throws: PropertyListError.overlapping) { try BinaryPropertyList(many) }
  }

  @Test func offsetsCountsAndReferencesThatLieAreRefused() throws {
    let honest = ListBuilder.list([[0xA1, 1], [0x10, 1]])
    #expect(try BinaryPropertyList(honest).objects.count == 2)
    for position in honest.indices.dropFirst(8) {
      for byte: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var bytes = honest
        bytes[position] = byte
        if let list = try? BinaryPropertyList(bytes) { _ = list.json(limit: 1000) }
      }
    }
    #expect(throws: PropertyListError.unknownReference(offset: 8)) {
      try BinaryPropertyList(ListBuilder.list([[0xA1, 7]]))
    }
    #expect(throws: PropertyListError.cutOff) {
      try BinaryPropertyList(ListBuilder.list([[0x5F, 0x13, 0x7F, 0, 0, 0, 0, 0, 0, 0]]))
    }
    #expect(throws: PropertyListError.notAPropertyList) { try BinaryPropertyList(Array("<plist>".utf8)) }
    #expect(throws: PropertyListError.cutOff) { try BinaryPropertyList(Array("bplist00".utf8)) }
  }
}
