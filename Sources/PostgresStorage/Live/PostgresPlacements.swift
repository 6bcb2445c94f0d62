import Layouts
import Modeling
import Queries
import Stores

/// Reads the places of rows in a request's results. The database selects as far as it can; sort values are evaluated here.
final class PostgresPlacements: PlacementReading {
  let components: [PlacementComponent]
  let isTimeDependent: Bool
  private unowned let store: PostgresStore
  private let request: FetchRequest
  private let order: SortOrder
  private let section: CompiledExpression?
  private let paths: [PropertyPath]

  init(_ store: PostgresStore, _ request: FetchRequest) throws {
    var request = request.inSectionOrder.inlined
    (request.fetchLimit, request.fetchOffset) = (nil, 0)
    self.store = store
    self.request = request
    if let predicate = request.predicate { _ = try CompiledPredicate(predicate, entity: request.entity) }
    order = try SortOrder(request.sortDescriptors, entity: request.entity)
    section = try request.sectionIdentifier.map { try CompiledExpression($0, entity: request.entity) }
    let expressions = request.sortDescriptors.map(\.expression) + (request.sectionIdentifier.map { [$0] } ?? [])
    paths = expressions.flatMap(\.paths)
    isTimeDependent = request.isTimeDependent
    let keys = store.interner(of: request.entity) == nil ? [] : store.layout(of: request.entity).key.columns
    components =
      request.sortDescriptors.map { Self.component($0, request.entity) }
      + keys.map { _ in PlacementComponent(isAscending: true, comparator: .binary, kind: .any) }
  }

  private static func component(_ descriptor: SortDescriptor, _ entity: Entity) -> PlacementComponent {
    var type: AttributeType?
    if case .path(let path) = descriptor.expression { type = (try? path.resolve(in: entity))?.finalAttribute?.type }
    let kind: PlacementComponent.Kind =
      switch type {
      case .integer16, .integer32, .integer64, .double, .float, .boolean, .date: .number
      case .decimal: .decimal
      case .string: .text
      default: .any
      }
    return PlacementComponent(
      isAscending: descriptor.isAscending, comparator: type == .string ? descriptor.comparator : .binary, kind: kind)
  }

  func readAll(restart: () -> Void, _ body: (PlacementRow) throws -> Void) throws {
    var request = request
    request.sortDescriptors = []
    try read(try SplitRequest(request, store), body)
  }

  func readHead(
    from start: PlacementStart, limit: Int, offset: Int, _ body: (PlacementRow) throws -> Void
  ) throws {
    if limit <= 0 { return }
    var request = request
    if let condition = condition(from: start) {
      request.predicate = request.predicate.map { .and([$0, condition]) } ?? condition
    }
    (request.fetchLimit, request.fetchOffset) = (limit == .max ? nil : limit, max(0, offset))
    let selection = try SplitRequest(request, store)
    if selection.isPushedDown { return try read(selection, body) }
    let keys = try store.keys(request)
    let places = Dictionary(keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var rows: [(place: Int, row: KeptPlacementRow)] = []
    try read(keys: keys) { row in
      if let kept = row as? KeptPlacementRow { rows.append((places[row.key] ?? 0, kept)) }
    }
    for row in rows.sorted(by: { $0.place < $1.place }) { try body(row.row) }
  }

  func read(keys: [Int64], _ body: (PlacementRow) throws -> Void) throws {
    var request = request
    request.sortDescriptors = []
    for start in stride(from: 0, to: keys.count, by: 2_000) {
      let chunk = Array(keys[start..<min(start + 2_000, keys.count)])
      try read(try SplitRequest(request, store, keys: chunk), body)
    }
  }

  private func read(_ selection: SplitRequest, _ body: (PlacementRow) throws -> Void) throws {
    let hasOwnKeys = components.count > request.sortDescriptors.count
    try MatchedRows(selection, store, paths: paths).forEach { row, subject in
      var values = try order.keys(of: subject)
      if hasOwnKeys { values += store.keyValues(of: row.entity, key: row.key) }
      try body(KeptPlacementRow(row.key, values, try section.map { try $0.value(of: subject) }))
      return true
    }
  }

  /// The condition that a row is not before `start` in the order.
  private func condition(from start: PlacementStart) -> Predicate? {
    guard let first = request.sortDescriptors.first else { return nil }
    func comparison(_ comparator: Comparator, _ value: Value) -> Predicate {
      .comparison(Comparison(first.expression, comparator, .constant(value)))
    }
    switch start {
    case .beginning: return nil
    case .null: return first.isAscending ? nil : comparison(.equal, .null)
    case .number(let number):
      let value = bound(number, first.expression)
      if first.isAscending { return comparison(.greaterOrEqual, value) }
      return .or([comparison(.lessOrEqual, value), comparison(.equal, .null)])
    }
  }

  /// The number as a sort value.
  private func bound(_ number: Double, _ expression: Queries.Expression) -> Value {
    guard case .path(let path) = expression,
      let type = (try? path.resolve(in: request.entity))?.finalAttribute?.type
    else { return .double(number) }
    switch type {
    case .date: return .date(Timestamp(number))
    case .boolean: return .bool(number != 0)
    default: return .double(number)
    }
  }
}

/// The values of a row by which it is placed.
private final class KeptPlacementRow: PlacementRow {
  private let ownKey: Int64
  private let values: [Value]
  private let ownSection: Value?

  init(_ key: Int64, _ values: [Value], _ section: Value?) {
    (ownKey, self.values, ownSection) = (key, values, section)
    super.init()
  }

  override var key: Int64 { ownKey }
  override var section: Value? { ownSection }
  override func value(_ column: Int) -> Value { values.indices.contains(column) ? values[column] : .null }

  override func storageClass(_ column: Int) -> StorageClass {
    switch value(column) {
    case .null: .null
    case .bool, .int, .object: .integer
    case .double, .date: .real
    case .data: .blob
    default: .text
    }
  }

  override func double(_ column: Int) -> Double {
    switch value(column) {
    case .int(let number): Double(number)
    case .double(let number): number
    case .date(let date): date.seconds
    case .bool(let flag): flag ? 1 : 0
    case .object(let id): Double(id.key)
    default: 0
    }
  }
}
