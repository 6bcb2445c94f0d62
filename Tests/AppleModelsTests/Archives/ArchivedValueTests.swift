import AppleModels
import Foundation
import Modeling
import TestSupport
import Testing

@Suite struct ArchivedValueTests {
  private func decode(_ object: Any) throws -> ArchivedValue? {
    ArchivedValue.decode(Array(try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)))
  }

  @Test func foundationsCollectionsAreJSON() throws {
    #expect(try decode(NSArray(array: ["a", 1, 2.5])) == .json(.array([.string("a"), .int(1), .double(2.5)])))
    let members = NSDictionary(dictionary: ["tags": NSArray(array: ["x", "y"]), "count": 2])
    #expect(
      try decode(members) == .json(.object(["tags": .array([.string("x"), .string("y")]), "count": .int(2)])))
    #expect(try decode(NSOrderedSet(array: ["b", "a"])) == .json(.array([.string("b"), .string("a")])))
    #expect(try decode(NSSet(array: ["only"])) == .json(.array([.string("only")])))
  }

  @Test func datesUUIDsURLsBytesAndDecimalsAreTexts() throws {
    #expect(
      try decode(NSDate(timeIntervalSinceReferenceDate: 0)) == .json(.string("2001-01-01T00:00:00Z")))
    let id = try #require(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
    #expect(try decode(id as NSUUID) == .json(JSON(.uuid(id)) ?? .null))
    let url = try #require(NSURL(string: "https://example.org/a"))
    #expect(try decode(url) == .json(.string("https://example.org/a")))
    #expect(try decode(NSData(data: Data([1, 2, 255]))) == .json(.string("AQL/")))
    #expect(try decode(NSString(string: "Zoë")) == .json(.string("Zoë")))
  }

  @Test func classesThatAreNotFoundationsAreToldByName() throws {
    let builder = ArchiveBuilder()
    let colour = builder.object("UIColor", ["UIRed": .real(1)])
    let bytes = builder.archive(root: colour)
    #expect(ArchivedValue.decode(bytes) == .opaque(className: "UIColor", byteCount: bytes.count))
    let list = builder.object("NSArray", ["NS.objects": .array([colour])])
    let nested = builder.archive(root: list)
    #expect(ArchivedValue.decode(nested) == .opaque(className: "NSArray", byteCount: nested.count))
  }

  @Test func decimalsKeepAllTheirDigits() throws {
    func decode(_ digits: [UInt16], exponent: Int, isNegative: Bool = false) -> ArchivedValue? {
      let builder = ArchiveBuilder()
      let mantissa = (digits + Array(repeating: 0, count: 8 - digits.count)).flatMap {
        [UInt8($0 & 255), UInt8($0 >> 8)]
      }
      let number = builder.object(
        "NSDecimalNumberPlaceholder",
        [
          "NS.mantissa": .data(mantissa), "NS.mantissa.bo": .int(1), "NS.exponent": .int(exponent),
          "NS.length": .int(digits.count), "NS.negative": .bool(isNegative), "NS.compact": .bool(true),
        ])
      return ArchivedValue.decode(builder.archive(root: number))
    }
    #expect(decode([1011], exponent: -2) == .json(.string("10.11")))
    #expect(decode([1011], exponent: -2, isNegative: true) == .json(.string("-10.11")))
    #expect(decode([0, 0, 1], exponent: 0) == .json(.string("4294967296")))
    #expect(decode([], exponent: 0) == .json(.string("0")))
  }

  @Test func whatRefersToItselfOrToTheSameThingsOverAndOverIsNotExpanded() {
    let builder = ArchiveBuilder()
    let itself = builder.reserve()
    builder.fill(itself, "NSArray", ["NS.objects": .array([itself])])
    let bytes = builder.archive(root: itself)
    #expect(ArchivedValue.decode(bytes) == .opaque(className: "NSArray", byteCount: bytes.count))

    let doubling = ArchiveBuilder()
    var last = doubling.string("x")
    for _ in 0..<60 { last = doubling.object("NSArray", ["NS.objects": .array([last, last])]) }
    let many = doubling.archive(root: last)
    #expect(ArchivedValue.decode(many) == .opaque(className: "NSArray", byteCount: many.count))
  }

  @Test func aTextThatHoldsItselfIsNone() {
    let builder = ArchiveBuilder()
    let itself = builder.reserve()
    builder.fill(itself, "NSString", ["NS.string": .object(itself)])
    let bytes = builder.archive(root: itself)
    #expect(ArchivedValue.decode(bytes) == .opaque(className: "NSString", byteCount: bytes.count))
    let model = builder.object("NSManagedObjectModel", ["NSVersionIdentifiers": .object(builder.list([itself]))])
    #expect((try? AppleModel(compiled: builder.archive(root: model)))?.model.version == nil)
  }

  @Test func otherBytesAreNoArchive() {
    #expect(ArchivedValue.decode([]) == nil)
    #expect(ArchivedValue.decode(Array("[1, 2]".utf8)) == nil)
    #expect(ArchivedValue.decode(Array("bplist00 and nothing".utf8)) == nil)
  }
}
