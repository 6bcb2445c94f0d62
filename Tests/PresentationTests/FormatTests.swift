import Foundation
import TestSupport
import Testing

@testable import Presentation

@Suite(.seeded) struct FormatTests {
  let columns = [
    TabularColumn("name"), TabularColumn("n", alignment: .trailing), TabularColumn("x", alignment: .trailing),
    TabularColumn("data"),
  ]
  var source: MemoryRows {
    MemoryRows(
      columns: columns,
      rows: [
        [.text("a,b \"c\"\nd|e\\f\tg<h>&"), .integer(.min), .real(0.1), .blob(Blob([0, 255, 16, 3]))],
        [.text(""), .null, .real(.infinity), .json("{\"k\":[1,null]}")],
        [.bool(true), .decimal("1.10"), .real(.nan), .date("2024-01-22T16:26:12Z")],
        [.reference(label: "村上"), .count(3), .real(1e20), .blob(Blob([]))],
      ])
  }

  @Test func csvQuotesWhatWouldBreakIt() throws {
    #expect(
      try rendered(.csv, source) == """
        name,n,x,data
        "a,b ""c""
        d|e\\f\tg<h>&",-9223372036854775808,0.1,AP8QAw==
        "",,inf,"{""k"":[1,null]}"
        true,1.10,nan,2024-01-22T16:26:12Z
        村上,3,1e+20,""

        """)
  }

  @Test func tsvEscapesAndMarksNothing() throws {
    #expect(
      try rendered(.tsv, source) == """
        name\tn\tx\tdata
        a,b "c"\\nd|e\\\\f\\tg<h>&\t-9223372036854775808\t0.1\tAP8QAw==
        \t\\N\tinf\t{"k":[1,null]}
        true\t1.10\tnan\t2024-01-22T16:26:12Z
        村上\t3\t1e+20\t

        """)
  }

  @Test func jsonLosesNothing() throws {
    let lines = [
      #"{"name":"a,b \"c\"\nd|e\\f\tg<h>&","n":-9223372036854775808,"x":0.1,"data":{"$base64":"AP8QAw=="}}"#,
      #"{"name":"","n":null,"x":1e999,"data":{"k":[1,null]}}"#,
      #"{"name":true,"n":1.10,"x":null,"data":"2024-01-22T16:26:12Z"}"#,
      #"{"name":"村上","n":3,"x":1e+20,"data":{"$base64":""}}"#,
    ]
    #expect(try rendered(.ndjson, source) == lines.joined(separator: "\n") + "\n")
    #expect(try rendered(.json, source) == "[" + lines.joined(separator: ",\n") + "]\n")
    #expect(try rendered(.json, MemoryRows(columns: columns, rows: [])) == "[]\n")
  }

  @Test func markdownAndHTMLEscapeTheirOwnMarks() throws {
    #expect(
      try rendered(.markdown, source) == """
        | name | n | x | data |
        | --- | ---: | ---: | --- |
        | a,b "c"<br>d\\|e\\\\f\tg&lt;h>&amp; | -9223372036854775808 | 0.1 | AP8QAw== |
        |  |  | inf | {"k":[1,null]} |
        | true | 1.10 | nan | 2024-01-22T16:26:12Z |
        | 村上 | 3 | 1e+20 |  |

        """)
    let html = try rendered(.html, source)
    #expect(html.contains("<td>a,b &quot;c&quot;\nd|e\\f\tg&lt;h&gt;&amp;</td>"))
    #expect(html.contains("<td class=\"nil\"></td>"))
    #expect(html.hasPrefix("<table>\n<thead><tr><th>name</th>"))
    #expect(html.hasSuffix("</tr>\n</tbody>\n</table>\n"))
  }

  @Test func listIsPlain() throws {
    #expect(try rendered(.list, textRows([[.text("a"), .null, .integer(1)]])) == "a||1\n")
  }

  @Test func linesWrapsValuesAndShowsTypes() throws {
    let source = MemoryRows(
      columns: [TabularColumn("title", type: "String"), TabularColumn("n", type: "Int")],
      rows: [[.text("one\ntwo"), .integer(1)], [.null, .integer(2)]], rowName: "Book")
    #expect(
      try rendered(.lines, source, terminal(width: 40)) == """
        ── Book 1 ──────────────────────────────
          title  String  one⏎
                         two
          n      Int     1
        ── Book 2 ──────────────────────────────
          title  String  nil
          n      Int     2
          2 Book

        """)
  }

  @Test func aShortenedBlobIsNeverExported() throws {
    let source = textRows([[.blob(Blob(byteCount: 10, head: [1]))]])
    #expect(throws: OutputFailure.shortenedBlob(byteCount: 10, available: 1)) { try rendered(.json, source) }
  }

  @Test func bytesThatAreNoTextStayInCSVAndAreMarkedInJSON() throws {
    let broken: [UInt8] = [0x61, 0xFF, 0x62]
    #expect(try rendered(.ndjson, RawRows([broken])) == "{\"v\":\"a\u{FFFD}b\"}\n")
    let sink = OutputSink.inMemory()
    try OutputMode.csv.renderer.render(RawRows([broken]), to: sink, options: RenderOptions())
    #expect(sink.contents == Array("v\n".utf8) + broken + [0x0A])
  }

  @Test func csvComesBackAsItWasWritten() throws {
    var generator = SplitMix(seed: 20_240_122)
    for _ in 0..<300 {
      let width = Int.random(in: 2...5, using: &generator)
      let rows = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        (0..<width).map { _ in Bool.random(using: &generator) ? Cell.text(generator.text()) : .null }
      }
      let sink = OutputSink.inMemory()
      try OutputMode.csv.renderer.render(textRows(rows), to: sink, options: RenderOptions())
      let expected = rows.map { row in
        row.map { cell -> [UInt8]? in if case .text(let text) = cell { Array(text.utf8) } else { nil } }
      }
      #expect(try Array(CSVReader.read(sink.contents).dropFirst()) == expected)
    }
  }

  @Test func jsonComesBackAsItWasWritten() throws {
    var generator = SplitMix(seed: 7)
    for _ in 0..<300 {
      let text = generator.text()
      let integer = Int64.random(in: .min ... .max, using: &generator)
      let real = Double(bitPattern: UInt64.random(in: 0 ... .max, using: &generator))
      let line = try rendered(.ndjson, textRows([[.text(text), .integer(integer), .real(real)]]))
      // JSONDecoder, because JSONSerialization on Linux loses the last digit of doubles.
      let row = try JSONDecoder().decode(Row.self, from: Data(line.utf8))
      #expect(Array(row.a.unicodeScalars) == Array(text.unicodeScalars))
      #expect(row.b == integer)
      if real.isFinite { #expect(row.c == real) }
    }
  }

  private struct Row: Decodable {
    var a: String
    var b: Int64
    var c: Double?
  }

  @Test func rawRowsReadLikeOthers() throws {
    let texts = ["plain", "with, comma", "", "quote \"", "new\nline", "村上"]
    let raw = RawRows(texts.map { Array($0.utf8) })
    for mode in OutputMode.allCases where mode != .table && mode != .lines {
      let plain = MemoryRows(columns: [TabularColumn("v")], rows: texts.map { [.text($0)] })
      #expect(try rendered(mode, raw.rewound(), RenderOptions()) == rendered(mode, plain, RenderOptions()))
    }
  }

  @Test(arguments: 1...7) func rowsThatAreWrittenInPartsReadLikeOthers(rowsOfPart: Int) throws {
    let texts = (0..<6).map { Array("text \($0), \"quoted\"".utf8) }
    for count in [0, 1, 6] {
      let (raw, parts) = (RawRows(Array(texts[..<count])), RawRows(Array(texts[..<count]), inPartsOf: rowsOfPart))
      for mode in OutputMode.allCases where mode != .table && mode != .lines {
        for isFile in [false, true] {
          var options = RenderOptions()
          options.isFile = isFile
          #expect(try rendered(mode, parts.rewound(), options) == rendered(mode, raw.rewound(), options))
        }
      }
    }
  }
}

