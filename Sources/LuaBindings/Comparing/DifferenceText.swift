package import Comparison
package import Modeling

/// The differences of two stores in words.
package struct DifferenceText {
  private let arrow: String

  /// `arrow` stands between an old value and the new one.
  package init(arrow: String = "→") { self.arrow = arrow }

  /// The differences of the models, a line each.
  package func lines(of models: ModelDifference) -> [String] {
    ModelDifferenceText(difference: models).changes.map { "model  \($0)" }
  }

  /// `Quake by code: 1 inserted, 2 updated, 3,997 equal`
  package func line(of counts: DifferenceCounts, _ entity: ComparedEntity) -> String {
    let parts = ObjectDifference.Kind.allCases.compactMap { kind -> String? in
      counts[kind] == 0 ? nil : "\(Quantity.grouped(counts[kind])) \(kind.rawValue)"
    }
    let equal = "\(Quantity.grouped(counts.equal)) equal"
    return "\(counts.entity) by \(name(of: entity.rule)): " + (parts + [equal]).joined(separator: ", ")
  }

  /// `1 inserted, 2 updated, 0 deleted`
  package func line(of counts: DifferenceApplication.Counts) -> String {
    let numbers = [(counts.inserted, "inserted"), (counts.updated, "updated"), (counts.deleted, "deleted")]
    return numbers.map { "\(Quantity.grouped($0)) \($1)" }.joined(separator: ", ")
  }

  /// `entity Quake: code String, magnitude Double, network Network`
  package func line(of entity: Entity) -> String {
    let properties = entity.properties.indices.map { index in
      let type = entity.properties[index].attribute?.type.rawValue ?? entity.destination(at: index).name
      return "\(entity.properties[index].name) \(type)"
    }
    return "entity \(entity.name): \(properties.joined(separator: ", "))"
  }

  package func name(of rule: IdentityRule) -> String {
    switch rule {
    case .key: "key"
    case .properties(let names): names.joined(separator: ", ")
    }
  }

  /// The mark of a kind of difference: `+`, `-`, `~`, or `!` for an object that is not compared.
  package func mark(_ kind: ObjectDifference.Kind) -> String {
    switch kind {
    case .inserted: "+"
    case .deleted: "-"
    case .updated: "~"
    case .duplicated, .unidentified: "!"
    }
  }

  /// `~ Quake us2: magnitude 4.1 → 4.2`
  package func line(of difference: ObjectDifference) -> String {
    let name = "\(mark(difference.kind)) \(difference.entity) \(identity(of: difference))"
    switch difference.kind {
    case .inserted, .deleted:
      let isNew = difference.kind == .inserted
      let fields = difference.properties.map { "\($0.name) = \(short(isNew ? $0.new : $0.old))" }
      return fields.isEmpty ? name : "\(name) { \(fields.joined(separator: ", ")) }"
    case .updated: return "\(name): \(difference.properties.map(words).joined(separator: ", "))"
    case .duplicated: return "\(name): the \(store(difference)) store has several of this identity; it is not compared"
    case .unidentified:
      return "\(name): a value of its identity is nil in the \(store(difference)) store; it is not compared"
    }
  }

  private func store(_ difference: ObjectDifference) -> String { difference.first == nil ? "second" : "first" }

  /// The identity, or the key of an object without one.
  package func identity(of difference: ObjectDifference) -> String {
    if !difference.identity.isEmpty { return text(difference.identity) }
    return "\((difference.first ?? difference.second)?.key ?? 0)"
  }

  private func text(_ identity: [Value]) -> String { identity.map(\.displayText).joined(separator: ", ") }

  /// An object within a value: `us2`, or `(a1, t2)` where several values identify it.
  private func name(of reference: ComparedReference) -> String {
    reference.identity.count == 1 ? text(reference.identity) : "(\(text(reference.identity)))"
  }

  private func words(_ property: PropertyDifference) -> String {
    if let members = members(property) { return "\(property.name) \(members)" }
    return "\(property.name) \(withoutBytes(property.old)) \(arrow) \(withoutBytes(property.new))"
  }

  /// `+ red, - blue, moved green`; nil for a property that is no to-many relationship.
  package func members(_ property: PropertyDifference) -> String? {
    guard case .objects(let old) = property.old, case .objects(let new) = property.new else { return nil }
    let changes = MemberChanges(old, new)
    let parts =
      changes.inserted.map { "+ \(name(of: $0))" } + changes.removed.map { "- \(name(of: $0))" }
      + changes.moved.map { "moved \(name(of: $0))" }
    return parts.joined(separator: ", ")
  }

  /// A value of an object that only one store has; long ones are cut.
  private func short(_ value: ComparedValue) -> String {
    if case .value(let value) = value { value.shortText } else { text(value) }
  }

  /// A value that differs, whole unless it is data.
  private func withoutBytes(_ value: ComparedValue) -> String {
    if case .value(.data) = value { short(value) } else { text(value) }
  }

  package func text(_ value: ComparedValue) -> String {
    switch value {
    case .value(let value): value.debugText
    case .object(let reference): reference.map { name(of: $0) } ?? "nil"
    case .objects(let references): "{ \(references.map { name(of: $0) }.joined(separator: ", ")) }"
    }
  }
}
