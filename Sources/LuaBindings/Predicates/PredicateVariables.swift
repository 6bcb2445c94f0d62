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
