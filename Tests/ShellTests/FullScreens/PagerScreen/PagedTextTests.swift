import Foundation
import TestSupport
import Testing

@testable import FullScreens
@testable import Presentation
@testable import Shell
@testable import Terminal

/// Lines as the pager shows them.
@Suite struct PagedTextTests {
  private func text(_ content: String) throws -> PagedText {
    let folder = try TemporaryFolder()
    try content.write(toFile: folder.file("text"), atomically: true, encoding: .utf8)
    let file = open(folder.file("text"), O_RDONLY)
    return try #require(PagedText(file))
  }

  @Test(arguments: ["", "a", "a\n", "a\nb", "\n\n", "ä\n🙂\n", String(repeating: "x", count: 70_000) + "\ny\n"])
  func theLinesAreThoseOfTheText(content: String) throws {
    var expected = content.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if expected.last == "" { expected.removeLast() }
    let text = try text(content)
    #expect((0..<text.count).map { text[$0] } == expected)
  }

  @Test func textFitsWhereThePromptHasRoomBelowIt() throws {
    let window = TerminalSize(columns: 10, rows: 3)
    #expect(try text("a\nb\n").fits(window))
    #expect(try !text("a\nb\nc\n").fits(window))
    #expect(try text("1234567890\n2").fits(window))
    // A line that is wider than the window takes two.
    #expect(try !text("12345678901\n2").fits(window))
    #expect(try text("\u{1B}[1m1234567890\u{1B}[0m\n2").fits(window))
  }

  @Test func aPartOfALineKeepsItsColours() {
    let line = PagedLine("\u{1B}[1mab\u{1B}[31mcd\u{1B}[0mef")
    #expect(line.width == 6 && line.plain == "abcdef")
    let shown = line.shown(from: 1, columns: 3, isMarked: false, Style(enabled: true))
    #expect(shown.text == "\u{1B}[0m\u{1B}[1mb\u{1B}[0m\u{1B}[1m\u{1B}[31mcd\u{1B}[0m" && shown.width == 3)
    #expect(line.shown(from: 4, columns: 9, isMarked: false, Style(enabled: true)).text == "ef")
    #expect(line.shown(from: 0, columns: 9, isMarked: true, Style(enabled: false)).text == "abcdef")
    #expect(line.shown(from: 9, columns: 9, isMarked: false, Style(enabled: true)).width == 0)
  }

  @Test func wideCharactersAreNotCut() {
    let line = PagedLine("日本語")
    #expect(line.width == 6)
    let style = Style(enabled: false)
    #expect(line.shown(from: 0, columns: 5, isMarked: false, style).text == "日本")
    #expect(line.shown(from: 1, columns: 5, isMarked: false, style).text == "本語")
    #expect(PagedLine("a\u{1B}]0;title\u{7}b").plain.contains("\u{1B}") == false)
  }

  @Test(arguments: [
    ("on", "/nosuch", Pager.own), ("off", "/bin", .off), ("", "/bin", .off), ("cat", "/bin", .off),
    ("own", "/bin", .own),
    ("most -s", "/bin", .program("most -s")),
  ])
  func aWordNamesThePager(word: String, folders: String, expected: Pager) {
    #expect(Pager(word: word, folders: folders) == expected)
  }

  @Test func theEnvironmentNamesThePager() {
    #expect(Pager(["PAGER": "most"]) == .program("most"))
    #expect(Pager(["PAGER": "most", "PERILUNE_PAGER": "off"]) == .off)
    #expect(Pager(["PATH": "/nosuch"]) == .own)
  }
}
