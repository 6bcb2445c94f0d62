internal import LiveQueries
public import LuaRuntime
internal import Modeling

// The members of live objects.
extension BoundFetchedResults {
  static let members: [Member<BoundFetchedResults>] = reading + sections

  private static let reading: [Member<BoundFetchedResults>] = [
    .method(
      "each", "results:each() -> iterator",
      "Iterates over the objects, or the sections, as they are when the loop begins.", sandbox: .allowed, example: "()"
    ) { call, results in
      if results.isSectioned {
        results.pushEachSection(on: call.stack)
      } else {
        try results.pushEach(0..<results.results.count, on: call.stack)
      }
      return 1
    },
    .method(
      "slice", "results:slice(first, last) -> list", "The elements from one index to another, both included.",
      sandbox: .allowed, example: "(1, 3)"
    ) {
      call, results in
      let range = try call.range(upTo: results.count)
      guard results.isSectioned else {
        try results.pushList(range, on: call.stack)
        return 1
      }
      call.stack.reserve(6)
      call.stack.pushTable(array: Int32(clamping: range.count))
      for index in range {
        results.pushSection(at: index, on: call.stack)
        call.stack.rawSet(element: Int64(index - range.lowerBound + 1), at: -2)
      }
      return 1
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
      try results.pushList(0..<results.results.count, on: call.stack)
      return 1
    },
    .method(
      "objectIDs", "results:objectIDs() -> list", "The IDs of all objects, without reading the objects.",
      sandbox: .allowed, example: "()"
    ) {
      call, results in
      let ids = results.results.objectIDs(0..<results.results.count)
      call.engine.push(.list(ids.map(Value.object)), on: call.stack)
      return 1
    },
  ]

  private static let sections: [Member<BoundFetchedResults>] = [
    .property(
      "columns", "results.columns",
      "The columns that the prompt, show and watch have for it: a list as for `show`, or nil for all properties.",
      sandbox: .allowed
    ) { call, results in
      if let columns = results.shownColumns { call.stack.push(columns) } else { call.stack.pushNil() }
      return 1
    } set: { call, results in
      if call.isNothing(1) { return results.shownColumns = nil }
      guard call.type(1) == .table else { throw call.expected("a list of columns", 1) }
      results.shownColumns = call.reference(1)
    },
    .property(
      "results", "observer.results -> results", "The list itself, under ResultsObserver's name.", sandbox: .allowed
    ) {
      call, results in
      call.engine.classes.push(results, on: call.stack)
      return 1
    },
    .property(
      "sections", "results.sections -> sections", "The sections; none without a section identifier.", sandbox: .allowed
    ) {
      call, results in
      call.engine.classes.push(BoundSections(results), on: call.stack)
      return 1
    },
    .method(
      "section", "results:section(id) -> section or nil", "The section with an ID; null finds the section of nil.",
      sandbox: .allowed, example: #"("Suva")"#
    ) {
      call, results in
      results.pushSection(try call.sectionID(1), on: call.stack)
      return 1
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

  private func indexOf(_ call: Call) throws -> Answer {
    guard let object = call.engine.object(at: call.index(1), on: call.stack) else {
      throw call.expected("an object", 1)
    }
    if isSectioned, let path = results.indexPath(of: object) {
      call.stack.push(path.section + 1)
      call.stack.push(path.item + 1)
      return 2
    }
    if !isSectioned, let index = results.index(of: object) {
      call.stack.push(index + 1)
    } else {
      call.stack.pushNil()
    }
    return 1
  }
}

extension Engine {
  /// The columns that a script has given to the live results at `index`; nil for anything else.
  public func shownColumns(at index: Int32, on stack: LuaStack) -> LuaReference? {
    guard stack.type(at: index) == .userdata else { return nil }
    return classes.object(BoundFetchedResults.self, at: index, on: stack)?.shownColumns
  }
}

extension Call {
  /// The zero-based range of a slice of `count` elements.
  func range(upTo count: Int) throws -> Range<Int> {
    let first = max(1, try integer(1))
    let last = min(count, try integer(2))
    return first - 1..<max(first - 1, last)
  }

  /// A section ID: a value, an object, or null.
  func sectionID(_ argument: Int32) throws -> Value {
    guard count >= argument, let id = try engine.value(at: index(argument), on: stack, place: place) else {
      throw expected("a value", argument)
    }
    return id
  }
}

extension BoundFetchedResults {
  static func luaClass(of engine: Engine) -> LuaClass<BoundFetchedResults> {
    engine.makeListClass(BoundFetchedResults.self, keepsIdentity: true) { $0.close { $0.close() } }
  }
}
