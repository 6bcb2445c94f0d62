import Foundation
import TestSupport
import Testing

@testable import Modeling

/// The attributes of a file are read off all of its rows, and lose nothing.
@Suite(.seeded) struct RowsShapeTests {
  private func shape(_ text: String) throws -> RowsShape {
    try RowsShape(DelimitedReader(bytes: Array(text.utf8), detectsDelimiter: true))
  }

  /// `name Type` for each column.
  private func columns(_ text: String) throws -> String {
    try shape(text).columns.map { "\($0.attribute.name) \($0.attribute.type.rawValue)" }.joined(separator: ", ")
  }

  private func type(_ fields: String..., comma: Bool = false) -> AttributeType {
    let shape = ColumnShape(hasDecimalComma: comma)
    for field in fields { shape.take(field) }
    return shape.type
  }

  @Test func eachTypeIsFoundOut() {
    #expect(type("1", "-20", "9223372036854775807") == .integer64)
    #expect(type("1", "2.5", "1e3") == .double)
    #expect(type("0.1", "1.2345678901234567891") == .decimal)
    #expect(type("1", "9223372036854775808") == .decimal)
    #expect(type("0.30000000000000004") == .double)
    #expect(type("true", "No", "FALSE") == .boolean)
    #expect(type("2024-01-22", "2024-01-22T16:26:12.5+01:00") == .date)
    #expect(type("24.12.2024", "1.1.2024 9:30", "2024/01/31") == .date)
    #expect(type("12,5", "3", "-0,25", comma: true) == .double)
    #expect(type() == .string)
    #expect(type("", "") == .string)
  }

  @Test func whatATypeWouldLoseStaysText() {
    #expect(type("1", "007") == .string)
    #expect(type("+49123", "1") == .string)
    #expect(type("1", "x") == .string)
    #expect(type("12,5") == .string)
    #expect(type("2024-01-22", "2024-13-01") == .string)
    #expect(type("31.02.2024") == .string)
    #expect(type("true", "1") == .string)
    #expect(type("1e999") == .string)
    #expect(type("12345678901234567890123456789012345678901") == .string)
  }

  @Test func slashesAreDatesWhereSomeRowTellsTheDayFromTheMonth() throws {
    let day = try shape("d\n03/04/2024\n13/04/2024\n").columns[0]
    #expect(day.attribute.type == .date && day.notation.slashes == .day)
    let month = try shape("d\n03/04/2024\n04/13/2024\n").columns[0]
    #expect(month.attribute.type == .date && month.notation.slashes == .month)
    let open = try shape("d\n03/04/2024\n05/06/2024\n").columns[0]
    #expect(open.attribute.type == .string && open.isAmbiguousDate)
    #expect(try columns("d\n13/04/2024\n04/13/2024\n") == "d String")
  }

  @Test func aRowFarBelowWidensTheType() throws {
    let rows = (0..<20_000).map { "\($0),\($0)" }.joined(separator: "\n")
    #expect(try columns("a,b\n" + rows) == "a Integer64, b Integer64")
    #expect(try columns("a,b\n" + rows + "\n0.5,x\n") == "a Double, b String")
  }

  @Test(arguments: [",", ";", "\t", "|"])
  func theDelimiterIsFoundOut(delimiter: String) throws {
    let text = "name,x;y\tz|w\n".split(separator: ",").first! + delimiter + "n\nA" + delimiter + "1\n"
    #expect(try columns(String(text)) == "name String, n Integer64")
    // Other delimiters within quotes and in some rows do not deceive.
    let mixed = ["a", "b", "c"].joined(separator: delimiter) + "\n\"1,2;3|4\t5\"\(delimiter)x\(delimiter)2\n"
    #expect(try columns(mixed) == "a String, b String, c Integer64")
  }

  @Test func aTextWithoutDelimitersHasOneColumn() throws {
    #expect(try columns("name\nAnna\nBert\n") == "name String")
  }

  @Test func aFirstRowLikeTheOthersIsNoHeader() throws {
    let shape = try shape("1,2024-01-01,x\n2,2024-01-02,y\n")
    #expect(!shape.hasHeader && shape.rows == 2)
    #expect(shape.columns.map(\.attribute.name) == ["column1", "column2", "column3"])
    #expect(try self.shape("a,b\nx,y\n").hasHeader)
    #expect(try self.shape("id,name\n1,x\n").rows == 1)
    #expect(try self.shape("id,name\n").hasHeader)
  }

  @Test func namesAreMadeUnique() throws {
    #expect(try columns("a,A,a,\n1,2,3,4\n") == "a Integer64, a2 Integer64, a3 Integer64, column4 Integer64")
  }

  @Test func textsForNothingCountInTextAlone() throws {
    let columns = try shape("n,s\nNA,NA\n5,x\n").columns
    #expect(columns.map(\.attribute.type) == [.integer64, .string])
    #expect(columns[0].nullTexts.contains("NA") && columns[1].nullTexts.isEmpty)
  }

  @Test func membersOfJSONAreColumnsInTheirOrder() throws {
    let text = #"[{"z": 1, "a\"b": "x", "t": "2024-01-22"}, {"z": 2.5, "n": [1], "m": {"z": 9}, "a\"b": 5, "t": null}]"#
    let shape = try RowsShape(JSONRowsReader(bytes: Array(text.utf8)))
    #expect(shape.columns.map(\.header) == ["z", "a\"b", "t", "n", "m"])
    #expect(
      shape.columns.map(\.attribute.type) == [.double, .transformable, .date, .transformable, .transformable])
  }

  /// Draws columns of fields of mixed kinds; what is read as the found type is what is written.
  @Test(arguments: 0..<40)
  func noFieldLosesAnything(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let pieces: [[String]] = [
      ["0", "7", "-3", "9007199254740993", "9223372036854775807"], ["0.5", "-2.25", "100.125", "1e3"],
      ["1.2345678901234567891", "12345678901234567890"], ["007", "+5", "1,5", "x", "-", ".", "-0"],
      ["true", "false"], ["2024-01-22", "2024-01-22T16:26:12Z"], ["24.12.2024"], ["03/04/2024", "13/04/2024"],
    ]
    let kinds = (0...random.below(3)).map { _ in random.pick(pieces) }
    let fields = (0..<12).map { _ in random.pick(random.pick(kinds)) }
    let hasComma = random.chance(oneIn: 2)
    let shape = ColumnShape(hasDecimalComma: hasComma)
    for field in fields { shape.take(field) }
    let parser = AttributeTextParser(Attribute("x", shape.type))
    parser.notation = shape.notation
    for field in fields {
      let value = try Array(field.utf8).withUnsafeBytes { try parser.parse($0, wasQuoted: false).value }
      let point = hasComma ? field.replacing(",", with: ".") : field
      switch value {
      case .int(let number): #expect(String(number) == field)
      case .double(let number): #expect(Decimal(exactly: point) == Decimal(exactly: "\(number)"), "\(fields)")
      case .decimal(let number): #expect(number == Decimal(exactly: point), "\(fields)")
      case .string(let text): #expect(text == field)
      case .bool(let flag): #expect("\(flag)" == field)
      case .date(let date):
        #expect(
          [
            "2024-01-22T00:00:00Z", "2024-01-22T16:26:12Z", "2024-12-24T00:00:00Z", "2024-04-03T00:00:00Z",
            "2024-04-13T00:00:00Z",
          ].contains(Value.date(date).displayText))
      default: Issue.record("\(value) of \(field)")
      }
    }
  }
}
