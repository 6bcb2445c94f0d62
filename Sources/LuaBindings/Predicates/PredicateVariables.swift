internal import Modeling
internal import ObjectGraph
internal import Queries

/// What a table of Lua gives for the variables of a predicate.
struct PredicateVariables {
  var values: [String: Value] = [:]
  /// The objects among the values, whose keys can be read.
  var objects: [String: ManagedObject] = [:]
}

extension Queries.Predicate {
  /// The predicate with what a table gives for its variables.
  func bind(_ variables: PredicateVariables) throws -> Queries.Predicate {
    try bind(variables.values, objects: variables.objects)
  }
}

extension Call {
  /// What a table gives for variables.
  func variables(_ argument: Int32) throws -> PredicateVariables {
    var variables = PredicateVariables()
    try stack.forEachPair(at: index(argument)) { stack in
      guard stack.type(at: -2) == .string, let name = stack.string(at: -2) else {
        throw fail("expected values by the names of variables, got a key of type \(stack.typeName(at: -2))")
      }
      variables.values[name] = try engine.argument(at: stack.count, on: stack, place: place)
      variables.objects[name] = engine.object(at: stack.count, on: stack)
    }
    return variables
  }
}
