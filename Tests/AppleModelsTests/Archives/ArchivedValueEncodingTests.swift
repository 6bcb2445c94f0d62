import Foundation
import Modeling
import Testing

@testable import AppleModels

@Suite struct ArchivedValueEncodingTests {
  @Test func whatIsEncodedIsDecoded() throws {
    let values: [JSON] = [
      .array([.string("x"), .int(1), .bool(true), .null, .double(1.5), .int(-3), .int(.max)]),
      .object(["a": .array([]), "ü": .object([:]), "long": .string(String(repeating: "é", count: 300))]),
      .array((0..<400).map { .int($0) }), .string("plain"), .bool(false),
    ]
    for value in values { #expect(ArchivedValue.decode(ArchivedValue.encode(value)) == .json(value)) }
  }

  @Test func foundationReadsTheArchive() throws {
    let data = Data(ArchivedValue.encode(.object(["a": .array([.string("x"), .int(1)])])))
    let object = try NSKeyedUnarchiver.unarchivedObject(
      ofClasses: [NSDictionary.self, NSArray.self, NSString.self, NSNumber.self], from: data)
    #expect(object as? NSDictionary == ["a": ["x", 1]] as NSDictionary)
  }
}
