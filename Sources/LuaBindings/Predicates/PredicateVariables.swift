internal import Modeling
internal import ObjectGraph
internal import Queries

/// The values of a Lua table for the variables of a predicate.
struct PredicateVariables {
  var values: [String: Value] = [:]
  /// The objects among the values, for keys of variables.
  var objects: [String: ManagedObject] = [:]
}

extension Queries.Predicate {
  /// Returns the predicate with its variables bound.
  func bind(_ variables: PredicateVariables) throws -> Queries.Predicate {
    try bind(variables.values, objects: variables.objects)
  }
}

extension Call {
  /// The values in a table.
  func variables(_ argument: Int32) throws -> PredicateVariables {
    var variables = PredicateVariables()
    try stack.forEachPair(at: index(argument)) { stack in
      guard stack.type(at: -2) == .string, let name = stack.string(at: -2) else {
        throw fail("expected values by the names of variables, got a key of type \(stack.typeName(at: -2))")
      }
      variables.values[name] = try engine.predicates.argument(at: stack.count, on: stack, place: place)
      variables.objects[name] = engine.values.object(at: stack.count, on: stack)
    }
    return variables
  }
}
