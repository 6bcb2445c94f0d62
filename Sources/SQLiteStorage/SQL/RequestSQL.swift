import Modeling
import Queries
import SQLite

/// The SQL of a fetch request.
///
///     var request = FetchRequest(quake)
///     request.predicate = ...                                  // magnitude >= 5
///     RequestSQL(request, schema).keys.text                    // SELECT t0._pk FROM quake AS t0 WHERE t0.magnitude >= ?
///
/// Rows that are equal by the sort descriptors are in the order of their keys, and groups in the order of their group keys.
struct RequestSQL {
  let request: FetchRequest
  /// The greatest key to read. Rows with greater keys were written later and are left out.
  var lastKey: Int64?
  /// Whether dictionaries that are equal by the sort descriptors are ordered by their keys, too.
  var ordersDictionariesByKey = false
  let schema: SQLSchema
  /// The collations by which groups are told apart, by key.
  private let collations: [Queries.Expression: String]

  init(_ request: FetchRequest, _ schema: SQLSchema) {
    let inlined = request.inlined
    collations = inlined.keyCollations(schema.layout)
    self.request = inlined.choosingTexts(of: Set(collations.keys))
    self.schema = schema
  }

  // MARK: Rows

  /// A SELECT of keys, with the discriminator if the entity has subentities, and with the rows' columns unless
  /// `keysOnly`.
  func rows(keysOnly: Bool) throws -> (sql: SQLFragment, shape: RowShape) {
    let (statement, shape, _) = try rowStatement(keysOnly: keysOnly)
    return (statement.sql, shape)
  }

  /// That SELECT, and the place of its first table.
  func rowStatement(keysOnly: Bool) throws -> (statement: SelectStatement, shape: RowShape, place: SQLPlace) {
    let shape = RowShape(request.entity, schema, keysOnly: keysOnly, includesSubentities: request.includesSubentities)
    var (statement, place, _) = try base()
    // This order costs nothing. Without it, SQLite would read an index that holds all selected columns, in the index's
    // order.
    if statement.order.isEmpty, request.predicate == nil { statement.order = keyColumns(place) }
    statement.columns = shape.columns.map(place.row)
    statement.from = place.source.sql
    return (statement, shape, place)
  }

  /// A SELECT of only the key columns, which an index may hold. It is unordered if the request asks for no order.
  func keys() throws -> SQLFragment {
    var (statement, place, _) = try base()
    statement.columns = keyColumns(place)
    statement.from = place.source.sql
    return statement.sql
  }

  /// A SELECT of the number of rows or dictionaries.
  func count() throws -> SQLFragment {
    if request.resultType == .dictionaries, isGrouped || request.returnsDistinctResults {
      return try dictionaryStatement().statement.counting
    }
    return try rowCount().statement.counting
  }

  /// A SELECT of 1 for each row, to be counted, and the place of its first table.
  func rowCount() throws -> (statement: SelectStatement, place: SQLPlace) {
    var (statement, place, _) = try base()
    statement.columns = ["1"]
    statement.order = []
    statement.from = place.source.sql
    return (statement, place)
  }

  /// Whether each row that matches counts by itself.
  var countsRows: Bool {
    !isLimited && !(request.resultType == .dictionaries && (isGrouped || request.returnsDistinctResults))
  }

  // MARK: Changes

  /// The names of the key's columns.
  var keyNames: [String] { schema.layout(request.entity).key.columns }

  /// An alias, `clause` and the request's condition, as in `AS t0 SET x = 1 WHERE t0.y > 2`; nil if the condition needs
  /// other tables, or if the request has an order, a limit or an offset.
  func directChange(_ clause: SQLFragment) throws -> SQLFragment? {
    guard !isLimited else { return nil }
    var plain = request
    plain.sortDescriptors = []
    let (statement, place, _) = try RequestSQL(plain, schema).base()
    guard place.source.tables.count == 1 else { return nil }
    var sql: SQLFragment = " AS \(raw: place.alias)\(clause)"
    if !statement.conditions.isEmpty { sql.append(" WHERE \(SQLCondition.all(statement.conditions).sql)") }
    return sql
  }

  // MARK: Values

