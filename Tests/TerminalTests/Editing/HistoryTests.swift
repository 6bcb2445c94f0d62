import Testing

@testable import Terminal

@Suite struct HistoryTests {
  @Test func blankLinesAndThoseWithALeadingSpaceAreNotRecorded() {
    let history = History()
    for text in ["", " secret", "\n", "\t "] {
      #expect(history.record(text, time: 0) == .none)
      #expect(history.recorded == nil)
    }
    #expect(history.entries.isEmpty)
  }

  @Test func aRepeatedEntryMovesToTheEnd() {
    let history = History()
    for text in ["a", "b", "c"] { #expect(history.record(text, time: 0) == .appended(removing: nil)) }
    #expect(history.record("c", time: 1) == .none)
    #expect(history.record("a", time: 1) == .appended(removing: 0))
    #expect(history.entries.map(\.text) == ["b", "c", "a"])
  }

  @Test func theOldestGoWhenThereAreTooMany() {
    let history = History(limit: 3)
    for index in 1...5 { history.record("\(index)", time: index) }
    #expect(history.entries.map(\.text) == ["3", "4", "5"])
  }

  @Test func aSearchWantsEachWordInAnyOrder() {
    let history = History()
    for text in ["Quake:where('magnitude > 6')", "Person:where('age > 6')", "magnitude = Quake"] {
      history.record(text, time: 0)
    }
    func found(_ words: String) -> [Int64] { history.matching(HistorySearch(words), limit: 9).map(\.number) }
    #expect(found("magnitude where") == [1])
    #expect(found("where") == [1, 2])
    #expect(found("QUAKE").isEmpty)
    #expect(found("quake") == [1, 3])
    #expect(found("Quake") == [1, 3])
    #expect(found("") == [1, 2, 3])
    #expect(history.matching(HistorySearch("where"), limit: 1).map(\.number) == [2])
  }

  @Test func whatFailedIsMarkedAndFoundAsSuch() throws {
    let history = History()
    for text in ["good", "bad"] {
      history.record(text, time: 0)
      history.finish(try #require(history.recorded), duration: 0.5, rows: 3, hasFailed: text == "bad")
    }
    let failed = history.matching(HistorySearch("", isFailed: true), limit: 9)
    #expect(failed.map(\.text) == ["bad"])
    #expect(failed.first?.duration == 0.5 && failed.first?.rows == 3)
  }

  @Test(arguments: [
    ("open 'postgres://me:secret@db/lib'", "open 'postgres://me@db/lib'"),
    (".open postgresql://me:s/e@c:ret@db:5432/lib", ".open postgresql://me@db:5432/lib"),
    (
      "open(\"postgresql://db/lib?user=me&password=secret&a=b\")",
      "open(\"postgresql://db/lib?user=me&password=…&a=b\")"
    ),
    ("postgres://me@db:5432/lib", "postgres://me@db:5432/lib"),
    ("http://host:80/a@b", "http://host:80/a@b"),
    ("password = 'mine'", "password = 'mine'"),
  ])
  func passwordsInAddressesAreNotKept(typed: String, kept: String) {
    let history = History()
    history.record(typed, time: 0)
    #expect(history.entries.map(\.text) == [kept])
  }
}
