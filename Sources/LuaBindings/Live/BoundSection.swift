internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

/// A section of live results, found by its ID at each access: a section that no longer exists is empty.
final class BoundSection: BoundList {
  static let luaName = "Section"
  var place: String { "section" }

  let results: BoundFetchedResults
  let id: Value

  init(_ results: BoundFetchedResults, id: Value) {
    self.results = results
    self.id = id
  }

  /// The zero-based index among the sections; nil if the section no longer exists.
  var index: Int? { results.results.sections.index(of: id) }

  /// The range of the section's objects in the results.
  var rows: Range<Int> { index.map { results.results.sections[$0].rows } ?? 0..<0 }

  /// The ID as a heading.
  var name: String { id.isNull ? "nil" : id.displayText }

  /// The number of the section's objects.
  var count: Int { rows.count }

  func push(at position: Int, on stack: LuaStack) throws {
    let rows = rows
    guard position >= 1, position <= rows.count else { return stack.pushNil() }
    try results.push(object: rows.lowerBound + position - 1, on: stack)
  }

  func summary() -> String { "\(name): \(Quantity.grouped(rows.count)) × \(results.results.request.entity.name)" }

  static let members: [Member<BoundSection>] = [
    .property("id", "section.id", "The value shared by the section's objects.", sandbox: .allowed) { call, section in
      .pushing { try section.results.context.push(section.id, on: $0) }
    },
    .property("name", "section.name -> string", "The ID as a heading.", sandbox: .allowed) { call, section in
      .text(section.name)
    },
    .property(
      "values", "section.values -> table or nil", "The aggregates that sectionValues names, by name.", sandbox: .allowed
    ) {
      call, section in
      let live = section.results.results
      guard let values = try live.values(ofSection: section.id) else { return .luaNil }
      return .pushing { try section.results.context.push(row: values, live.request.sectionValues.map(\.name), on: $0) }
    },
    .property(
      "index", "section.index -> number or nil", "The index of the section; nil if it was removed.", sandbox: .allowed
    ) {
      call, section in
      .integer(section.index.map { $0 + 1 })
    },
    .method(
      "each", "section:each() -> iterator", "Iterates over its objects as they are when the loop begins.",
      sandbox: .allowed, example: "()"
    ) {
      call, section in
      .pushing { try section.results.pushEach(section.rows, on: $0) }
    },
    .method(
      "slice", "section:slice(first, last) -> list", "The objects from one index to another, both included.",
      sandbox: .allowed, example: "(1, 3)"
    ) {
      call, section in
      let rows = section.rows
      let range = try call.range(upTo: rows.count)
      return .pushing {
        try section.results.pushList(
          rows.lowerBound + range.lowerBound..<rows.lowerBound + range.upperBound, on: $0)
      }
    },
    .method(
      "indexOf", "section:indexOf(object) -> number or nil", "The index of an object in the section.",
      sandbox: .allowed, example: "(Quake:first())"
    ) {
      call, section in
      guard let object = call.engine.values.object(at: call.index(1), on: call.stack) else {
        throw call.expected("an object", 1)
      }
      let rows = section.rows
      guard let index = section.results.results.index(of: object), rows.contains(index) else { return .luaNil }
      return .integer(index - rows.lowerBound + 1)
    },
  ]
}

extension BoundSection {
  static func luaClass(of engine: Engine) -> LuaClass<BoundSection> {
    engine.classes.makeList(BoundSection.self) { definition in
      definition.metamethod(.equal) { [unowned engine] stack in
        let (left, right) = (
          engine.classes.object(BoundSection.self, at: 1, on: stack),
          engine.classes.object(BoundSection.self, at: 2, on: stack)
        )
        stack.push(left != nil && left?.results === right?.results && left?.id == right?.id)
        return 1
      }
    }
  }
}

extension BoundSection: ObjectList {
  func objectList() -> [ManagedObject] { rows.map { results.results[$0] } }
  func objectIDList() -> [ObjectID] { results.results.objectIDs(rows) }
}
