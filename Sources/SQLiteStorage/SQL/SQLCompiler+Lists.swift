import Modeling
import Queries

/// Operators and subscripts over literal lists and lists in arguments.
extension SQLCompiler {
  /// `{1, magnitude}.@max.self`: the operator over the elements; nil if the expression is not a list.
  func aggregate(
    _ function: CollectionOperator, ofList expression: Queries.Expression, at place: SQLPlace
  ) throws -> SQLOperand? {
    guard let elements = expression.writtenElements, let aggregate = function.aggregate else { return nil }
    if aggregate == .count { return try constant(.int(Int64(elements.count))) }
    return try aggregateCall(aggregate, [.aggregate(elements)], at: place, nil)
  }

  /// `{1, magnitude}[0]`: one of the elements; nil if the expression is not a list.
  func element(
    _ position: Subscript, ofList expression: Queries.Expression, at place: SQLPlace
  ) throws -> SQLOperand? {
    guard let elements = expression.writtenElements else { return nil }
    switch position {
    case .size: return try constant(.int(Int64(elements.count)))
    case .first: return try elements.first.map { try value($0, at: place) } ?? .nothing
    case .last: return try elements.last.map { try value($0, at: place) } ?? .nothing
    case .index(.constant(let index)):
      guard case .int(let number)? = CastType.integer.convert(index), elements.indices.contains(Int(clamping: number))
      else { return .nothing }
      return try value(elements[Int(number)], at: place)
    case .index(let index):
      // The index is truncated, as in memory.
      let whole = Queries.Expression.call(.trunc, index)
      let choice = elements.enumerated().reversed().reduce(Queries.Expression.constant(.null)) { rest, element in
        let isHere = Comparison(whole, .equal, .constant(.int(Int64(element.offset))))
        return .ternary(.comparison(isHere), element.element, rest)
      }
      return try value(choice, at: place)
    }
  }
}

extension CollectionOperator {
  /// The equivalent function; nil for operators with more than one result.
  var aggregate: ExpressionFunction? {
    switch self {
    case .count: .count
    case .sum: .sum
    case .average: .average
    case .minimum: .min
    case .maximum: .max
    case .unionOfObjects, .distinctUnionOfObjects, .unionOfArrays, .distinctUnionOfArrays, .unionOfSets,
      .distinctUnionOfSets:
      nil
    }
  }
}
