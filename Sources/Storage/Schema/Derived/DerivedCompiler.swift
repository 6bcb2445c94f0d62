import Modeling
import Queries

/// Translates a derivation into SQL of SQLite's own functions, so that sqlite3 and others can write the file.
///
/// What is computed here is what the evaluation in memory gives, but that `lower` and `upper` know ASCII letters only;
/// `canonical` knows all.
struct DerivedCompiler {
  let layout: ModelLayout
  let entity: Entity
  /// The table's name before the row's own columns: for statements with other tables in them.
  let isQualified: Bool
  /// The derivations that led here.
  let visited: Set<String>
  private(set) var result = DerivedExpression()

  private typealias Operand = (sql: String, type: AttributeType?)

  /// Compiles `text`, the derivation of an attribute of `entity`.
  static func compile(
    _ text: String, _ entity: Entity, _ layout: ModelLayout, after visited: Set<String> = []
  ) throws(DerivationRefusal) -> DerivedExpression {
    let place = "\(entity.name): \(text)"
    guard !visited.contains(place) else { throw DerivationRefusal(reason: "it is made from itself") }
    let expression: Queries.Expression
    do { expression = try Queries.Expression.parse(text) } catch {
      throw DerivationRefusal(reason: "it cannot be read: \(error.issues[0].fact)")
    }
    let visited = visited.union([place])
    let plain = try compile(expression, entity, layout, isQualified: false, visited)
    return plain.isGenerated ? plain : try compile(expression, entity, layout, isQualified: true, visited)
  }

  private static func compile(
    _ expression: Queries.Expression, _ entity: Entity, _ layout: ModelLayout, isQualified: Bool, _ visited: Set<String>
  ) throws(DerivationRefusal) -> DerivedExpression {
    var compiler = DerivedCompiler(layout: layout, entity: entity, isQualified: isQualified, visited: visited)
    if case .function(ExpressionFunction.now.rawValue, _, _) = expression {
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
    case .function(ExpressionFunction.count.rawValue, _, _): true
    default: false
    }
  }

  // MARK: Values

  private mutating func value(_ expression: Queries.Expression) throws(DerivationRefusal) -> Operand {
    switch expression {
    case .constant(let value): return try constant(value)
    case .path(let path): return try self.path(path)
    case .collection(let function, .path(let path), let key): return try aggregate(function, path, key)
    case .function(let name, let arguments, _):
      guard let function = ExpressionFunction(named: name) else {
        throw DerivationRefusal(reason: "there is no function \(name)")
      }
      if let aggregate = function.collectionOperator, arguments.count == 1, case .path(let path) = arguments[0] {
        return try self.aggregate(aggregate, path, nil)
      }
      var operands: [Operand] = []
      for argument in arguments { operands.append(try value(argument)) }
      guard let result = try call(function, operands) else { throw builtInOnly(function.rawValue) }
      return result
    case .object, .variable, .variablePath, .aggregate, .collection, .subscripted, .subquery, .ternary, .cast:
      throw DerivationRefusal(reason: "only paths, functions, arithmetic and aggregates are kept by the store")
    }
  }

  private func builtInOnly(_ function: String) -> DerivationRefusal {
    DerivationRefusal(reason: "SQLite alone cannot compute \(function), so other programs could not write the store")
  }

  private func constant(_ value: Value) throws(DerivationRefusal) -> Operand {
    switch value {
    case .null: return ("NULL", nil)
    case .bool(let flag): return (flag ? "1" : "0", .boolean)
    case .int(let number): return ("\(number)", .integer64)
    case .double(let number) where number.isFinite: return ("\(number)", .double)
    case .string(let text): return (quoteText(text), .string)
    case .date(let date): return ("\(date.seconds)", .date)
    default: throw DerivationRefusal(reason: "\(value.kindName) constants are not kept by the store")
    }
  }

  // MARK: Functions

  /// The call in SQL; nil where SQLite has no such function built in.
  private mutating func call(
    _ function: ExpressionFunction, _ operands: [Operand]
  ) throws(DerivationRefusal) -> Operand? {
    guard let first = operands.first else { return nil }
    let last = operands[operands.count - 1]
    switch function {
    case .year, .month, .day, .hour, .minute, .second, .weekday:
      guard first.type == .date else { throw DerivationRefusal(reason: "\(function.rawValue) needs a Date") }
      return datePart(function, first.sql)
    case .lowercase: return ("lower(\(first.sql))", .string)
    case .uppercase: return ("upper(\(first.sql))", .string)
    case .canonical:
      result.hasSubquery = true
      return (CanonicalText.sql(first.sql), .string)
    case .trim: return ("trim(\(first.sql), char(9, 10, 11, 12, 13, 32))", .string)
    case .length: return ("length(\(first.sql))", .integer64)
    case .add where first.type == .string || last.type == .string: return ("(\(first.sql) || \(last.sql))", .string)
    case .add, .subtract, .multiply, .divide, .modulus, .negate, .abs, .round, .floor, .ceiling, .trunc:
      guard !operands.contains(where: { $0.type == .decimal }) else {
        throw DerivationRefusal(reason: "SQLite alone cannot compute with Decimals")
      }
      return arithmetic(function, operands)
    default: return nil
    }
  }

