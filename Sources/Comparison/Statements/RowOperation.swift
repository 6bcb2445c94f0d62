package import Modeling

/// A row that is inserted, changed or deleted to make the first store's rows those of the second, with what decides its
/// place among the others.
struct RowOperation {
  let difference: ObjectDifference
  let entity: ComparedEntity

  var name: ObjectName { ObjectName(entity.first, difference.identity) }

  /// The to-one relationships that lead to an object: before the operation, or after it.
  func references(isNew: Bool) -> [(property: String, target: ObjectName)] {
    difference.properties.compactMap { property in
      guard case .object(let reference?) = isNew ? property.new : property.old,
        let index = entity.first.index(of: property.name)
      else { return nil }
      return (property.name, ObjectName(entity.first.destination(at: index), reference.identity))
    }
  }

  /// The unique values that the row has before the operation, or after it. Of several values that are unique together only
  /// rows that are inserted or deleted, or change all of them, are known.
  func uniqueValues(isNew: Bool) -> [UniqueValue] {
    entity.uniques.compactMap { names in
      var values: [Value] = []
      for name in names {
        guard let property = difference.properties.first(where: { $0.name == name }),
          let value = (isNew ? property.new : property.old).identifying, !value.isEmpty
        else { return nil }
        values += value
      }
      return UniqueValue(entity: entity.first.root.name, properties: names, values: values.map(\.canonical))
    }
  }
}

/// Values that no two rows of an entity have.
struct UniqueValue: Hashable {
  let entity: String
  let properties: [String]
  let values: [Value]
}

/// An object by its identity, for look-ups: equal values of different types are one.
package struct ObjectName: Hashable {
  private let root: String
  private let identity: [Value]

  package init(_ entity: Entity, _ identity: [Value]) {
    root = entity.root.name
    self.identity = identity.map(\.canonical)
  }
}

extension ComparedValue {
  /// The values by which an index knows it; empty for nothing, nil for a list.
  fileprivate var identifying: [Value]? {
    switch self {
    case .value(let value): value.isNull ? [] : [value]
    case .object(let reference): reference?.identity ?? []
    case .objects: nil
    }
  }
}

extension Value {
  /// The same value for all that are equal as predicates compare them: a whole number is an integer.
  fileprivate var canonical: Value {
    switch self {
    case .double(let number): Int64(exactly: number).map(Value.int) ?? self
    case .decimal(let number):
      Int64(number.canonicalText).map(Value.int) ?? Double(number.canonicalText).map(Value.double) ?? self
    case .url(let text): .string(text)
    default: self
    }
  }
}
