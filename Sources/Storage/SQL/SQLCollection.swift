import Modeling
import Queries
import SQLite

/// What a to-many relationship, a path through one, or SUBQUERY leads to: a SELECT over the elements, not yet written.
struct SQLCollection {
  /// Where the element's row, or the row that its value is read from, stands.
  var place: SQLPlace
  /// What ties the elements to their owner, and SUBQUERY's condition.
  var conditions: [SQLCondition]
  /// The rest of the path after the last row, if the elements are not the rows themselves.
  var rest: PropertyPath?
  /// The element itself where it is no row: an element of an array in JSON.
  var value: SQLOperand?
  /// Whether equal elements count once.
  var isDistinct = false
  /// What the elements are ordered by.
  var order: [SQLFragment] = []

  /// The element as one side of a comparison.
  func element(_ compiler: SQLCompiler) throws -> SQLSide {
    if let value { return .value(value) }
    return try compiler.side(rest.map(Expression.path) ?? .object, at: place)
  }

  /// The element as a value; an object by its key.
  func elementValue(_ compiler: SQLCompiler) throws -> SQLOperand {
    try value ?? compiler.value(rest.map(Expression.path) ?? .object, at: place)
  }

  /// The condition that there is an element for which `test` is true, or that there is none.
  func exists(_ test: SQLCondition?, isNegated: Bool = false) -> SQLCondition {
    let found: SQLFragment = "EXISTS (\(select("1", test)))"
    return isNegated ? SQLCondition("NOT \(found)", .not) : SQLCondition(found, .atom)
  }

  /// A SELECT of `columns` over the elements; write it last, since what it selects may add joins.
  func select(_ columns: SQLFragment, _ test: SQLCondition? = nil) -> SQLFragment {
    let condition = SQLCondition.all(conditions + (test.map { [$0] } ?? []))
    return "SELECT \(columns) FROM \(place.source.sql) WHERE \(condition.sql)"
  }
}
