internal import Modeling
package import Queries

/// A comparison that asks for the entity of an object: `entityName(SELF) IN {"Car", "Truck"}`.
package struct EntityTest {
  /// The object that is asked.
  package var object: Queries.Expression
  /// The names of which one is wanted.
  package var names: [String]
  /// Whether it must be none of them.
  package var isNegated = false
}

extension Comparison {
  /// The test for entities that this is; nil for any other comparison.
  package var entityTest: EntityTest? {
    guard modifier == .direct, options.isEmpty, case .function(.entityName, let arguments, _) = left,
      arguments.count == 1
    else { return nil }
    switch (comparator, right) {
    case (.equal, .constant(.string(let name))), (.equal, .argument(.string(let name), _)):
      return EntityTest(object: arguments[0], names: [name])
    case (.notEqual, .constant(.string(let name))), (.notEqual, .argument(.string(let name), _)):
      return EntityTest(object: arguments[0], names: [name], isNegated: true)
    case (.in, .constant(.list(let values))), (.in, .argument(.list(let values), _)):
      let names = values.compactMap { if case .string(let name) = $0 { name } else { nil } }
      return names.count == values.count && !names.isEmpty ? EntityTest(object: arguments[0], names: names) : nil
    default: return nil
    }
  }
}
