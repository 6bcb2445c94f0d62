internal import Modeling
internal import Queries

/// A value that may be nil, as a condition: `station != nil`, or `entityName(SELF) == "Car"` for `$0 as? Car`.
struct Presence: Equatable {
  /// The value.
  private let value: Expression
  /// The names of the entities that the object must be of one of; nil where any value will do.
  private let entities: [String]?

  init(of value: Expression, as entity: Entity? = nil) {
    self.value = value
    entities = entity?.family.map(\.name)
  }

  /// Whether it is the presence of `expression`, of any entity.
  func isOf(_ expression: Expression) -> Bool { entities == nil && value == expression }

  /// The condition that it is there; where `isExact`, false and not merely not true where it is not.
  func isThere(isExact: Bool = true) -> Predicate {
    guard let test = entityTest else { return .comparing(value, .notEqual, .constant(.null)) }
    if value.isAlwaysThere || !isExact { return test }
    return .all([.comparing(value, .notEqual, .constant(.null)), test])
  }

  /// The condition that it is nil.
  var isNothing: Predicate {
    let isNil = Predicate.comparing(value, .equal, .constant(.null))
    guard let test = entityTest else { return isNil }
    return value.isAlwaysThere ? .not(test) : isNil | .not(test)
  }

  private var entityTest: Predicate? {
    guard let entities else { return nil }
    let names = entities.map(Value.string)
    return .comparing(
      .call(.entityName, value), names.count == 1 ? .equal : .in, .constant(names.count == 1 ? names[0] : .list(names)))
  }
}