  /// A SELECT of dictionaries, and the shapes of its columns.
  func dictionaries() throws -> (sql: SQLFragment, columns: [ValueShape]) {
    let (statement, columns, _) = try dictionaryStatement()
    return (statement.sql, columns)
  }

  /// A SELECT of aggregates over the rows that the request selects.
  func aggregates(_ expressions: [Queries.Expression]) throws -> (sql: SQLFragment, columns: [ValueShape]) {
    var plain = request
    var limited: SQLFragment?
    if isLimited {
      limited = try RequestSQL(request, schema).keys()
      plain.predicate = nil
      plain.fetchLimit = nil
      plain.fetchOffset = 0
    }
    plain.sortDescriptors = []
    var (statement, place, compiler) = try RequestSQL(plain, schema).base()
    if let limited {
      let key = keyColumns(place)
      let tuple: SQLFragment = key.count == 1 ? key[0] : "(\(key.joined(separator: ", ")))"
      statement.conditions = [SQLCondition("\(tuple) IN (\(limited))")]
    }
    compiler.isAggregating = true
    let operands = try expressions.map { try compiler.value($0, at: place) }
    statement.columns = operands.map(\.sql)
    statement.from = place.source.sql
    return (statement.sql, operands.map { ValueShape("", $0, schema) })
  }

  /// A SELECT of aggregates over the rows that the request selects, in two steps; nil if it needs the rows themselves.
  func partialAggregates(_ expressions: [Queries.Expression]) throws -> PartialStatement? {
    guard !isLimited else { return nil }
    var plain = request
    plain.sortDescriptors = []
    var (statement, place, compiler) = try RequestSQL(plain, schema).base()
    let partials = PartialColumns()
    (compiler.isAggregating, compiler.partials) = (true, partials)
    let operands = try expressions.map { try compiler.value($0, at: place) }
    statement.columns = operands.map(\.sql)
    return PartialStatement(statement, partials, place, operands.map { ValueShape("", $0, schema) })
  }

  /// A SELECT of groups or distinct dictionaries in two steps; nil if it needs the rows themselves.
  func partialDictionaries() throws -> PartialStatement? {
    guard isGrouped || request.returnsDistinctResults else { return nil }
    let partials = PartialColumns()
    let (statement, shapes, place) = try dictionaryStatement(in: partials)
    return PartialStatement(statement, partials, place, shapes)
  }

  private func dictionaryStatement(
    in partials: PartialColumns? = nil
  ) throws -> (statement: SelectStatement, columns: [ValueShape], place: SQLPlace) {
    let fetched = fetchedColumns
    var (statement, place, compiler) = try base(columns: fetched, in: partials)
    let operands = try fetched.map { try compiler.value($0.expression, at: place) }
    // An entity may have nothing to fetch; its rows still count.
    statement.columns = operands.isEmpty ? ["1"] : operands.map(\.sql)
    statement.groups = try request.propertiesToGroupBy.map { try group($0, compiler.value($0, at: place)) }
    if let predicate = request.resolvedHavingPredicate {
      partials?.allowsKeys = false
      defer { partials?.allowsKeys = true }
      statement.having = try compiler.condition(predicate, at: place)
    }
    statement.isDistinct = request.returnsDistinctResults
    // Groups that are equal by the sort descriptors are in the order of their group keys.
    let ties = isGrouped ? statement.groups : request.returnsDistinctResults ? operands.map(Self.collated) : []
    let known = Set(statement.order)
    statement.order += ties.filter { !known.contains($0) && !known.contains("\($0) DESC") }
    statement.from = place.source.sql
    return (statement, zip(fetched, operands).map { ValueShape($0.name, $1, schema) }, place)
  }

  /// What groups are told apart by.
  private func group(_ key: Queries.Expression, _ operand: SQLOperand) -> SQLFragment {
    let group = Self.collated(operand)
    return collations[key].map { "\(group) COLLATE \(name: $0)" } ?? group
  }

  /// Has what follows compiled for the second step: from columns of parts instead of rows.
  private func begin(
    _ partials: PartialColumns, _ columns: [FetchedColumn], _ compiler: SQLCompiler, _ place: SQLPlace
  ) throws {
    let keys = isGrouped ? request.propertiesToGroupBy : columns.map(\.expression)
    let operands = try keys.map { try compiler.value($0, at: place) }
    if isGrouped { partials.groups = zip(keys, operands).map(group) }
    for (key, operand) in zip(keys, operands) { partials.addKey(key, operand) }
    compiler.partials = partials
  }