  private func arithmetic(_ function: ExpressionFunction, _ operands: [Operand]) -> Operand {
    let (first, last) = (operands[0], operands[operands.count - 1])
    let isReal = operands.contains { $0.type == .double || $0.type == .float }
    let type = operands.contains { $0.type == .date } ? AttributeType.date : isReal ? .double : .integer64
    switch function {
    case .negate: return ("(-\(first.sql))", type)
    case .abs: return ("abs(\(first.sql))", type)
    case .round: return ("round(\(first.sql))", type)
    case .trunc: return ("CAST(\(first.sql) AS INTEGER)", type)
    case .floor: return ("(CAST(\(first.sql) AS INTEGER) - (\(first.sql) < CAST(\(first.sql) AS INTEGER)))", type)
    case .ceiling: return ("(CAST(\(first.sql) AS INTEGER) + (\(first.sql) > CAST(\(first.sql) AS INTEGER)))", type)
    case .modulus: return ("(\(first.sql) % \(last.sql))", type)
    default: return ("(\(first.sql) \(function.rawValue) \(last.sql))", type)
    }
  }

  /// As requests compute it; `strftime` rounds to milliseconds, so that the last half of one would be the next day's.
  private func datePart(_ function: ExpressionFunction, _ date: String) -> Operand {
    let formats: [ExpressionFunction: String] = [
      .year: "%Y", .month: "%Y-%m", .day: "%Y-%m-%d", .hour: "%H", .minute: "%M", .second: "%S", .weekday: "%w",
    ]
    let floor = "CAST(\(date) AS INTEGER) - (\(date) < CAST(\(date) AS INTEGER))"
    let part = "strftime('\(formats[function] ?? "")', \(floor), 'unixepoch')"
    switch function {
    case .month, .day: return (part, .string)
    case .weekday: return ("(CAST(\(part) AS INTEGER) + 1)", .integer64)
    default: return ("CAST(\(part) AS INTEGER)", .integer64)
    }
  }
}

// MARK: Paths

extension DerivedCompiler {
  private func resolve(_ path: PropertyPath, in entity: Entity) throws(DerivationRefusal) -> ResolvedPath {
    do { return try path.resolve(in: entity) } catch {
      throw DerivationRefusal(reason: "\(path.text) leads nowhere")
    }
  }

  /// The column of a path's last attribute, and the columns it is made from where SQLite generates it.
  private func column(
    _ index: Int, of entity: Entity, _ path: PropertyPath
  ) throws(DerivationRefusal) -> (name: String, sources: [String], type: AttributeType) {
    guard case .column(let position)? = layout.layouts[entity]?.properties[index],
      let attribute = entity.properties[index].attribute
    else { throw DerivationRefusal(reason: "\(path.text) is not kept by the store") }
    let column = layout.layouts[entity]!.columns[position]
    guard let derivation = attribute.derivation else { return (column.name, [column.name], column.type) }
    let expression = try Self.compile(derivation, ModelLayout.Declaration(entity, index).entity, layout, after: visited)
    // A generated column may be made from a kept one, which is like any other; kept ones would have to be computed in
    // the right order.
    guard expression.isGenerated || (path.components.count == 1 && !isQualified) else {
      throw DerivationRefusal(reason: "\(path.text) is itself derived through relationships")
    }
    return (column.name, expression.isGenerated ? expression.ownColumns.sorted() : [column.name], column.type)
  }

