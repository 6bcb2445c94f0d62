import Testing

@testable import Presentation

/// Ten scripts and what goes beyond them, with the columns they take.
let scripts: [(text: String, width: Int)] = [
  ("Jane Austen", 11), ("Gabriel García", 14), ("García decomposed e\u{301}", 19), ("Толстой", 7), ("Ελύτης", 6),
  ("村上 春樹", 9), ("한강", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("カタカナ ｶﾅ", 11), ("שלום", 4), ("سلام", 4), ("नि", 2),
  ("क्षि", 3), ("नमस्ते", 4),
  ("ไทย", 3), ("வணக்கம்", 5), ("กำ", 2), ("কো", 2), ("ကြာ", 3), ("👩‍🚀", 2), ("👨‍👩‍👧‍👦", 2), ("❤️", 2), ("🇯🇵", 2), ("👍🏽", 2), ("1️⃣", 2),
  ("z\u{200B}w", 2), ("☺️", 2), ("☺", 1),
  ("🏳️‍🌈", 2), ("a🏽", 3), ("क्‍ष", 2), ("\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}", 2),
]

@Suite struct TextTests {
  @Test(arguments: scripts) func aClusterIsAsWideAsTerminalsDrawIt(_ sample: (text: String, width: Int)) {
    #expect(sample.text.terminalWidth == sample.width)
    #expect(DisplayText(sample.text).width == sample.width)
  }

  @Test(arguments: [
    ("Gabriel e\u{301}", false), ("村上", false), ("👍", false), ("नि", true), ("👩‍🚀", true), ("❤️", true), ("🇯🇵", true),
    ("👍🏽", true),
    ("\u{1112}\u{1161}\u{11AB}", true),
  ]) func terminalsDifferInWhatIsMoreThanALetterWithMarks(_ text: String, _ isDisputed: Bool) {
    #expect(DisplayText(text).isDisputed == isDisputed)
    #expect(DisplayText("a" + text + "b").isDisputed == isDisputed)
  }

  @Test(arguments: scripts) func aCutNeverExceedsItsLimitNorSplitsACluster(_ sample: (text: String, width: Int)) {
    let text = sample.text + sample.text
    for limit in 1...(2 * sample.width + 1) {
      let shown = DisplayText(text, in: limit)
      #expect(shown.width <= limit)
      #expect(shown.width == shown.text.terminalWidth)
      #expect(shown.isCut == (limit < 2 * sample.width))
      let kept = shown.isCut ? String(shown.text.dropLast()) : shown.text
      #expect(Array(text).starts(with: Array(kept)))
    }
  }

  @Test func aTextThatIsCutTwiceHasOneEllipsis() {
    #expect(DisplayText("Anch… ×3, Ōarai ×2", in: 6).text == "Anch…")
    #expect(DisplayText("Anch… ×3, Ōarai ×2", in: 5).text == "Anch…")
    #expect(DisplayText("Anch... x3", in: 8, .ascii).text == "Anch...")
    #expect(DisplayText("……", in: 1).text == "…")
  }

  @Test func controlCharactersArePictures() {
    #expect(DisplayText("a\nb\tc\u{1B}[2J\u{0}\u{7F}").text == "a⏎b⇥c␛[2J␀␡")
    #expect(DisplayText("a\r\nb\rc").text == "a⏎b␍c")
    #expect(DisplayText("\u{9B}2J \u{202E}x").text == "\u{FFFD}2J \u{FFFD}x")
    #expect(DisplayText("a\n\u{1B}é", .ascii).text == "a\\n^[?")
  }

  @Test func longTextIsReadOnlyAsFarAsItIsShown() {
    let long = String(repeating: "é", count: 2_000_000)
    let clock = ContinuousClock()
    // The least of several, as something else may run beside it.
    let times = (0..<5).map { _ in clock.measure { _ = DisplayText(long, in: 20) } }
    #expect(times.contains { $0 < .milliseconds(5) })
  }

  @Test func wrappedTextFitsAndObeysNewlines() {
    #expect(DisplayText.wrapped("abc\ndefghij", in: 4, .utf8) == ["abc⏎", "defg", "hij"])
    #expect(DisplayText.wrapped("abcd\ne", in: 4, .utf8) == ["abcd", "⏎", "e"])
    #expect(
      DisplayText.wrapped(String(repeating: "x", count: 100), in: 10, .utf8, maximum: 2) == [
        "xxxxxxxxxx", "xxxxxxxxx…",
      ])
    #expect(DisplayText.wrapped("", in: 4, .utf8) == [""])
    #expect(DisplayText.wrapped("", in: 4, .utf8, atWords: true) == [""])
    #expect(DisplayText.wrapped("no index finds it", in: 10, .utf8, atWords: true) == ["no index", "finds it"])
    #expect(DisplayText.wrapped("one two three", in: 7, .utf8, atWords: true) == ["one two", "three"])
    // A long word is broken, as a line half empty is worse.
    #expect(DisplayText.wrapped("a bcdefghijklm", in: 8, .utf8, atWords: true) == ["a bcdefg", "hijklm"])
    #expect(DisplayText.wrapped("日本 日本日本", in: 8, .utf8, atWords: true) == ["日本", "日本日本"])
  }

  @Test func theCharsetFollowsTheLocale() {
    #expect(Charset.detect([:]) == .utf8)
    #expect(Charset.detect(["LANG": "en_US.UTF-8"]) == .utf8)
    #expect(Charset.detect(["LC_ALL": "C", "LANG": "en_US.UTF-8"]) == .ascii)
    #expect(Charset.detect(["LC_ALL": "", "LC_CTYPE": "C.utf8", "LANG": "C"]) == .utf8)
  }

  @Test func coloursYieldToTheUser() {
    func style(_ when: ColorWhen, _ isTerminal: Bool, _ environment: [String: String] = [:]) -> Bool {
      Style.detect(when: when, isTerminal: isTerminal, environment: environment).isEnabled
    }
    #expect(style(.auto, true))
    #expect(!style(.auto, false))
    #expect(!style(.auto, true, ["NO_COLOR": "1"]))
    #expect(style(.auto, true, ["NO_COLOR": ""]))
    #expect(!style(.auto, true, ["TERM": "dumb"]))
    #expect(style(.always, false, ["NO_COLOR": "1"]))
    #expect(!style(.never, true))
    #expect(Style(enabled: true)(.error, "x") == "\u{1B}[1;31mx\u{1B}[0m")
    #expect(Style(enabled: false)(.error, "x") == "x")
  }
}
