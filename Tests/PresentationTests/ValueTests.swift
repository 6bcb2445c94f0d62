import Testing

@testable import Presentation

@Suite struct ValueTests {
  let printer = NodePrinter(width: 40)

  func numbers(_ range: ClosedRange<Int>) -> [DisplayNode] { range.map { .number(String($0)) } }

  @Test func shortTablesTakeOneLine() {
    let node = DisplayNode.table(
      DisplayTable(
        items: numbers(1...2),
        fields: [
          .init(.string("name"), .string("fat")), .init(.string("end"), .missing),
          .init(.boolean(true), .number("1.5")),
          .init(.number("7"), .table(DisplayTable())),
        ]))
    #expect(NodePrinter(width: 80).text(node) == #"{ 1, 2, name = "fat", ["end"] = nil, [true] = 1.5, [7] = {} }"#)
  }

  @Test func longTablesTakeALineForEachEntry() {
    let inner = DisplayNode.table(DisplayTable(items: numbers(1...3)))
    let node = DisplayNode.table(
      DisplayTable(
        items: [.string("a string of some length"), inner],
        fields: [
          .init(.string("more"), .table(DisplayTable(items: Array(repeating: .string("another string"), count: 3))))
        ])
    )
    #expect(
      printer.text(node) == """
        {
          "a string of some length",
          { 1, 2, 3 },
          more = {
            "another string",
            "another string",
            "another string",
          },
        }
        """)
  }

  @Test func depthAndEntriesAreLimitedAndCounted() {
    var node = DisplayNode.table(DisplayTable(items: numbers(1...1)))
    for _ in 0..<4 { node = .table(DisplayTable(items: [node])) }
    #expect(printer.text(node) == "{ { { {…} } } }")
    let long = DisplayNode.table(
      DisplayTable(items: numbers(1...25), fields: [.init(.string("x"), .missing)], omittedCount: 100))
    #expect(NodePrinter(width: 200).text(long).hasSuffix("19, 20, … 106 more }"))
  }

  @Test func cyclesAreMarkedAtBothEnds() {
    let node = DisplayNode.table(DisplayTable(number: 1, fields: [.init(.string("me"), .cycle(1))]))
    #expect(printer.text(node) == "<1> { me = <cycle 1> }")
    #expect(printer.text(.table(DisplayTable(label: "Point", items: numbers(1...2)))) == "Point { 1, 2 }")
  }

  @Test func stringsAreEscapedOnlyWhereNeeded() {
    func literal(_ text: String) -> String { printer.text(.string(text)) }
    #expect(literal("村上 é 👩‍🚀") == "\"村上 é 👩‍🚀\"")
    #expect(literal("a\"b") == "'a\"b'")
    #expect(literal("a\"b'c") == "\"a\\\"b'c\"")
    #expect(literal("a\n\t\\\u{1B}\u{0}\u{7F}") == "\"a\\n\\t\\\\\\x1B\\x00\\x7F\"")
    #expect(literal("\u{202E}x\u{85}") == "\"\\u{202E}x\\u{85}\"")
    #expect(printer.text(.bytes([0x61, 0xFF, 0xE6, 0x9D])) == "\"a\\xFF\\xE6\\x9D\"")
    #expect(NodePrinter(charset: .ascii).text(.string("é")) == "\"\\u{E9}\"")
  }

  @Test func longStringsAreCutBetweenCharacters() {
    let text = String(repeating: "雪", count: 100_000)
    let shown = printer.text(.string(text))
    #expect(shown.hasSuffix("雪\"… (300 kB)"))
    #expect(!shown.contains("\\x"))
  }

  @Test func coloursDoNotChangeTheLayout() {
    let node = DisplayNode.table(DisplayTable(items: numbers(1...5), fields: [.init(.string("x"), .string("y"))]))
    var coloured = printer
    coloured.style = Style(enabled: true)
    #expect(withoutEscapes(coloured.text(node)) == printer.text(node))
  }
}

/// Text without its colours.
func withoutEscapes(_ text: String) -> String {
  text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
}
