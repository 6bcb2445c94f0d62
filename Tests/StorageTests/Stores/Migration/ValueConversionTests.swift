import Modeling
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// Values of a type that an attribute gave up for another one.
@Suite struct ValueConversionTests {
  @Test(arguments: [
    (AttributeType.any, AttributeType.integer64, true), (.integer64, .any, true), (.string, .date, true),
    (.date, .string, true), (.integer32, .double, true), (.boolean, .integer16, true), (.date, .double, true),
    (.double, .date, true), (.transformable, .composite, true), (.data, .data, true), (.date, .integer64, false),
    (.uuid, .data, false), (.boolean, .date, false), (.transformable, .data, false),
  ])
  func valuesOfATypeAreExaminedWhereTheyMayBeOfTheOther(_ old: AttributeType, _ new: AttributeType, _ isPossible: Bool)
  {
    #expect(ValueConversion.isPossible(from: old, to: new) == isPossible)
  }

  @Test(arguments: [
    (Value.int(1), AttributeType.boolean, AttributeType.string, Value.string("true")),
    (.int(0), .boolean, .string, .string("false")), (.int(7), .integer16, .string, .string("7")),
    (.double(2.5), .double, .string, .string("2.5")),
    (.data(Array("a".utf8)), .data, .string, .string("a")), (.string("a"), .string, .data, .data(Array("a".utf8))),
    (.string("7"), .string, .integer16, .int(7)), (.string("2.5"), .string, .double, .double(2.5)),
    (.string("true"), .string, .boolean, .int(1)), (.string("0"), .string, .boolean, .int(0)),
    (.string("1.50"), .string, .decimal, .string("1.5")),
    (
      .string("3f2504e0-4f89-11d3-9a0c-0305e82c3301"), .string, .uuid,
      .string("3F2504E0-4F89-11D3-9A0C-0305E82C3301")
    ),
    (.string(#"{"a":1}"#), .string, .composite, .string(#"{"a":1}"#)), (.string("x"), .string, .url, .string("x")),
    (.int(7), .integer64, .decimal, .string("7")), (.int(7), .integer64, .double, .double(7)),
    (.int(1), .integer64, .boolean, .int(1)), (.double(7), .double, .integer16, .int(7)),
    (.double(1), .double, .boolean, .int(1)), (.double(1e30), .double, .float, .double(1e30)),
    (.null, .string, .integer16, .null), (.data([1]), .data, .any, .data([1])),
  ])
  func whatMeansTheSameIsKept(_ value: Value, _ old: AttributeType, _ new: AttributeType, _ expected: Value) {
    #expect(ValueConversion.convert(value, from: old, to: new) == expected)
  }

  @Test(arguments: [
    (Value.string("007"), AttributeType.string, AttributeType.integer16), (.string("x"), .string, .double),
    (.string("0.10000000000000000001"), .string, .double), (.string("yes"), .string, .boolean),
    (.string("x"), .string, .decimal), (.string("x"), .string, .uuid), (.string("[1]"), .string, .composite),
    (.data([0xFF]), .data, .string), (.int(40_000), .integer32, .integer16), (.int(2), .integer16, .boolean),
    (.int(9_007_199_254_740_993), .integer64, .double), (.int(1), .integer16, .uuid),
    (.double(2.5), .double, .integer64), (.double(2), .double, .boolean), (.double(1e300), .double, .float),
    (.double(1), .double, .uuid), (.data([1]), .data, .integer16),
  ])
  func whatWouldLoseInformationIsRefused(_ value: Value, _ old: AttributeType, _ new: AttributeType) {
    #expect(ValueConversion.convert(value, from: old, to: new) == nil)
  }
}
