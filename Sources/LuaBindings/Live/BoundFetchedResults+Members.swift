internal import LiveQueries
internal import LuaRuntime
internal import Modeling

// The members of live objects.
extension BoundFetchedResults {
  static let members: [Member<BoundFetchedResults>] = reading + sections

  private static let reading: [Member<BoundFetchedResults>] = [
    .method(
      "each", "results:each() -> iterator",
      "Iterates over the objects, or the sections, as they are when the loop begins.", sandbox: .allowed, example: "()"
    ) { call, results in
      if results.isSectioned { return .pushing(results.pushEachSection) }
      return .pushing { try results.pushEach(0..<results.results.count, on: $0) }
    },
    .method(
      "slice", "results:slice(first, last) -> list", "The elements from one index to another, both included.",
      sandbox: .allowed, example: "(1, 3)"
    ) {
      call, results in
      let range = try call.range(upTo: results.count)
      guard results.isSectioned else { return .pushing { try results.pushList(range, on: $0) } }
      return .list(range.map { .object(results.section(at: $0)) })
    },
    .method(
      "indexOf", "results:indexOf(object) -> number or nil",
      "The index of an object; with sections, the index of its section and its index in the section.",
      sandbox: .allowed, example: "(Quake:first())"
    ) { call, results in
      try results.indexOf(call)
    },
    .method(
      "objects", "results:objects() -> list", "All objects in order, as a new table.", sandbox: .allowed, example: "()"
    ) {
      call, results in
      .pushing { try results.pushList(0..<results.results.count, on: $0) }
    },
    .method(
      "objectIDs", "results:objectIDs() -> list", "The IDs of all objects, without reading the objects.",
      sandbox: .allowed, example: "()"
    ) {
      call, results in
      let ids = results.results.objectIDs(0..<results.results.count)
      return .value(.list(ids.map(Value.object)))
    },
  ]

  private static let sections: [Member<BoundFetchedResults>] = [
    .property(
      "columns", "results.columns",
      "The columns that the prompt, show and watch have for it: a list as for `show`, or nil for all properties.",
      sandbox: .allowed
    ) { call, results in
      .reference(results.shownColumns)
    } set: { call, results in
      if call.isNothing(1) { return results.shownColumns = nil }
      guard call.type(1) == .table else { throw call.expected("a list of columns", 1) }
      results.shownColumns = call.reference(1)
    },
    .property(
      "results", "observer.results -> results", "The list itself, under ResultsObserver's name.", sandbox: .allowed
    ) {
      call, results in
      .object(results)
    },
    .property(
      "sections", "results.sections -> sections", "The sections; none without a section identifier.", sandbox: .allowed
    ) {
      call, results in
      .object(BoundSections(results))
    },
    .method(
      "section", "results:section(id) -> section or nil", "The section with an ID; null finds the section of nil.",
      sandbox: .allowed, example: #"("Suva")"#
    ) {
      call, results in
      .object(results.section(try call.value(1)))
    },
  ]

  /// Pushes an iterator over the current sections.
  func pushEachSection(on stack: LuaStack) {
    var ids = results.sections.map(\.id).makeIterator()
    stack.pushFunction { [self] stack in
      guard let id = ids.next() else { return 0 }
      context.engine.classes.push(BoundSection(self, id: id), on: stack)
      return 1
    }
  }

  private func indexOf(_ call: Call) throws -> ReturnValue {
    guard let object = call.engine.values.object(at: call.index(1), on: call.stack) else {
      throw call.expected("an object", 1)
    }
    if isSectioned, let path = results.indexPath(of: object) {
      return .several([.integer(path.section + 1), .integer(path.item + 1)])
    }
    return .integer(isSectioned ? nil : results.index(of: object).map { $0 + 1 })
  }
}

extension BoundFetchedResults {
  static func luaClass(of engine: Engine) -> LuaClass<BoundFetchedResults> {
    engine.classes.makeList(BoundFetchedResults.self, keepsIdentity: true) { $0.close { $0.close() } }
  }
}
