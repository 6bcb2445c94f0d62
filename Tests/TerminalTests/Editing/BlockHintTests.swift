import Testing

@testable import Terminal

@Suite struct BlockHintTests {
  @Test func theNewestEntryThatBeginsWithTheTextContinuesIt() {
    let history = History()
    for text in ["Quake:count()", "Quake:all()", "for i = 1, 2 do\n  print(i)\nend", "cafe\u{301}"] {
      history.record(text, time: 0)
    }
    #expect(history.continuation(of: "Quake") == ":all()")
    #expect(history.continuation(of: "Quake:c") == "ount()")
    #expect(history.continuation(of: "for i = 1, 2 do\n ") == " print(i)\nend")
    // One character says too little, and a whole entry has no rest.
    #expect(history.continuation(of: "Q") == nil)
    #expect(history.continuation(of: "  ") == nil)
    #expect(history.continuation(of: "Quake:all()") == nil)
    #expect(history.continuation(of: "quake") == nil)
    // The accent belongs to the last letter.
    #expect(history.continuation(of: "cafe") == nil)
    #expect(history.continuation(of: "caf") == "e\u{301}")
  }

  @Test func entriesOfOtherStoresAreNotProposed() {
    var entries = ["Quake:first()", "Quake:count()"].map { History.Entry(text: $0, time: 0) }
    entries[0].isElsewhere = true
    let kept = entries
    let keeper = History.Keeper(place: { "here" }, read: { _, _ in kept }, add: { _, _ in 1 }, finish: { _ in })
    let history = History(keeper: keeper)
    #expect(history.continuation(of: "Quake:f") == nil)
    #expect(history.continuation(of: "Quake:") == "count()")
  }

  @Test func theFirstLineIsShown() {
    func shown(_ text: String, _ columns: Int = 20) -> String {
      BlockHint(text, isTakable: true).shown(columns: columns, .utf8)
    }
    #expect(shown("count()") == "count()")
    #expect(shown("do\n  x()\nend") == "do…")
    #expect(shown("\nend") == "…")
    #expect(shown(String(repeating: "x", count: 90), 10) == String(repeating: "x", count: 19) + "…")
  }

  @Test(arguments: [
    (":where 'a'", ":where"), ("count()", "count"), ("()", "()"), ("('magnitude > 5')", "('magnitude"),
    ("\n  end", "\n  end"),
    ("é_1.x", "é_1"), ("", ""),
  ])
  func aWordIsTakenWithTheSignsBeforeIt(text: String, word: String) {
    #expect(BlockHint(text, isTakable: true).firstWordCount == word.utf8.count)
  }
}
