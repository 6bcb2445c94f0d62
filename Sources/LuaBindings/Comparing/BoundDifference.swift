internal import Comparison
internal import LuaRuntime
internal import Modeling

/// The difference of two stores in Lua. Its changes are read when they are asked for.
final class BoundDifference: Bound {
  static let luaName = "Difference"
  var place: String { "difference" }

  let comparison: StoreComparison
  let first: BoundStore
  let second: BoundStore
  private static let shownChanges = 20

  init(_ comparison: StoreComparison, _ first: BoundStore, _ second: BoundStore) {
    (self.comparison, self.first, self.second) = (comparison, first, second)
  }

  /// Calls `body` with each difference until it returns false, and returns the counts.
  @discardableResult
  func visit(_ place: String, _ body: (ObjectDifference) throws -> Bool = { _ in true }) throws -> [DifferenceCounts] {
    try checkOpen(place)
    return try comparison.visit(body)
  }

  func checkOpen(_ place: String) throws {
    if first.isClosed || second.isClosed { throw ScriptError(place, .closed("store")) }
  }

  /// The differences of the models, the counts by entity, and the first changes.
  func summary() throws -> String {
    let text = DifferenceText()
    var lines: [String] = []
    var count = 0
    let counts = try visit(place) { change in
      count += 1
      if count <= Self.shownChanges { lines.append("  \(text.line(of: change))") }
      return true
    }
    let heads = zip(counts, comparison.entities).map { text.line(of: $0, $1) }
    if count > Self.shownChanges { lines.append("  … and \(Quantity.grouped(count - Self.shownChanges)) more") }
    let all = text.lines(of: comparison.models) + heads + lines
    return all.isEmpty ? "nothing to compare" : all.joined(separator: "\n")
  }

  // MARK: Changes

  /// A change as a table that prints as a line.
  func table(_ change: ObjectDifference) -> ReturnValue {
    let changes = change.properties.map { property in
      ReturnValue.record([
        ("property", .text(property.name)), ("old", value(property.old)), ("new", value(property.new)),
      ])
    }
    let object = change.second.map { (second, $0) } ?? change.first.map { (first, $0) }
    var fields: [(name: String, value: ReturnValue)] = [
      ("kind", .text(change.kind.rawValue)), ("entity", .text(change.entity)),
      ("identity", .list(change.identity.map(ReturnValue.value))), ("changes", .list(changes)),
    ]
    if let old = change.first { fields.append(("oldObject", managed(old, first))) }
    if let (store, id) = object { fields.append(("object", managed(id, store))) }
    return .printed(.record(fields), kind: "Change", text: DifferenceText().line(of: change))
  }

  private func managed(_ id: ObjectID, _ store: BoundStore) -> ReturnValue {
    .managedObject(store.mainContext.objectContext.object(id), store.mainContext)
  }

  /// A value; an object is the value of its identity, or a list of them.
  private func value(_ value: ComparedValue) -> ReturnValue {
    func identity(_ reference: ComparedReference) -> ReturnValue {
      reference.identity.count == 1 ? .value(reference.identity[0]) : .value(.list(reference.identity))
    }
    return switch value {
    case .value(let value): .value(value)
    case .object(let reference): reference.map(identity) ?? .luaNil
    case .objects(let references): .list(references.map(identity))
    }
  }

  fileprivate func list(_ kind: ObjectDifference.Kind, _ place: String) throws -> ReturnValue {
    var changes: [ReturnValue] = []
    try visit(place) { change in
      if change.kind == kind { changes.append(table(change)) }
      return true
    }
    return .list(changes)
  }

  /// Steps through the changes, entity by entity.
  fileprivate func each(_ call: Call) throws -> ReturnValue {
    try checkOpen(call.place)
    let (engine, place) = (call.engine, call.place)
    var entities = comparison.entities[...]
    var cursor: DifferenceCursor?
    return .function { [self] stack in
      try checkOpen(place)
      while true {
        if let change = try cursor?.next() {
          return try Call(engine: engine, stack: stack, name: "each").push(table(change))
        }
        guard let entity = entities.popFirst() else { return 0 }
        cursor = try comparison.cursor(entity)
      }
    }
  }

  static let members: [Member<BoundDifference>] =
    [
      .property(
        "counts", "difference.counts -> { Entity = { inserted = , deleted = , updated = , equal = } }",
        "How many objects differ, by entity; `duplicated` and `unidentified` ones cannot be compared.",
        sandbox: .allowed
      ) { call, difference in
        let counts = try difference.visit(call.place)
        return .record(
          counts.map { count in
            var numbers = ObjectDifference.Kind.allCases.map { ($0.rawValue, ReturnValue.integer(count[$0])) }
            numbers.append(("equal", .integer(count.equal)))
            return (count.entity, .record(numbers))
          })
      },
      .property(
        "isEmpty", "difference.isEmpty -> boolean", "Whether models and objects are equal.", sandbox: .allowed
      ) { call, difference in
        var isEmpty = difference.comparison.models.changes.isEmpty
        if isEmpty {
          try difference.visit(call.place) { _ in
            isEmpty = false
            return false
          }
        }
        return .boolean(isEmpty)
      },
      .property(
        "model", "difference.model -> list", "What distinguishes the models, as `model:difference` says it.",
        sandbox: .allowed
      ) { call, difference in
        .texts(ModelDifferenceText(difference: difference.comparison.models).changes)
      },
      .method(
        "each", "difference:each() -> function",
        "Goes through the changes in constant memory: `{ kind = , entity = , identity = , changes = , object = }`.",
        sandbox: .allowed, example: "for change in store:compare(store):each() do print(change) end"
      ) { call, difference in
        try difference.each(call)
      },
      list(.inserted, "The objects that only the second store has."),
      list(.deleted, "The objects that only the first store has."),
      list(.updated, "The objects with different values, as `changes = { { property = , old = , new = } }`."),
      list(.duplicated, "The objects with the identity of another one in their store."),
      list(.unidentified, "The objects with a nil in their identity."),
    ] + applyingMembers

  private static func list(_ kind: ObjectDifference.Kind, _ summary: String) -> Member<BoundDifference> {
    .property(kind.rawValue, "difference.\(kind.rawValue) -> list", summary, sandbox: .allowed) { call, difference in
      try difference.list(kind, call.place)
    }
  }
}