  private mutating func path(_ path: PropertyPath) throws(DerivationRefusal) -> Operand {
    let resolved = try resolve(path, in: entity)
    guard let attribute = resolved.attribute else {
      throw DerivationRefusal(reason: "\(path.text) is no attribute")
    }
    if !resolved.elements.isEmpty, resolved.finalElement == nil {
      throw DerivationRefusal(reason: "\(path.text) is no declared element")
    }
    func value(_ column: String, _ type: AttributeType) -> Operand {
      guard let element = resolved.finalElement else { return (column, type) }
      return ("json_extract(\(column), \(jsonPath(resolved.elements)))", element.type)
    }
    guard !resolved.isToMany else {
      throw DerivationRefusal(reason: "\(path.text) has many values: use an aggregate such as @count or @max")
    }
    let end = try column(attribute, of: resolved.end, path)
    guard !resolved.relationships.isEmpty else {
      result.ownColumns.formUnion(end.sources)
      return value(own(end.name), end.type)
    }
    let hops = try hops(resolved, path)
    result.ownColumns.insert(hops[0].column)
    result.chains.append(DerivedChain(hops: hops, columns: end.sources))
    let tables = hops.indices.map { "\(quoteIdentifier(hops[$0].table)) AS t\($0 + 1)" }
    let joins = hops.indices.dropFirst().map {
      "t\($0).\(quoteIdentifier(hops[$0].column)) = t\($0 + 1).\(ModelLayout.key)"
    }
    let conditions = ["t1.\(ModelLayout.key) = \(own(hops[0].column))"] + joins
    let sql = """
      (SELECT t\(hops.count).\(quoteIdentifier(end.name)) FROM \(tables.joined(separator: ", ")) \
      WHERE \(conditions.joined(separator: " AND ")))
      """
    return value(sql, end.type)
  }

  private func hops(_ path: ResolvedPath, _ text: PropertyPath) throws(DerivationRefusal) -> [DerivedChain.Hop] {
    var current = entity
    var hops: [DerivedChain.Hop] = []
    for index in path.relationships {
      guard case .reference(let columns, _)? = layout.layouts[current]?.properties[index] else {
        throw DerivationRefusal(reason: "\(text.text) is not kept by the store")
      }
      let destination = current.destination(at: index)
      hops.append(
        DerivedChain.Hop(
          column: layout.layouts[current]!.columns[columns[0]].name, table: layout.tableName(of: destination)))
      current = destination
    }
    return hops
  }

  private func own(_ column: String) -> String {
    isQualified
      ? "\(quoteIdentifier(layout.tableName(of: entity))).\(quoteIdentifier(column))" : quoteIdentifier(column)
  }

  // MARK: Aggregates

  private mutating func aggregate(
    _ function: CollectionOperator, _ path: PropertyPath, _ key: PropertyPath?
  ) throws(DerivationRefusal) -> Operand {
    let whole = PropertyPath(path.components + (key?.components ?? []))
    let resolved = try resolve(whole, in: entity)
    guard resolved.relationships.count == 1, resolved.isToMany, resolved.elements.isEmpty else {
      throw DerivationRefusal(
        reason: "\(whole.text): aggregates are over one to-many relationship of the object itself")
    }
    var collection: DerivedCollection
    let from: String
    switch layout.layouts[entity]!.properties[resolved.relationships[0]] {
    case .inverse(let inverse, _):
      let destination = layout.layouts[resolved.end]!
      guard case .reference(let columns, _) = destination.properties[inverse] else {
        throw DerivationRefusal(reason: "\(path.text) is not kept by the store")
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
    case .column, .reference, .none: throw DerivationRefusal(reason: "\(path.text) is not kept by the store")
    }
    var (call, type) = ("count(*)", AttributeType.integer64)
    if let attribute = resolved.attribute {
      let end = try column(attribute, of: resolved.end, whole)
      collection.columns = end.sources
      (call, type) = try self.call(function, "m.\(quoteIdentifier(end.name))", end.type)
    } else if function != .count {
      throw DerivationRefusal(reason: "\(function.rawValue) needs an attribute")
    }
    result.collections.append(collection)
    return ("(SELECT \(call) FROM \(from)\(own(ModelLayout.key)))", type)
  }

  private func call(
    _ function: CollectionOperator, _ column: String, _ type: AttributeType
  ) throws(DerivationRefusal) -> (String, AttributeType) {
    guard function == .count || type != .decimal else {
      throw DerivationRefusal(reason: "SQLite alone cannot compute with Decimals")
    }
    switch function {
    case .count: return ("count(\(column))", .integer64)
    case .sum: return ("coalesce(sum(\(column)), 0)", type)
    case .average: return ("avg(\(column))", .double)
    case .minimum: return ("min(\(column))", type)
    case .maximum: return ("max(\(column))", type)
    case .distinctUnionOfObjects, .unionOfObjects: throw DerivationRefusal(reason: "\(function.rawValue) is no value")
    }
  }
}

extension ExpressionFunction {
  /// The operator that does the same over a collection: `count(reports)` is `reports.@count`.
  fileprivate var collectionOperator: CollectionOperator? {
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
