import Modeling
import Queries
import SQLite

/// The elements of a to-many relationship, of a path through one, or of SUBQUERY: a SELECT that is not yet written.
struct SQLCollection {
  /// The row of the element, or the row from which its value is read.
  var place: SQLPlace
  /// The conditions that join the elements to their owner, and the condition of SUBQUERY.
  var conditions: [SQLCondition]
  /// The rest of the path after the last row; nil if the elements are the rows themselves.
  var rest: PropertyPath?
  /// The element if it is not a row: an element of a JSON array.
  var value: SQLOperand?
  /// Whether equal elements count once.
  var isDistinct = false
  /// The order of the elements.
  var order: [SQLFragment] = []

  /// The element as one side of a comparison.
  func element(_ compiler: SQLCompiler) throws -> SQLSide {
    if let value { return .value(value) }
    return try compiler.side(rest.map(Expression.path) ?? .object, at: place)
  }

  /// The element as a value; for an object, its key.
  func elementValue(_ compiler: SQLCompiler) throws -> SQLOperand {
    try value ?? compiler.value(rest.map(Expression.path) ?? .object, at: place)
  }

  /// The condition that `test` is true for some element, or for none.
  func exists(_ test: SQLCondition?, isNegated: Bool = false) -> SQLCondition {
    let found: SQLFragment = "EXISTS (\(select("1", test)))"
    return isNegated ? SQLCondition("NOT \(found)", .not) : SQLCondition(found, .atom)
  }

  /// A SELECT of `columns` over the elements. Call it last, because the columns may add joins.
  func select(_ columns: SQLFragment, _ test: SQLCondition? = nil) -> SQLFragment {
    let condition = SQLCondition.all(conditions + (test.map { [$0] } ?? []))
    return "SELECT \(columns) FROM \(place.source.sql) WHERE \(condition.sql)"
  }
}
