import Modeling
import Queries

// Aggregates over a to-many relationship.
extension DerivedCompiler {
  mutating func aggregate(
    _ function: CollectionOperator, _ path: PropertyPath, _ key: PropertyPath?
  ) throws(DerivationError.Obstacle) -> Operand {
    let whole = PropertyPath(path.components + (key?.components ?? []))
    let resolved = try resolve(whole, in: entity)
    guard resolved.hops.count == 1, resolved.isToMany, resolved.elements.isEmpty else {
      throw DerivationError.Obstacle.notOwnToMany(path: whole.text)
    }
    var collection: DerivedCollection
    let from: String
    switch layout.layouts[entity]!.properties[resolved.hops[0].index] {
    case .inverse(let inverse, _):
      let destination = layout.layouts[resolved.end]!
      guard case .reference(let columns, _) = destination.properties[inverse] else {
        throw DerivationError.Obstacle.notKept(path: path.text)
      }
      collection = DerivedCollection(table: destination.table, owner: destination.columns[columns[0]].name)
      from = "\(quoteIdentifier(collection.table)) AS m WHERE m.\(quoteIdentifier(collection.owner)) = "
    case .join(let join):
      let table = layout.tableName(of: resolved.end)
      collection = DerivedCollection(
        table: join.table, owner: join.ownerColumns[0], member: (join.memberColumns[0], table))
      from = """
        \(quoteIdentifier(join.table)) AS p, \(quoteIdentifier(table)) AS m \
        WHERE m.\(ModelLayout.key) = p.\(quoteIdentifier(join.memberColumns[0])) AND p.\(quoteIdentifier(join.ownerColumns[0])) =
        """ + " "
    case .column, .reference, .none: throw DerivationError.Obstacle.notKept(path: path.text)
    }
    var (call, type) = ("count(*)", AttributeType.integer64)
    if let attribute = resolved.attribute {
      let end = try column(attribute, of: resolved.end, whole)
      collection.columns = end.sources
      (call, type) = try self.call(function, "m.\(quoteIdentifier(end.name))", end.type)
    } else if function != .count {
      throw DerivationError.Obstacle.needsAttribute(aggregate: function.rawValue)
    }
    result.collections.append(collection)
    return ("(SELECT \(call) FROM \(from)\(own(ModelLayout.key)))", type)
  }

  private func call(
    _ function: CollectionOperator, _ column: String, _ type: AttributeType
  ) throws(DerivationError.Obstacle) -> (String, AttributeType) {
    guard function == .count || type != .decimal else {
      throw DerivationError.Obstacle.decimals
    }
    switch function {
    case .count: return ("count(\(column))", .integer64)
    case .sum: return ("coalesce(sum(\(column)), 0)", type)
    case .average: return ("avg(\(column))", .double)
    case .minimum: return ("min(\(column))", type)
    case .maximum: return ("max(\(column))", type)
    case .distinctUnionOfObjects, .unionOfObjects, .unionOfArrays, .distinctUnionOfArrays, .unionOfSets,
      .distinctUnionOfSets:
      throw DerivationError.Obstacle.noValue(aggregate: function.rawValue)
    }
  }
}

extension ExpressionFunction {
  /// The equivalent collection operator: `count(reports)` is `reports.@count`.
  var collectionOperator: CollectionOperator? {
    switch self {
    case .count: .count
    case .sum: .sum
    case .average: .average
    case .min: .minimum
    case .max: .maximum
    default: nil
    }
  }
}
