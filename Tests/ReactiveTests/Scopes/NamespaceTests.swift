import Reactive
import Testing

@Suite struct NamespaceTests {
  @Test func aNamespaceIsAnotherOneThanAllOthers() {
    #expect(Set((0..<100).map { _ in Namespace<Int>().id }).count == 100)
  }

  @Test func aNamespaceTellsANamesSourceFromThoseThatGoByIt() {
    let space = Namespace<String>()
    #expect(space.resolve("hero") == nil)
    space.tag("hero", "detail", isSource: false)
    space.tag("hero", "row")
    space.tag("hero", "map", isSource: false)
    #expect(space.resolve("hero") == "row")
    #expect(space.readers(of: "hero") == ["detail", "map"])
    #expect(Namespace<String>().resolve("hero") == nil)
    space.untag("hero", "row")
    #expect(space.resolve("hero") == nil)
    space.untag("hero")
    #expect(space.readers(of: "hero").isEmpty)
  }

  @Test func aNamespaceWarnsOnceOfASecondSourceNamesBothAndLetsItFollowTheFirst() {
    let space = Namespace<String>()
    var warnings: [String] = []
    space.onWarning = { warnings.append("\($0.name): \($0.first), \($0.second)") }
    let first = space.tag("hero", "row")
    space.tag("hero", "row")
    #expect(warnings == [])
    space.tag("hero", "card")
    space.tag("hero", "icon")
    #expect(warnings == ["hero: row, card"])
    #expect(space.resolve("hero") == "row")
    // It was given the name again since.
    first.cancel()
    #expect(space.resolve("hero") == "row")
    space.untag("hero", "row")
    #expect(space.resolve("hero") == "card")
    space.untag("hero", "icon")
    space.tag("hero", "late")
    #expect(warnings == ["hero: row, card", "hero: card, late"])
  }

  @Test func aNamespaceLetsAThingStopBeingTheSourceByBeingTaggedAgain() {
    let space = Namespace<String>()
    space.tag("hero", "left")
    space.tag("hero", "right", isSource: false)
    space.tag("hero", "left", isSource: false)
    space.tag("hero", "right")
    #expect(space.resolve("hero") == "right")
    #expect(space.readers(of: "hero") == ["left"])
  }

  @Test func aThingIsTheSourceOfItsNameUnlessItSaysOtherwise() {
    let space = Namespace<String>()
    space.tag("hero", "picture", isSource: false)
    #expect(space.resolve("hero") == nil)
    space.tag("hero", "row")
    #expect(space.resolve("hero") == "row" && space.readers(of: "hero") == ["picture"])
  }

  @Test func aNamespaceKeepsAThingUntilItsTokenIsCancelled() {
    let space = Namespace<String>()
    let token = space.tag("hero", "row")
    token.cancel()
    #expect(space.resolve("hero") == nil)
  }
}
