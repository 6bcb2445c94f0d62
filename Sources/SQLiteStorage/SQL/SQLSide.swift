import Modeling
import Queries

/// One side of a comparison.
enum SQLSide {
  case value(SQLOperand)
  case object(SQLObject)
  case list([SQLSide])
  case collection(SQLCollection)

  /// Whether the side is nil itself, as a literal or an argument, not merely an expression whose value is nil.
  var isNull: Bool {
    if case .value(let operand) = self { operand.constant == .null } else { false }
  }
}

extension SQLCompiler {
  /// Translates one side of a comparison.
  func side(_ expression: Queries.Expression, at place: SQLPlace) throws -> SQLSide {
    switch expression {
    case .constant(.list(let values)):
      var poll = InterruptionPoll()
      return .list(
        try values.map { value in
          try poll.step()
          return try side(.constant(value), at: place)
        })
    case .aggregate(let elements): return .list(try elements.map { try side($0, at: place) })
    case .function(.noindex, let arguments, _) where arguments.count == 1:
      // A unary plus hides the column from the query planner.
      guard case .value(var operand) = try side(arguments[0], at: place) else {
        return try side(arguments[0], at: place)
      }
      if operand.constant == nil { operand.sql = "(+\(operand.sql))" }
      return .value(operand)
    case .collection(let function, _, _) where function.isUnion:
      if let elements = expression.writtenElements { return .list(try elements.map { try side($0, at: place) }) }
    default: break
    }
    if let object = try object(expression, at: place) { return .object(object) }
    if let collection = try collection(expression, at: place) { return .collection(collection) }
    return .value(try value(expression, at: place))
  }
}
