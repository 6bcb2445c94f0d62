internal import Modeling
internal import Queries

/// The functions that make predicates and sort descriptors.
enum PredicateFunctions {
  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "Predicate", "Predicate(format, ...) -> predicate",
      "A condition in the format language of NSPredicate, with its arguments, or as Swift source.", sandbox: .allowed,
      example: #"Predicate("magnitude >= %@ AND place CONTAINS[cd] %@", 3, "japan")"#
    ) { call in
      .object(BoundPredicate(try call.predicate(1)))
    },
    GlobalFunction(
      "Expression", "Expression(text) -> expression",
      "An expression over objects in the format language, or Swift's `#Expression`, to sort, group, section and compare by.",
      sandbox: .allowed, example: #"Quake:sorted(Expression "magnitude * 2")"#
    ) { call in
      let text = try call.string(1, "an expression in valid UTF-8")
      try call.refuseMore(than: 1)
      let expression = try Queries.Expression.parse(try call.engine.predicates.expressionText(text))
      return .object(BoundExpression(expression))
    },
    GlobalFunction(
      "SortDescriptor", "SortDescriptor(keyPath [, \"forward\" | \"reverse\"] [, { comparator = ... }])",
      "A key that results are sorted by.", sandbox: .allowed,
      example: #"Quake:sorted(SortDescriptor("place", "forward", { comparator = "localized" }))"#
    ) { call in
      .object(BoundSortDescriptor(try SortDescriptorFunctions.make(call)))
    },
  ]
}
