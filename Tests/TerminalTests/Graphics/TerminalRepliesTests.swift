import TestSupport
import Testing

@testable import Terminal

/// Answers are distinguished from keys, in any pieces.
@Suite(.seeded) struct TerminalRepliesTests {
  private let answers = [
    "\u{1B}[6;20;10t", "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}[?62;4;22c",
  ]

  private func replies(_ text: String) -> TerminalReplies {
    var replies = TerminalReplies()
    replies.feed(Array(text.utf8))
    return replies
  }

  @Test func eachAnswerIsRead() {
    let all = replies(answers.joined())
    #expect(all.cell?.width == 10 && all.cell?.height == 20)
    #expect(all.isDark == false && all.hasKitty && all.hasSixel && all.hasEnded && all.typed.isEmpty)
    let none = replies("\u{1B}_Gi=31;ENOTSUP\u{1B}\\\u{1B}[?64;1;14;24c")
    #expect(!none.hasKitty && !none.hasSixel && none.hasEnded)
    #expect(replies("\u{1B}]11;rgb:0d/11/17\u{7}").isDark == true)
    #expect(replies("\u{1B}]11;rgba:ffff/ffff/ffff/ffff\u{7}").isDark == false)
  }

  @Test func keysBetweenAnswersAreKept() {
    let keys = ["1+1\r", "\u{1B}[A", "é", "\u{1B}OB", "\u{1B}[200~x\u{1B}[201~", "\u{1B}b"]
    var numbers = SplitMix(seed: 5)
    for _ in 0..<200 {
      var (text, typed) = ("", "")
      for answer in answers {
        for _ in 0..<Int.random(in: 0...2, using: &numbers) {
          let key = numbers.pick(keys)
          text += key
          typed += key
        }
        text += answer
      }
      var found = TerminalReplies()
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = min(Int.random(in: 1...7, using: &numbers), rest.count)
        found.feed(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      found.finish()
      #expect(String(decoding: found.typed, as: UTF8.self) == typed)
      #expect(found.hasEnded && found.hasSixel && found.hasKitty && found.cell?.height == 20)
    }
  }

  @Test func rubbishIsNoAnswer() {
    for text in [
      "\u{1B}]11;rgb:zz/1/2\u{7}", "\u{1B}]11;rgb:11111/1/2\u{7}", "\u{1B}[6;0;99999t", "\u{1B}]11;\u{7}", "\u{1B}[6;t",
    ] {
      let found = replies(text)
      #expect(found.isDark == nil && found.cell == nil && !found.hasEnded, "\(text)")
    }
    var half = replies("a\u{1B}[")
    half.finish()
    #expect(half.typed == Array("a\u{1B}[".utf8))
  }

  @Test func terminalsThatPrintTheQuestionsAreNotAsked() {
    for name in ["dumb", "linux", "screen-256color", "tmux-256color", "vt100", ""] {
      #expect(!TerminalGraphics.canAsk(["TERM": name]), "\(name)")
    }
    #expect(TerminalGraphics.canAsk(["TERM": "xterm-256color"]))
    #expect(!TerminalGraphics.canAsk(["TERM": "xterm-256color", "TMUX": "/tmp/tmux-0/default,1,0"]))
    #expect(!TerminalGraphics.canAsk([:]))
  }
}
