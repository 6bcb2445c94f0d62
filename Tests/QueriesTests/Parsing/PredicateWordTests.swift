import Testing

@testable import Queries

@Suite struct PredicateWordTests {
  private func words(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    return PredicateWord.words(of: text).map { "\($0.kind) \(String(decoding: bytes[$0.range], as: UTF8.self))" }
  }

  @Test func eachWordHasItsKind() {
    #expect(
      words("ANY books.title CONTAINS[cd] 'é' AND lower(x) >= $n") == [
        "keyword ANY", "property books", "sign .", "property title", "keyword CONTAINS", "sign [", "keyword cd",
        "sign ]", "string 'é'", "keyword AND", "function lower", "sign (", "property x", "sign )", "keyword >=",
        "placeholder $n",
      ])
    #expect(
      words("a.@count > 1.5 && #in = %@").filter { $0.hasPrefix("p") || $0.hasPrefix("k") || $0.hasPrefix("n") }
        == [
          "property a", "keyword @count", "keyword >", "number 1.5", "keyword &&", "property #in", "keyword =",
          "placeholder %@",
        ])
    #expect(
      words("lower(c) = list[c]").map { $0.prefix(4) }
        == ["func", "sign", "prop", "sign", "keyw", "prop", "sign", "prop", "sign"])
  }

  @Test(arguments: ["", "'open", "a == ", "((", "%", "$", "a[", "\u{0}", "😀 == '", "a.", "..", "a:b:("])
  func textsWithMistakesHaveWordsInOrder(text: String) {
    var end = 0
    for word in PredicateWord.words(of: text) {
      #expect(word.range.lowerBound >= end && word.range.upperBound <= text.utf8.count)
      end = word.range.upperBound
    }
  }

  @Test func namesThatAnEntityDoesNotHaveAreFound() {
    func unknown(_ text: String) -> [String] {
      let bytes = Array(text.utf8)
      return PredicateWord.unknownNames(in: text, of: Sample.quake).map { String(decoding: bytes[$0], as: UTF8.self) }
    }
    #expect(unknown("plaec == 'x' AND ANY reports.scor == %@ AND place == 'a'") == ["plaec", "scor"])
    #expect(unknown("place == 'x' AND magnitude > $n AND place == %@").isEmpty)
    #expect(unknown("SUBQUERY(reports, $a, $a.score > magnitude).@count > 1").isEmpty)
    #expect(unknown("magnitude > 5 AND (plaec").isEmpty == false)
  }
}
