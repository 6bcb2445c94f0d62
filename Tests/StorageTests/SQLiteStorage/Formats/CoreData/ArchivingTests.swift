import Layouts
import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// What an app's transformable attribute accepts.
@Suite struct ArchivingTests {
  private static let begun: [UInt8] = Array("bplist00".utf8) + [0xD0]

  private func coerce(
    _ value: Value, _ encoding: ColumnEncoding, type: AttributeType = .transformable, current: Value = .null
  ) throws -> Value {
    let column = ColumnLayout(name: "ZX", type: .data, isWritable: true, encoding: encoding)
    return try column.coerce(value, of: Attribute("x", type)) { current }
  }

  @Test func aColumnThatHoldsNoArchiveTakesWhatItsTypeTakes() throws {
    #expect(try coerce(.int(5), .plain, type: .double) == .double(5))
    #expect(throws: (any Error).self) { try coerce(.string("x"), .plain, type: .integer16) }
  }

  @Test func bytesThatBeginLikeAnArchiveAreOne() throws {
    for encoding in [ColumnEncoding.archive, .transformed] {
      #expect(try coerce(.data(Self.begun), encoding) == .data(Self.begun))
      #expect(try coerce(.null, encoding) == .null)
    }
  }

  @Test func anAttributeWithATransformerOfTheAppTakesItsBytesAlone() throws {
    #expect(try coerce(.data([1, 2]), .transformed) == .data([1, 2]))
    #expect(try coerce(.string("ab"), .transformed) == .data([97, 98]))
    #expect(throws: (any Error).self) { try coerce(.list([.int(1)]), .transformed) }
  }

  @Test func whatIsThereMayBeSetAgain() throws {
    for encoding in [ColumnEncoding.archive, .transformed] {
      #expect(try coerce(.data([9]), encoding, current: .data([9])) == .data([9]))
    }
  }
}
