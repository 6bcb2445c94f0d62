import Foundation
import TestSupport
import Testing

@testable import Modeling

@Suite(.seeded) struct DelimitedReaderTests {
  /// All rows as texts; fields in quotes keep a mark in front, so that `""` and nothing differ.
  private func rows(_ text: String, _ format: DelimitedReader.Format = .csv) throws -> [[String]] {
    let reader = DelimitedReader(bytes: Array(text.utf8), format: format)
    var rows: [[String]] = []
    while try reader.next() {
      rows.append(try (0..<reader.fieldCount).map { (reader.wasQuoted($0) ? "'" : "") + (try reader.text($0)) })
    }
    return rows
  }

  private func error(_ text: String, _ format: DelimitedReader.Format = .csv) -> DelimitedError? {
    #expect(throws: DelimitedError.self) { try rows(text, format) }
  }

  private func place(_ line: Int, _ column: Int) -> TextPlace {
    var place = TextPlace()
    (place.line, place.column) = (line, column)
    return place
  }

  @Test(arguments: [
    "a,b\nc,d\n", "a,b\r\nc,d\r\n", "a,b\rc,d\r", "a,b\nc,d", "\u{FEFF}a,b\nc,d", "\n\na,b\n\r\n\nc,d\n\n",
  ])
  func linesEndInAnyWay(text: String) throws {
    #expect(try rows(text) == [["a", "b"], ["c", "d"]])
  }

