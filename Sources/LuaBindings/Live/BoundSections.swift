internal import LiveQueries
internal import LuaRuntime

/// The current sections of live results.
final class BoundSections: Bound {
  static let luaName = "Sections"
  var place: String { "sections" }

  let results: BoundFetchedResults

  init(_ results: BoundFetchedResults) { self.results = results }

  var count: Int { results.results.sections.count }

  func summary() -> String { ErrorReport.count(count, "section") }

  static let members: [Member<BoundSections>] = [
    .method("each", "sections:each() -> iterator", "Goes through the sections that there are when it begins.") {
      call, sections in
      sections.results.pushEachSection(on: call.stack)
      return 1
    }
  ]
}

extension BoundSections {
  static func luaClass(of engine: Engine) -> LuaClass<BoundSections> {
    let index: (Call, BoundSections) throws -> Int32? = { call, sections in
      guard let position = call.stack.integer(at: 2) else { return nil }
      if position >= 1, position <= Int64(sections.count) {
        sections.results.pushSection(at: Int(position) - 1, on: call.stack)
      } else {
        call.stack.pushNil()
      }
      return 1
    }
    return engine.makeClass(BoundSections.self, indexing: Indexing(read: index)) { definition in
      definition.length { sections, stack in
        stack.push(sections.count)
        return 1
      }
    }
  }
}