  /// The columns of the dictionaries: the properties to fetch, or else the attributes that have columns.
  private var fetchedColumns: [FetchedColumn] {
    if !request.propertiesToFetch.isEmpty { return request.propertiesToFetch }
    let layout = schema.layout(request.entity)
    return zip(request.entity.properties, layout.properties).compactMap { property, kept in
      guard property.attribute != nil, kept != .none else { return nil }
      return FetchedColumn(property.name, .path(PropertyPath([property.name])))
    }
  }

  /// Whether rows are aggregated: by groups, or all into one row.
  private var isGrouped: Bool { request.isAggregated || request.havingPredicate != nil }

  private var isLimited: Bool { (request.fetchLimit ?? 0) > 0 || request.fetchOffset > 0 }

  // MARK: Clauses

  /// All clauses but the columns. Columns may still add joins to FROM.
  func base(
    columns: [FetchedColumn]? = nil, in partials: PartialColumns? = nil
  ) throws -> (statement: SelectStatement, place: SQLPlace, compiler: SQLCompiler) {
    let compiler = SQLCompiler(schema)
    var (statement, place) = compiler.rows(of: request)
    if let lastKey { statement.conditions.append(SQLCondition("\(keyColumns(place)[0]) <= \(value: .int(lastKey))")) }
    if let predicate = request.predicate {
      let condition = try compiler.condition(predicate, at: place)
      if condition.sql != SQLCondition.yes.sql { statement.conditions.append(condition) }
    }
    compiler.isAggregating = columns != nil && isGrouped
    if let partials { try begin(partials, columns ?? [], compiler, place) }
    statement.order = try request.sortDescriptors.map { try Self.term(named($0, columns), compiler, place) }
    // The first rows are those with the lowest keys, not the first ones of some index: live results know no other order.
    let areRows = columns == nil || isLimited && !isGrouped && !request.returnsDistinctResults
    if ordersDictionariesByKey || areRows && (!statement.order.isEmpty || isLimited) {
      let known = Set(statement.order)
      statement.order += keyColumns(place).filter { !known.contains($0) && !known.contains("\($0) DESC") }
    }
    statement.limit = request.fetchLimit.flatMap { $0 > 0 ? $0 : nil }
    statement.offset = request.fetchOffset
    return (statement, place, compiler)
  }

  /// The sort descriptor, with the name of a fetched column replaced by its expression. Groups and distinct
  /// dictionaries are sorted by their columns; others only by names that the entity does not have itself.
  private func named(_ descriptor: SortDescriptor, _ columns: [FetchedColumn]?) -> SortDescriptor {
    guard let columns, case .path(let path) = descriptor.expression, let name = path.onlyName,
      let column = columns.first(where: { $0.name == name }),
      isGrouped || request.returnsDistinctResults || request.entity.index(of: name) == nil
    else { return descriptor }
    var named = descriptor
    named.expression = column.expression
    return named
  }

  func keyColumns(_ place: SQLPlace) -> [SQLFragment] {
    schema.layout(place.entity).key.columns.map(place.column)
  }

  private static func term(
    _ descriptor: SortDescriptor, _ compiler: SQLCompiler, _ place: SQLPlace
  ) throws -> SQLFragment {
    let operand = try compiler.value(descriptor.expression, at: place)
    var term = collated(operand)
    if operand.kind == .text || operand.kind == .any, let collation = descriptor.comparator.collation {
      term = "\(operand.sql) COLLATE \(raw: collation)"
    }
    return descriptor.isAscending ? term : "\(term) DESC"
  }

  /// An operand with the collation that orders its kind.
  private static func collated(_ operand: SQLOperand) -> SQLFragment {
    operand.kind == .decimal ? "\(operand.sql) COLLATE decimal" : operand.sql
  }
}

extension SortDescriptor.StringComparator {
  /// The collation of this kind of values; nil for SQLite's default.
  fileprivate var collation: String? {
    switch self {
    case .binary: nil
    case .caseInsensitive: "case_insensitive"
    case .localized: "localized"
    case .standard: "localized_standard"
    }
  }
}