/// Rows of one column whose bytes are handed out without a String, in parts if it is to.
final class RawRows: RawTabularSource {
  let columns = [TabularColumn("v")]
  private let storage: [UnsafeMutableBufferPointer<UInt8>]
  private let rowsOfPart: Int?
  private var position = 0
  private var end: Int

  init(_ rows: [[UInt8]], inPartsOf rowsOfPart: Int? = nil) {
    self.rowsOfPart = rowsOfPart
    end = rows.count
    storage = rows.map { row in
      let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: row.count)
      _ = bytes.initialize(from: row)
      return bytes
    }
  }

  func writeParts(
    _ write: @escaping @Sendable (_ rows: any RawRowSource, _ sink: OutputSink) throws -> Void,
    _ deliver: (_ bytes: [UInt8], _ rows: Int) throws -> Void
  ) throws -> Bool {
    guard let rowsOfPart else { return false }
    for start in stride(from: 0, to: storage.count, by: rowsOfPart) {
      end = min(start + rowsOfPart, storage.count)
      let sink = OutputSink.inMemory()
      try write(self, sink)
      try deliver(sink.contents, end - start)
    }
    return true
  }

  deinit { storage.forEach { $0.deallocate() } }

  func rewound() -> RawRows {
    position = 0
    return self
  }

  func next(into row: inout [RawCell]) -> Bool {
    guard position < end else { return false }
    row.append(.text(UnsafeBufferPointer(storage[position])))
    position += 1
    return true
  }

  func next() -> [Cell]? {
    var row: [RawCell] = []
    guard next(into: &row), case .text(let bytes) = row[0] else { return nil }
    return [.text(String(decoding: bytes, as: UTF8.self))]
  }
}

extension SplitMix {
  /// A short text rich in what breaks formats.
  fileprivate mutating func text() -> String {
    let pieces = [
      ",", "\"", "\n", "\r", "\r\n", "\t", "\\", "a", "é", "雪", "👩‍🚀", " ", "\u{1B}", "\u{0}", "\u{85}", "|", "NULL",
    ]
    return (0..<Int.random(in: 0...6, using: &self)).map { _ in pieces.randomElement(using: &self) ?? "" }.joined()
  }
}
