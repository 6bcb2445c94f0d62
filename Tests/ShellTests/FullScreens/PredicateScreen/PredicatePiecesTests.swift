import TestSupport
import Testing

@testable import FullScreens
@testable import Presentation
@testable import Session
@testable import Shell

/// The small parts of the predicate's screen that need no store.
@Suite(.seeded) struct PredicatePiecesTests {
  @Test func countsTellYesNoAndNeither() {
    var counts = MatchCounts()
    #expect(counts.text(.utf8) == "")
    counts.yes = 270
    #expect(counts.text(.utf8) == "270 yes")
    (counts.no, counts.total) = (1_549, 2_000)
    #expect(counts.text(.utf8) == "270 yes · 1,549 no · 181 neither of 2,000")
    #expect(counts.text(.ascii) == "270 yes - 1,549 no - 181 neither of 2,000")
  }

  @Test(arguments: [
    ("place == \"Chi", "place", "Chi"), ("depth > 5 AND place BEGINSWITH[c] 'Chi", "place", "Chi"),
    ("ANY reports.text contains \"", "reports.text", ""), ("code IN { \"us1\", \"us", "code", "us"),
    ("place=\"a\\\"b", "place", "a\"b"), ("(status ==[c] \"", "status", ""),
  ])
  func aQuoteAfterAnOperatorIsTheBeginningOfAValue(text: String, path: String, prefix: String) {
    let place = ValuePlace(before: text)
    #expect(place?.path == path)
    #expect(place?.prefix == prefix)
    #expect(place?.quote != nil)
  }

  @Test func aNumberIsAValueWithoutQuotes() {
    let place = ValuePlace(before: "magnitude >= 4.")
    #expect(place?.path == "magnitude")
    #expect(place?.prefix == "4.")
    #expect(place?.start == 13)
    #expect(ValuePlace(before: "magnitude BETWEEN { 4, ")?.path == "magnitude")
  }

  @Test(arguments: [
    "", "place", "place ", "place == \"Chile\"", "place == \"Chile\" AND \"", "\"", "place == x AND pl", "{",
  ])
  func elsewhereThereIsNoValue(text: String) {
    #expect(ValuePlace(before: text) == nil)
  }

  @Test func fuzzedBeginningsNeverTrap() {
    var random = SplitMix(seed: 1)
    let pieces = ["place", " ", "==", "\"", "'", "\\", "{", "}", ",", "IN", "[cd]", "é", "4.5", "(", "BEGINSWITH"]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random)! }
        .joined()
      if let place = ValuePlace(before: text) { #expect((0...text.utf8.count).contains(place.start)) }
    }
  }

  @Test func earlierPredicatesOfTheEntityAreFound() {
    let lines = [
      "Quake:where \"a > 1\"", "Report:where \"b > 1\"", "Quake:where('a > 2')", "Quake:where('a > 2')",
      "Quake:where(\"a > %@\", 5)", ".predicate Quake a > 3", ".predicate Quake { m = 1 } a > $m",
      "Quake:where [[a > 4]]",
      "Quake:where \"open", "Quake:whereabouts()",
    ]
    func earlier() -> EarlierPredicates {
      EarlierPredicates(lines, entity: "Quake") { literal in
        literal.first == "[" ? String(literal.dropFirst(2).dropLast(2)) : String(literal.dropFirst().dropLast())
      }
    }
    var found = earlier()
    #expect(found.newer() == nil)
    #expect(found.older(than: "draft") == "a > 4")
    #expect(found.older(than: "a > 4") == "a > 3")
    #expect(found.older(than: "a > 3") == "a > 2")
    #expect(found.older(than: "a > 2") == "a > 1")
    #expect(found.older(than: "a > 1") == nil)
    #expect((0..<3).map { _ in found.newer() } == ["a > 2", "a > 3", "a > 4"])
    #expect(found.newer() == "draft")
    #expect(found.newer() == nil)
  }

  @Test func theMenuPutsCandidatesIntoTheLine() {
    let editor = PredicateEditor("place == x AND ma")
    let completions = Completions(
      start: 15, candidates: [.init("magnitude", "Double"), .init("mainshock", "→ Quake"), .init("max(", "function")])
    var menu = CompletionMenu(completions, before: editor)
    #expect(menu.move(by: 1).text == "place == x AND magnitude")
    #expect(menu.move(by: 1).text == "place == x AND mainshock")
    #expect(menu.move(by: -2).text == "place == x AND max(")
    #expect(menu.before.text == "place == x AND ma")
    let lines = menu.lines(width: 40, height: 2, Style(enabled: false), .utf8)
    #expect(lines.map(\.text) == ["  mainshock  → Quake", "> max(       function"])
  }
}
