import Modeling
import Queries

/// Translates a derivation into SQL with SQLite's own functions, so that sqlite3 and other programs can write the file.
///
/// The results equal those of the evaluation in memory, except that `lower` and `upper` change only ASCII letters;
/// `canonical` changes all letters.
struct DerivedCompiler {
  let layout: ModelLayout
  let entity: Entity
  /// Whether the table's name precedes the row's own columns, for statements with several tables.
  let isQualified: Bool
  /// The derivations that are being compiled, to detect cycles.
  let visited: Set<String>
  var result = DerivedExpression()

  typealias Operand = (sql: String, type: AttributeType?)

  /// Compiles `text`, the derivation of an attribute of `entity`.
  static func compile(
    _ text: String, _ entity: Entity, _ layout: ModelLayout, after visited: Set<String> = []
  ) throws(DerivationError.Obstacle) -> DerivedExpression {
    let place = "\(entity.name): \(text)"
    guard !visited.contains(place) else { throw DerivationError.Obstacle.itself }
    let expression: Queries.Expression
    do { expression = try Queries.Expression.parse(text) } catch {
      throw DerivationError.Obstacle.text(error)
    }
    let visited = visited.union([place])
    let plain = try compile(expression, entity, layout, isQualified: false, visited)
    return plain.isGenerated ? plain : try compile(expression, entity, layout, isQualified: true, visited)
  }

  private static func compile(
    _ expression: Queries.Expression, _ entity: Entity, _ layout: ModelLayout, isQualified: Bool, _ visited: Set<String>
  ) throws(DerivationError.Obstacle) -> DerivedExpression {
    var compiler = DerivedCompiler(layout: layout, entity: entity, isQualified: isQualified, visited: visited)
    if case .function(.now, _, _) = expression {
      compiler.result.isNow = true
      return compiler.result
    }
    compiler.result.sql = try compiler.value(expression).sql
    if compiler.result.chains.isEmpty, compiler.result.ownColumns.isEmpty, compiler.result.collections.count == 1 {
      compiler.result.collections[0].isCount = isCount(expression)
    }
    return compiler.result
  }

  private init(layout: ModelLayout, entity: Entity, isQualified: Bool, visited: Set<String>) {
    self.layout = layout
    self.entity = entity
    self.isQualified = isQualified
    self.visited = visited
  }

  private static func isCount(_ expression: Queries.Expression) -> Bool {
    switch expression {
    case .collection(.count, _, nil): true
    case .function(.count, _, _): true
    default: false
    }
  }

  // MARK: Values

  private mutating func value(_ expression: Queries.Expression) throws(DerivationError.Obstacle) -> Operand {
    switch expression {
    case .constant(let value), .argument(let value, _): return try constant(value)
    case .path(let path): return try self.path(path)
    case .collection(let function, .path(let path), let key): return try aggregate(function, path, key)
    case .function(let function, let arguments, _):
      if let aggregate = function.collectionOperator, arguments.count == 1, case .path(let path) = arguments[0] {
        return try self.aggregate(aggregate, path, nil)
      }
      var operands: [Operand] = []
      for argument in arguments { operands.append(try value(argument)) }
      guard let result = try call(function, operands) else {
        throw DerivationError.Obstacle.function(function.rawValue)
      }
      return result
    case .object, .variable, .variablePath, .aggregate, .collection, .subscripted, .subquery, .ternary, .cast:
      throw DerivationError.Obstacle.expression
    }
  }

  private func constant(_ value: Value) throws(DerivationError.Obstacle) -> Operand {
    switch value {
    case .null: return ("NULL", nil)
    case .bool(let flag): return (flag ? "1" : "0", .boolean)
    case .int(let number): return ("\(number)", .integer64)
    case .double(let number) where number.isFinite: return ("\(number)", .double)
    case .string(let text): return (quoteText(text), .string)
    case .date(let date): return ("\(date.seconds)", .date)
    default: throw DerivationError.Obstacle.constant(kind: value.kindName)
    }
  }
}
