import Modeling
import Queries
import SQLite

/// The clauses of the SELECTs that read where rows of a request belong.
struct PlacementClauses {
  var place: SQLPlace
  var key: [SQLFragment]
  var conditions: [SQLCondition]
  /// The ORDER BY terms of the rows, the key last.
  var order: [SQLFragment]
  /// The sort values, and the section's value unless it is one of them.
  var values: [ValueShape] = []
  var valueColumns: [SQLFragment] = []
  var components: [PlacementComponent] = []
  /// The section's value, as an index of `values`.
  var section: Int?

  /// A SELECT of keys and values.
  var statement: SelectStatement {
    var statement = SelectStatement()
    statement.columns = key + valueColumns
    statement.from = place.source.sql
    statement.conditions = conditions
    return statement
  }

  /// The condition that rows do not come before a value of the first component; nil if that excludes none.
  func condition(from start: PlacementStart) -> SQLCondition? {
    guard let first = components.first, first.kind == .number else { return nil }
    let column = valueColumns[0]
    switch (start, first.isAscending) {
    case (.beginning, _), (.null, true): return nil
    case (.null, false): return SQLCondition("\(column) IS NULL")
    case (.number(let number), true): return SQLCondition("\(column) >= \(value: .double(number))")
    case (.number(let number), false):
      return SQLCondition("(\(column) <= \(value: .double(number)) OR \(column) IS NULL)")
    }
  }

  /// A SELECT of keys and values that scans a single table.
  var scanning: SelectStatement {
    var statement = statement
    statement.from = place.source.tables.map { "\($0) NOT INDEXED" as SQLFragment }.joined(separator: " ")
    return statement
  }

  /// The SELECT for rows with given keys. If the key is the row id, it forbids indexes, so that SQLite looks the rows up by
  /// key and not by the predicate.
  func statement(where keys: SQLCondition, isRowID: Bool) -> SelectStatement {
    var statement = statement
    var tables = place.source.tables
    if isRowID { tables[0].append(" NOT INDEXED") }
    statement.from = tables.joined(separator: " ")
    statement.conditions.append(keys)
    return statement
  }
}

extension RequestSQL {
  /// The clauses for the rows of the request, without its limit and offset.
  func placements() throws -> PlacementClauses {
    var whole = request
    whole.fetchLimit = nil
    whole.fetchOffset = 0
    let (statement, place, compiler) = try RequestSQL(whole, schema).base()
    let operands = try whole.sortDescriptors.map { try compiler.value($0.expression, at: place) }
    var clauses = PlacementClauses(
      place: place, key: keyColumns(place), conditions: statement.conditions, order: statement.order)
    if clauses.order.isEmpty { clauses.order = clauses.key }
    clauses.values = operands.map { ValueShape("", $0, schema) }
    clauses.valueColumns = operands.map(\.sql)
    clauses.components = zip(whole.sortDescriptors, operands).map { PlacementComponent($0, $1) }
    if let section = whole.sectionIdentifier {
      clauses.section = whole.sortDescriptors.firstIndex { $0.expression == section }
      if clauses.section == nil {
        let operand = try compiler.value(section, at: place)
        clauses.section = clauses.values.count
        clauses.values.append(ValueShape("", operand, schema))
        clauses.valueColumns.append(operand.sql)
      }
    }
    return clauses
  }
}

extension PlacementComponent {
  init(_ descriptor: SortDescriptor, _ operand: SQLOperand) {
    let hasComparator = operand.kind == .text || operand.kind == .any
    let kind: Kind =
      switch operand.kind {
      case .number, .boolean, .date: operand.isExact ? .number : .any
      case .text, .uuid, .json: operand.isExact ? .text : .any
      case .decimal: .decimal
      case .null, .data, .any: .any
      }
    self.init(
      isAscending: descriptor.isAscending, comparator: hasComparator ? descriptor.comparator : .binary, kind: kind)
  }
}
