import Reactive
import Testing

@Suite("A namespace")
struct NamespaceTests {
  @Test("is another one than all others")
  func unique() {
    #expect(Set((0..<100).map { _ in Namespace<Int>().id }).count == 100)
  }

  @Test("tells a name's source from those that go by it")
  func resolves() {
    let space = Namespace<String>()
    #expect(space.resolve("hero") == nil)
    space.tag("hero", "detail")
    space.tag("hero", "row", isSource: true)
    space.tag("hero", "map")
    #expect(space.resolve("hero") == "row")
    #expect(space.readers(of: "hero") == ["detail", "map"])
    #expect(Namespace<String>().resolve("hero") == nil)
    space.untag("hero", "row")
    #expect(space.resolve("hero") == nil)
    space.untag("hero")
    #expect(space.readers(of: "hero").isEmpty)
  }

  @Test("warns once of a second source, names both, and lets it follow the first")
  func warns() {
    let space = Namespace<String>()
    var warnings: [String] = []
    space.onWarning = { warnings.append("\($0.name): \($0.first), \($0.second)") }
    let first = space.tag("hero", "row", isSource: true)
    space.tag("hero", "row", isSource: true)
    #expect(warnings == [])
    space.tag("hero", "card", isSource: true)
    space.tag("hero", "icon", isSource: true)
    #expect(warnings == ["hero: row, card"])
    #expect(space.resolve("hero") == "row")
    // It was given the name again since.
    first.cancel()
    #expect(space.resolve("hero") == "row")
    space.untag("hero", "row")
    #expect(space.resolve("hero") == "card")
    space.untag("hero", "icon")
    space.tag("hero", "late", isSource: true)
    #expect(warnings == ["hero: row, card", "hero: card, late"])
  }

  @Test("lets a thing stop being the source by being tagged again")
  func moves() {
    let space = Namespace<String>()
    space.tag("hero", "left", isSource: true)
    space.tag("hero", "right")
    space.tag("hero", "left")
    space.tag("hero", "right", isSource: true)
    #expect(space.resolve("hero") == "right")
    #expect(space.readers(of: "hero") == ["left"])
  }

  @Test("keeps a thing until its token is cancelled")
  func tokens() {
    let space = Namespace<String>()
    let token = space.tag("hero", "row", isSource: true)
    token.cancel()
    #expect(space.resolve("hero") == nil)
  }
}
