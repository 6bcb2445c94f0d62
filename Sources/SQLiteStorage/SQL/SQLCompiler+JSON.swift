import Modeling
import Queries
import SQLite

/// A value that may be a JSON array.
struct JSONArray {
  /// The entity of the attribute that holds it.
  var entity: Entity
  /// The condition that the value is an array.
  var isArray: SQLFragment
  /// The text of the JSON.
  var document: SQLFragment
  /// The path of the array within the document; nil if it is the whole document.
  var path: SQLFragment?

  /// The text of the array alone.
  var text: SQLFragment { path.map { "json_extract(\(document), \($0))" } ?? document }

  /// The arguments with which `json_each` yields the elements, or no rows if the value is not an array.
  var arguments: SQLFragment {
    let document: SQLFragment = "CASE WHEN \(isArray) THEN \(document) END"
    return path.map { "\(document), \($0)" } ?? document
  }
}

extension JSONArray {
  /// Wraps a constant, or a value that is not JSON.
  init(_ operand: SQLOperand, _ entity: Entity) {
    let isArray: Bool = if case .json(.array)? = operand.constant { true } else { false }
    self.init(entity: entity, isArray: isArray ? "1" : "0", document: operand.sql)
  }
}

/// JSON arrays as collections: `ANY tags == "x"`, `info.list CONTAINS 5`, `tags.@count`.
///
/// The elements are the rows of `json_each`. A value that is not an array has none.
extension SQLCompiler {
  /// The elements of a collection, or of a value that may be a JSON array; nil for any other expression.
  func elements(_ expression: Queries.Expression, at place: SQLPlace) throws -> SQLCollection? {
    if let found = try collection(expression, at: place) { return found }
    switch expression {
    case .path, .variablePath, .variable, .subscripted: break
    default: return nil
    }
    if try object(expression, at: place) != nil { return nil }
    let operand = try value(expression, at: place)
    if let array = operand.array { return elements(of: array) }
    // The column has no declared type, and its values are not JSON.
    return operand.kind == .any ? elements(of: JSONArray(entity: place.entity, isArray: "0", document: "NULL")) : nil
  }

  /// The elements of a value that may be an array.
  func elements(of array: JSONArray) -> SQLCollection {
    let alias = makeAlias()
    let source = SQLSource()
    source.add("json_each(\(array.arguments)) AS \(raw: alias)")
    let value: SQLFragment = "\(raw: alias).value"
    var element = SQLOperand(sql: value, kind: .any, isExact: false, type: .any)
    element.array = JSONArray(entity: array.entity, isArray: "\(raw: alias).type = 'array'", document: value)
    element.text = "CASE WHEN \(raw: alias).type = 'text' THEN \(value) END"
    return SQLCollection(
      place: SQLPlace(source: source, entity: array.entity, alias: alias), conditions: [], value: element,
      order: ["\(raw: alias).key"])
  }

  /// Whether an array contains an element. If the value is not an array, the result is `otherwise`.
  func membership(
    of element: SQLSide, inJSON array: JSONArray, _ comparison: Comparison, isNegated: Bool,
    otherwise: () throws -> SQLCondition
  ) throws -> SQLCondition {
    let within = try membership(of: element, in: .collection(elements(of: array)), comparison, isNegated: isNegated)
    return SQLCondition("CASE WHEN \(array.isArray) THEN \(within.sql) ELSE \(try otherwise().sql) END", .atom)
  }

  /// The JSON of a column, or of a path within it.
  func array(
    in column: SQLFragment, _ layout: ColumnLayout, path: SQLFragment? = nil, of entity: Entity
  ) -> JSONArray {
    let type: SQLFragment = path.map { "json_type(\(column), \($0))" } ?? "json_type(\(column))"
    let known = layout.isExact ? type : "CASE WHEN json_valid(\(column)) THEN \(type) END"
    return JSONArray(entity: entity, isArray: "\(known) = 'array'", document: column, path: path)
  }
}
