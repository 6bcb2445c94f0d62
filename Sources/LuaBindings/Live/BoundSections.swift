internal import LiveQueries
internal import LuaRuntime

/// The current sections of live results.
final class BoundSections: BoundList {
  static let luaName = "Sections"
  var place: String { "sections" }

  let results: BoundFetchedResults

  init(_ results: BoundFetchedResults) { self.results = results }

  var count: Int { results.results.sections.count }

  func summary() -> String { ErrorReport.count(count, "section") }

  func push(at position: Int, on stack: LuaStack) {
    guard position >= 1, position <= count else { return stack.pushNil() }
    results.context.engine.classes.push(results.section(at: position - 1), on: stack)
  }

  static let members: [Member<BoundSections>] = [
    .method(
      "each", "sections:each() -> iterator", "Iterates over the sections as they are when the loop begins.",
      sandbox: .allowed, example: "()"
    ) {
      call, sections in
      .pushing(sections.results.pushEachSection)
    }
  ]
}