  @Test func quotesHoldDelimitersQuotesAndLineEnds() throws {
    #expect(
      try rows("\"a,b\",\"say \"\"hi\"\"\",\"x\r\ny\nz\"\n\"\",,\"\"\"\"\n")
        == [["'a,b", "'say \"hi\"", "'x\r\ny\nz"], ["'", "", "'\""]])
  }

  @Test func nothingIsAFieldToo() throws {
    #expect(try rows(",\n,") == [["", ""], ["", ""]])
    #expect(try rows("") == [])
    #expect(try rows("\n\n") == [])
    #expect(try rows("\"\"") == [["'"]])
  }

  @Test func anEmptyLineIsARowWhereRowsHaveOneField() throws {
    #expect(try rows("name\n\nx\n") == [["name"], [""], ["x"]])
  }

  @Test func tabsAndOtherDelimiters() throws {
    #expect(try rows("a\tb,c\n\"d\"\te", .tsv) == [["a", "b,c"], ["'d", "e"]])
    let plain = DelimitedReader.Format(delimiter: UInt8(ascii: ";"), quote: nil)
    #expect(try rows("\"a\";b\"c", plain) == [["\"a\"", "b\"c"]])
  }

  @Test func mistakesHaveTheirExactPlace() {
    #expect(error("a,b\nc,é\"d") == DelimitedError(fact: .strayQuote, place: place(2, 4)))
    #expect(error("a,b\n\"x\ny\",\"é") == DelimitedError(fact: .unterminatedQuote, place: place(3, 4)))
    #expect(error("a,b\n\"é\"x y,d") == DelimitedError(fact: .textAfterQuote("x y"), place: place(2, 4)))
    #expect(
      error("a,b\n\n\"1\n2\",3,é\n")
        == DelimitedError(fact: .wrongFieldCount(expected: 2, found: 3), place: place(4, 6)))
    #expect(error("a,b\n12\n") == DelimitedError(fact: .wrongFieldCount(expected: 2, found: 1), place: place(2, 3)))
    #expect(error("\"") == DelimitedError(fact: .unterminatedQuote, place: place(1, 1)))
  }

  @Test func textThatIsNoUTF8IsToldFromItsPlace() {
    let utf16 = DelimitedReader(bytes: [0xFF, 0xFE, 0x61, 0])
    #expect(#expect(throws: DelimitedError.self) { try utf16.next() }?.fact == .wrongEncoding("UTF-16"))
    let reader = DelimitedReader(bytes: Array("a,\"".utf8) + [0xFF] + Array("\"\n".utf8))
    let error = #expect(throws: DelimitedError.self) {
      _ = try reader.next()
      return try reader.text(1)
    }
    #expect(error == DelimitedError(fact: .invalidUTF8, place: place(1, 3)))
  }

  @Test func aRowOfWrongLengthCanBePassedOver() throws {
    let reader = DelimitedReader(bytes: Array("a,b\nc\nd,e\n".utf8))
    #expect(try reader.next())
    #expect(throws: DelimitedError.self) { try reader.next() }
    #expect(try reader.next())
    #expect(try reader.text(0) == "d")
    #expect(reader.line == 3)
    let lenient = DelimitedReader(bytes: Array("a,b\nc\n".utf8))
    lenient.allowsUnequalRows = true
    #expect(try lenient.next() && lenient.next())
    #expect(lenient.fieldCount == 1)
  }

  @Test func linesAreThoseInWhichRowsBegin() throws {
    let reader = DelimitedReader(bytes: Array("a\n\"x\r\ny\rz\n\"\n\nb\n".utf8))
    var lines: [Int] = []
    while try reader.next() { lines.append(reader.line) }
    #expect(lines == [1, 2, 6, 7])
    #expect(reader.offset == reader.size)
  }

  @Test func whatCannotBeOpenedSaysWhy() throws {
    let missing = #expect(throws: DelimitedError.self) { try DelimitedReader(path: "/no/such/file") }
    #expect(missing?.fact == .unreadable(errorNumber: ENOENT))
    let directory = try DelimitedReader(path: "/")
    #expect(#expect(throws: DelimitedError.self) { try directory.next() }?.fact == .unreadable(errorNumber: EISDIR))
  }

  @Test func aRowThatNeverEndsIsRefused() throws {
    let file = try TemporaryFile(Array("a,b\n".utf8) + Array(repeating: UInt8(ascii: "x"), count: 10_000))
    let reader = try DelimitedReader(path: file.path, format: .csv, chunk: 16, limit: 1024)
    #expect(try reader.next())
    guard case .rowTooLong? = #expect(throws: DelimitedError.self, performing: { try reader.next() })?.fact else {
      Issue.record("no error about the length")
      return
    }
  }

  /// Random rows, written with random quoting and line ends, read through windows of every size.
  @Test func whatIsWrittenIsReadThroughAnyChunk() throws {
    var random = SplitMix(seed: 8)
    for round in 0..<150 {
      let width = Int.random(in: 2...5, using: &random)
      let table = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        (0..<width).map { _ in Self.anyField(using: &random) }
      }
      let (text, quoted) = Self.written(table, using: &random)
      let file = try TemporaryFile(Array(text.utf8))
      let reader = try DelimitedReader(path: file.path, format: .csv, chunk: round % 40 + 1)
      var read: [[String]] = []
      var marks: [Bool] = []
      while try reader.next() {
        read.append(try (0..<reader.fieldCount).map { try reader.text($0) })
        marks += (0..<reader.fieldCount).map { reader.wasQuoted($0) }
      }
      #expect(read == table && marks == quoted, "\(text.debugDescription)")
    }
  }

  @Test func damagedTextNeverTraps() {
    var random = SplitMix(seed: 9)
    let letters = Array("a\",\n\r\té".utf8)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in letters.randomElement(using: &random) }
      let reader = DelimitedReader(bytes: bytes)
      while (try? reader.next()) == true {
        for index in 0..<reader.fieldCount { _ = try? reader.text(index) }
      }
    }
  }

  static func anyField(using random: inout SplitMix) -> String {
    let letters: [Character] = ["a", "b", "\"", ",", "\n", "\r\n", "\r", "é", " ", "1"]
    return String((0..<Int.random(in: 0...6, using: &random)).compactMap { _ in letters.randomElement(using: &random) })
  }

  private static func written(_ table: [[String]], using random: inout SplitMix) -> (String, [Bool]) {
    var text = ""
    var quoted: [Bool] = []
    for row in table {
      let fields = row.map { field in
        let needsQuotes = field.contains { "\",\n\r\r\n".contains($0) }
        let isQuoted = needsQuotes || Bool.random(using: &random)
        quoted.append(isQuoted)
        return isQuoted ? "\"" + field.replacingOccurrences(of: "\"", with: "\"\"") + "\"" : field
      }
      text += fields.joined(separator: ",") + (["\n", "\r\n", "\r"].randomElement(using: &random) ?? "\n")
    }
    return (text, quoted)
  }
}
