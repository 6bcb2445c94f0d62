package import Modeling

/// The difference between two objects that are the same, or an object that only one of two stores has.
///
/// Entities and properties have the names that the first store gives them.
package struct ObjectDifference {
  /// What distinguishes the stores.
  package enum Kind: String, CaseIterable, Sendable {
    /// Only the second store has the object.
    case inserted
    /// Only the first store has the object.
    case deleted
    /// Both stores have the object, with different values.
    case updated
    /// The store has several objects with the identity; this one is not compared.
    case duplicated
    /// A value of the object's identity is nil, so that it is not compared.
    case unidentified
  }

  package var kind: Kind
  /// The name of the entity.
  package var entity: String
  /// The identity; empty for `unidentified`.
  package var identity: [Value]
  /// The object of the first store; nil for an inserted one.
  package var first: ObjectID?
  /// The object of the second store; nil for a deleted one.
  package var second: ObjectID?
  /// The values that differ. An inserted object has its new values, a deleted one its former values.
  package var properties: [PropertyDifference] = []

  /// Whether the object was compared with another one, or is in one store alone.
  package var isComparable: Bool { kind != .duplicated && kind != .unidentified }
}

/// The values of a property in two stores.
package struct PropertyDifference {
  package var name: String
  package var old: ComparedValue
  package var new: ComparedValue
}

/// A value as two stores have it in common: objects are named by their identity, not by a key.
package enum ComparedValue {
  case value(Value)
  /// The destination of a to-one relationship; nil if there is none.
  case object(ComparedReference?)
  /// The destinations of a to-many relationship, in their order.
  case objects([ComparedReference])

  package var isNothing: Bool {
    switch self {
    case .value(let value): value.isNull
    case .object(let reference): reference == nil
    case .objects(let references): references.isEmpty
    }
  }
}

/// An object by its entity and its identity.
package struct ComparedReference {
  package var entity: String
  package var identity: [Value]

  func isSame(as other: ComparedReference) -> Bool { identity.isSame(as: other.identity) }
}

extension [Value] {
  /// Whether all values are equal as predicates compare them.
  func isSame(as other: [Value]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.isSame(as: $1) }
  }

  /// The order of two identities: negative, zero or positive.
  func order(_ other: [Value]) -> Int {
    for (left, right) in zip(self, other) {
      let order = left.order(right)
      if order != 0 { return order }
    }
    return 0
  }
}

extension Value {
  /// Whether both are equal as predicates compare them, numbers and dates within a tolerance.
  func isSame(as other: Value, within tolerance: Double = 0) -> Bool {
    if isNull || other.isNull { return isNull && other.isNull }
    if compare(other) == 0 || self == other { return true }
    guard tolerance > 0, let left = measure, let right = other.measure else { return false }
    return abs(left - right) <= tolerance
  }

  private var measure: Double? {
    if case .date(let date) = self { return date.seconds }
    return doubleValue
  }
}
