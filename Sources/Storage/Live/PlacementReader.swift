import Modeling
package import Queries

/// Reads where rows of a request belong: whether they are among its results, and the values that they are ordered and
/// sectioned by.
///
///     let reader = try PlacementReader(store, request)
///     try reader.readAll(restart: { places = [] }) { row in places.append((row.key, row.double(0))) }
///     try reader.read(keys: [12, 15]) { row in ... }       // those of the two that the predicate selects
///
/// The request's predicate and entity hold, its limit and offset do not. Rows that the values do not tell apart are in
/// the order of their keys.
final class PlacementReader: PlacementReading {
  /// The request, its sort descriptors in the order of its sections.
  let request: FetchRequest
  /// What rows are ordered by: column for column of `PlacementRow`. Where keys are of several columns, these come last.
  let components: [PlacementComponent]
  /// The column with the section's value; nil without sections.
  let sectionColumn: Int?
  /// Whether the time decides which rows are selected, so that they change without a write.
  let isTimeDependent: Bool

  let store: SQLiteStore
  private(set) var clauses: PlacementClauses
  private let shape: StatementPlacementRow.Shape
  private let interner: KeyInterner?
  private var lookUp: ListStatement

  /// Prepares to read for `request`, whose result type is objects or object IDs.
  ///
  /// - Throws: PredicateError where it does not fit the model.
  init(_ store: SQLiteStore, _ request: FetchRequest) throws {
    let ordered = request.inSectionOrder
    self.store = store
    self.request = ordered
    let clauses = try RequestSQL(ordered, store.schema).placements()
    self.clauses = clauses
    let interner = store.interner(of: request.entity)
    self.interner = interner
    isTimeDependent = ordered.isTimeDependent
    lookUp = Self.lookUp(clauses, store, isRowID: interner == nil)
    let keys = interner == nil ? [] : clauses.key
    components =
      clauses.components
      + keys.map { _ in PlacementComponent(isAscending: true, comparator: .binary, kind: .any) }
    // The key's columns follow the sort values; a section that is none of them follows the key's.
    let isOwnSection = clauses.section == clauses.components.count
    sectionColumn = isOwnSection ? components.count : clauses.section
    let first = clauses.key.count
    let sorted = clauses.components.indices.map { ($0 + first, clauses.values[$0]) }
    let tied = keys.indices.map { ($0, ValueShape("", .any)) }
    let section = isOwnSection ? clauses.section.map { [($0 + first, clauses.values[$0])] } ?? [] : []
    shape = StatementPlacementRow.Shape(sorted + tied + section, keyCount: first, interner, sectionColumn)
  }

  /// Reads all rows, in no order: by an index where it leads to few, else by one scan of the table.
  ///
  /// Which it is shows while they are read: after `restart` every row comes again.
  func readAll(restart: () -> Void, _ body: (PlacementRow) throws -> Void) throws {
    try refresh()
    let most = try mostLookUps()
    if try run(clauses.statement, most: most, body) { return }
    restart()
    try run(clauses.scanning, body)
  }

  /// Reads the first rows of the order, or of what of it is not before `start`.
  func readHead(
    from start: PlacementStart, limit: Int, offset: Int, _ body: (PlacementRow) throws -> Void
  ) throws {
    try refresh()
    var statement = clauses.statement
    if let condition = clauses.condition(from: start) { statement.conditions.append(condition) }
    statement.order = clauses.order
    statement.limit = max(limit, 0)
    statement.offset = max(offset, 0)
    try run(statement, body)
  }

  /// Reads those of some rows that are among the results, in no order.
  func read(keys: [Int64], _ body: (PlacementRow) throws -> Void) throws {
    try refresh()
    let row = StatementPlacementRow(shape)
    try lookUp.run(keys: keys, interner) { statement in
      row.move(to: statement.handle)
      try body(row)
      return true
    }
  }
}

// MARK: Parts

extension PlacementReader {
  /// What `now()` stands for is part of the statement.
  private func refresh() throws {
    guard isTimeDependent else { return }
    clauses = try RequestSQL(request, store.schema).placements()
    lookUp = Self.lookUp(clauses, store, isRowID: interner == nil)
  }

  private static func lookUp(_ clauses: PlacementClauses, _ store: SQLiteStore, isRowID: Bool) -> ListStatement {
    ListStatement(store.connection, clauses.key) { clauses.statement(where: $0, isRowID: isRowID).sql }
  }

  /// Answers whether there were no more rows than `most`.
  @discardableResult private func run(
    _ select: SelectStatement, most: Int = .max, _ body: (PlacementRow) throws -> Void
  ) throws -> Bool {
    let statement = try store.bound(select.sql)
    defer { store.connection.checkIn(statement) }
    let row = StatementPlacementRow(shape)
    row.move(to: statement.handle)
    var left = most
    while try statement.step() {
      if left == 0 { return false }
      left -= 1
      try body(row)
    }
    return true
  }
}

extension FetchRequest {
  /// Whether `now()` is part of what decides which objects are fetched, in which order.
  fileprivate var isTimeDependent: Bool {
    let expressions = sortDescriptors.map(\.expression) + (sectionIdentifier.map { [$0] } ?? [])
    return predicate?.callsNow == true || expressions.contains(where: \.callsNow)
  }
}

extension Predicate {
  package var callsNow: Bool {
    switch self {
    case .constant: false
    case .and(let terms), .or(let terms): terms.contains(where: \.callsNow)
    case .not(let inner): inner.callsNow
    case .comparison(let comparison): comparison.left.callsNow || comparison.right.callsNow
    case .expression(let expression): expression.callsNow
    }
  }
}

extension Queries.Expression {
  package var callsNow: Bool {
    if case .function(.now, _, _) = self { return true }
    return children.contains(where: \.callsNow) || condition?.callsNow == true
  }
}
