import Modeling
import Queries

/// Reads where rows belong in a request's results: whether they are among the results, and their sort and section
/// values.
///
///     let reader = try PlacementReader(store, request)
///     try reader.readAll(restart: { places = [] }) { row in places.append((row.key, row.double(0))) }
///     try reader.read(keys: [12, 15]) { row in ... }       // those of the two that the predicate selects
///
/// The reader applies the request's predicate and entity, not its limit and offset. Rows with equal values are ordered
/// by their keys.
final class PlacementReader: PlacementReading {
  /// The request; its sort descriptors begin with the one of the sections.
  let request: FetchRequest
  /// The sort values, one for each column of `PlacementRow`. Key columns come last if the key has several.
  let components: [PlacementComponent]
  /// The index of the section's value; nil without sections.
  let sectionColumn: Int?
  /// Whether the results depend on the time, and so change without a write.
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
    // The key's columns follow the sort values; a section value that is not among them follows the key's columns.
    let isOwnSection = clauses.section == clauses.components.count
    sectionColumn = isOwnSection ? components.count : clauses.section
    let first = clauses.key.count
    let sorted = clauses.components.indices.map { ($0 + first, clauses.values[$0]) }
    let tied = keys.indices.map { ($0, ValueShape("", .any)) }
    let section = isOwnSection ? clauses.section.map { [($0 + first, clauses.values[$0])] } ?? [] : []
    shape = StatementPlacementRow.Shape(sorted + tied + section, keyCount: first, interner, sectionColumn)
  }

  /// Reads all rows, in no order: through an index if it finds few rows, otherwise by one scan of the table.
  ///
  /// The reader decides while it reads. If it switches to the scan, it calls `restart`, and every row comes again.
  func readAll(restart: () -> Void, _ body: (PlacementRow) throws -> Void) throws {
    try refresh()
    let most = try mostLookUps()
    if try run(clauses.statement, most: most, body) { return }
    restart()
    try run(clauses.scanning, body)
  }

  /// Reads the first rows in order, optionally only those that do not come before `start`.
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

  /// Reads the rows with the given keys that are among the results, in no order.
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
  /// Makes the clauses again if they contain the value of `now()`.
  private func refresh() throws {
    guard isTimeDependent else { return }
    clauses = try RequestSQL(request, store.schema).placements()
    lookUp = Self.lookUp(clauses, store, isRowID: interner == nil)
  }

  private static func lookUp(_ clauses: PlacementClauses, _ store: SQLiteStore, isRowID: Bool) -> ListStatement {
    ListStatement(store.connection, clauses.key) { clauses.statement(where: $0, isRowID: isRowID).sql }
  }

  /// Returns whether the statement had no more than `most` rows.
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
