import Glibc
import Presentation
import Testing

import func Modeling.monotonicSeconds

@testable import Terminal

@Suite struct EditingTests {
  @Test func theArrowsKeepTheirColumn() {
    let block = Array("first\nab\n雪é third".utf8)
    #expect(BlockNavigation.above(4, in: block) == nil)
    #expect(BlockNavigation.below(4, in: block) == 8, "a shorter line is left at its end")
    #expect(BlockNavigation.above(8, in: block) == 2)
    #expect(BlockNavigation.below(8, in: block) == 12, "a column is no byte: 雪 takes three bytes and two columns")
    #expect(BlockNavigation.below(12, in: block) == nil)
    #expect(BlockNavigation.lineStart(of: 7, in: block) == 6)
    #expect(BlockNavigation.lineEnd(of: 7, in: block) == 8)
    #expect(BlockNavigation.lineEnd(of: 12, in: block) == block.count)
    #expect(BlockNavigation.above(0, in: []) == nil)
    #expect(BlockNavigation.below(0, in: []) == nil)
  }

  @Test func coloursInAPromptAreMarked() {
    #expect(PromptText.marked("\u{1B}[1mlib\u{1B}[0m> ") == "\u{1}\u{1B}[1m\u{2}lib\u{1}\u{1B}[0m\u{2}> ")
    #expect(PromptText.marked("> ") == "> ")
    #expect(PromptText.marked("a\u{1B}[2Jb\n\u{1B}") == "a␛[2Jb⏎␛", "a file may be named so")
  }

  @Test func whatIsCertainIsCompleted() {
    func common(_ names: [String], _ append: Character? = nil) -> String {
      Completions(start: 0, candidates: names.map { .init($0) }, appendCharacter: append).commonText
    }
    #expect(common(["place"], " ") == "place ")
    #expect(common(["place", "placeholder"], " ") == "place")
    #expect(common(["ea\u{301}", "eb"]) == "e")
    #expect(common(["a", "b"]) == "")
    #expect(common([]) == "")
  }

  @Test func candidatesAreListedInTheWindow() {
    let plain = Completions(start: 0, candidates: (1...7).map { .init("name\($0)") })
    let style = Style(enabled: false)
    #expect(
      plain.listing(width: 24, rows: 24, style: style, charset: .utf8) == [
        "name1  name4  name7  ", "name2  name5  ", "name3  name6  ",
      ])
    let many = Completions(start: 0, candidates: (1...300).map { .init("\($0)", "Int") })
    let lines = many.listing(width: 24, rows: 10, style: style, charset: .utf8)
    #expect(lines.count == 8)
    #expect(lines.last == "… 300 in all")
    let wide = Completions(start: 0, candidates: [.init("雪\u{1B}", "a long remark that does not fit")])
    #expect(wide.listing(width: 20, rows: 10, style: style, charset: .utf8) == ["雪␛  a long remar…"])
  }

  @Test func aPipeBringsBlocksWithTheirLines() {
    let pipe = Pipe("one\ndo\nx\nend\n\nlast")
    let editor = PipedEditor(descriptor: pipe.reading)
    var request = BlockRequest(prompt: "never shown")
    request.completeness = { $0.hasPrefix("do") && !$0.hasSuffix("end") ? .incomplete : .complete }
    #expect(editor.readBlock(request) == .block("one", firstLine: 1))
    #expect(editor.readBlock(request) == .block("do\nx\nend", firstLine: 2))
    #expect(editor.readBlock(request) == .block("", firstLine: 5))
    #expect(editor.readBlock(request) == .block("last", firstLine: 6))
    #expect(editor.readBlock(request) == .end)
    #expect(editor.ask("sure?") == nil)
  }

  @Test func anUnfinishedBlockAtTheEndIsGivenAsItIs() {
    let pipe = Pipe("do\nx\n")
    let editor = PipedEditor(descriptor: pipe.reading)
    var request = BlockRequest(prompt: "")
    request.completeness = { _ in .incomplete }
    #expect(editor.readBlock(request) == .block("do\nx", firstLine: 1))
    #expect(editor.readBlock(request) == .end)
  }

  @Test func aPipeCanBeReadAsOneScript() {
    let pipe = Pipe("a\nb\nc")
    let editor = PipedEditor(descriptor: pipe.reading)
    #expect(editor.readBlock(BlockRequest(prompt: "")) == .block("a", firstLine: 1))
    #expect(editor.readRest() == Array("b\nc".utf8))
    #expect(editor.readRest().isEmpty)
  }

  @Test func theLoopWaitsForWhateverComesFirst() {
    let input = Pipe("")
    let other = Pipe("x")
    var sources = EventSources(descriptors: { [other.reading] })
    let quiet = Pipe(nil)
    #expect(EventLoop(sources: sources).next(input: quiet.reading, acceptsTurns: true) == .turn([other.reading]))
    #expect(EventLoop(sources: sources).next(input: input.reading, acceptsTurns: false) == .input)
    sources = EventSources(secondsToNextTimer: { 0.02 })
    let start = monotonicSeconds()
    #expect(EventLoop(sources: sources).next(input: quiet.reading, acceptsTurns: true) == .turn([]))
    #expect(monotonicSeconds() - start >= 0.015)
  }

  @Test func aKeyComesBeforeTimersThatAreAlwaysDue() {
    let input = Pipe("x")
    let quiet = Pipe(nil)
    let loop = EventLoop(sources: EventSources(secondsToNextTimer: { 0 }))
    #expect(loop.next(input: input.reading, acceptsTurns: true) == .input)
    #expect(loop.next(input: quiet.reading, acceptsTurns: true) == .turn([]))
    // There is nothing to type into, and nothing that must not wait.
    #expect(loop.next(input: -1, acceptsTurns: true) == .turn([]))
  }

  @Test func whatMustWaitIsNotEvenAskedFor() {
    let input = Pipe("x")
    var asked = false
    let sources = EventSources(
      descriptors: {
        asked = true
        return []
      },
      secondsToNextTimer: {
        asked = true
        return 0
      })
    #expect(EventLoop(sources: sources).next(input: input.reading, acceptsTurns: false) == .input)
    #expect(!asked)
  }

  /// A pipe with some text in it, closed at the other end unless the text is nil.
  private final class Pipe {
    let reading: Int32
    private var writing: Int32

    init(_ text: String?) {
      var ends: [Int32] = [0, 0]
      _ = pipe(&ends)
      (reading, writing) = (ends[0], ends[1])
      guard let text else { return }
      _ = write(writing, text, text.utf8.count)
      close(writing)
      writing = -1
    }

    deinit {
      close(reading)
      if writing >= 0 { close(writing) }
    }
  }
}
