internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

/// The prepared statements and evaluators that place the rows of a live request: statements for stored rows, evaluators
/// for unsaved objects.
final class ResultsPlan {
  let request: FetchRequest
  let reader: any PlacementReading
  let dependencies: Dependencies
  let isSectioned: Bool
  /// The table of the request's entity, in lower case.
  let table: String
  private let encoder: SortKeyEncoder
  private let predicate: CompiledPredicate?
  private let order: SortOrder
  private let section: CompiledExpression?
  private let store: any ObjectStore
  /// Whether the keys alone decide the order.
  private let isInKeyOrder: Bool
  /// Whether the order is that of a single number, which is read without making a value.
  private let isLoneNumber: Bool
  private let isAscending: Bool
  /// Whether a row's own plain values alone decide, so that a shared row can be evaluated in memory.
  let isDecidedByRow: Bool
  /// Whether the shown values of a row depend on other rows, too: values of dictionaries.
  let showsRelatedValues: Bool

  /// Checks and prepares the request; `values` is the dictionary request that shows its objects.
  ///
  /// - Throws: PredicateError for names that the model does not have, and for sections that the order would split.
  init(_ request: FetchRequest, showing values: FetchRequest? = nil, _ store: any ObjectStore) throws {
    let request = request.inSectionOrder.inlined
    self.request = request
    self.store = store
    reader = try store.placements(of: request)
    dependencies = try Dependencies(values?.inlined ?? request, store: store)
    showsRelatedValues = values != nil && dependencies.followsRelationships
    isSectioned = request.sectionIdentifier != nil
    table = store.layout(of: request.entity).table.lowercased()
    encoder = SortKeyEncoder(reader.components.map(SortKeyEncoder.Component.init))
    let computed = request.computingDerivedValues
    predicate = try computed.predicate.map { try CompiledPredicate($0, entity: request.entity) }
    order = try SortOrder(computed.sortDescriptors, entity: request.entity)
    section = try computed.sectionIdentifier.map { try CompiledExpression($0, entity: request.entity) }
    isInKeyOrder = reader.components.isEmpty && !isSectioned
    isLoneNumber = reader.components.count == 1 && reader.components[0].kind == .number
    isAscending = reader.components.first?.isAscending ?? true
    isDecidedByRow =
      computed == request && !reader.isTimeDependent && dependencies.computedTable == nil
      && Self.isDecidedByRow(request.entity, dependencies, store)
  }

  private static func isDecidedByRow(_ entity: Entity, _ dependencies: Dependencies, _ store: any ObjectStore) -> Bool {
    let layout = store.layout(of: entity)
    guard store.traits.keepsDeclaredValues, entity.family.count == 1, entity.parent == nil,
      !dependencies.followsRelationships,
      layout.key.integerName != nil, let decisive = dependencies.ownColumns
    else { return false }
    let plain = layout.columns.filter(StoredRow.isPlain).map { $0.name.lowercased() }
    return decisive.isSubset(of: plain)
  }

  /// The position from which to read the rows that do not come before a sort key.
  func start(at sortKey: SortKey) -> PlacementStart {
    guard let first = reader.components.first, first.kind == .number else { return .beginning }
    let bits = first.isAscending ? sortKey.prefix : ~sortKey.prefix
    if bits >> 48 == 0 { return .null }
    let number = double(ofOrderedBits: bits)
    return number.isNaN ? .beginning : .number(number)
  }

  /// Whether other objects affect the results, possibly of the same entity.
  var looksAlongRelationships: Bool { dependencies.followsRelationships }

  /// The position of a stored row.
  func arranged(_ key: Int64, _ row: PlacementRow) -> ArrangedRow {
    ArrangedRow(key: key, sortKey: sortKey(row), section: row.section.map { SectionIdentity.of($0) })
  }

  /// Adds a stored row to the rows of a new arrangement; returns how many bytes its sort key has beyond its prefix.
  @discardableResult func arrange(_ key: Int64, _ row: PlacementRow, in rows: ArrangedRows) -> Int {
    if isInKeyOrder {
      rows.append(key: key, lonePrefix: 0)
      return 0
    }
    if isLoneNumber, !isSectioned, let prefix = lonePrefix(row) {
      rows.append(key: key, lonePrefix: prefix)
      return 0
    }
    let arranged = arranged(key, row)
    rows.append(arranged)
    return arranged.sortKey.tail.count
  }

  /// The position of an object by its values in memory; nil if the predicate is not true for it.
  func arranged(_ object: ManagedObject) throws -> ArrangedRow? {
    guard var values = try values(of: object) else { return nil }
    if values.count < encoder.components.count {
      let id = object.objectID
      // Among rows with equal values, an object without a row comes last: after texts and numbers.
      let last = [Value](repeating: .data([0xFF]), count: encoder.components.count - values.count)
      values += id.isTemporary ? last : store.keyValues(of: request.entity, key: id.key)
    }
    return ArrangedRow(
      key: object.objectID.key, sortKey: encoder.encode(values),
      section: try section.map { SectionIdentity.of(try $0.value(of: object)) })
  }

  /// The sort values of a row or an object, evaluated in memory; nil if it does not match.
  func values(of subject: some PredicateSubject) throws -> [Value]? {
    if let predicate, try predicate.evaluate(subject) != true { return nil }
    return try order.keys(of: subject)
  }

  /// Ranges of values in which the rows of the results are.
  var ranges: [ValueRange] { predicate?.ranges ?? [] }

  /// Whether rows that were read already are in the results or were in their arrangement.
  func concern(_ touched: SharedRows.Rows, _ arrangement: Arrangement) throws -> Bool {
    for (index, key) in touched.keys.enumerated() {
      if arrangement.holds(key) { return true }
      guard let row = touched.rows[index] else { continue }
      guard let predicate else { return true }
      if try predicate.evaluate(row) == true { return true }
    }
    return false
  }

  /// The places of rows that were read already, as far as they are in the results or were in their arrangement.
  func placements(of touched: SharedRows.Rows, in arrangement: Arrangement) throws -> [RowPlacement] {
    var placements: [RowPlacement] = []
    for (index, key) in touched.keys.enumerated() {
      if let row = touched.rows[index], let arranged = try arranged(row) {
        placements.append(.placed(arranged))
      } else if arrangement.holds(key) {
        placements.append(.leaving(key))
      }
    }
    return placements
  }

  private func arranged(_ row: StoredRow) throws -> ArrangedRow? {
    guard let values = try values(of: row) else { return nil }
    return ArrangedRow(
      key: row.key, sortKey: encoder.encode(values),
      section: try section.map { SectionIdentity.of(try $0.value(of: row)) })
  }

  private func sortKey(_ row: PlacementRow) -> SortKey {
    if isLoneNumber, let prefix = lonePrefix(row) { return SortKey(prefix: prefix) }
    return encoder.encode(reader.components.indices.map(row.value))
  }
}

extension ResultsPlan {
  /// The sort key of a row ordered by one number; nil if its value is not a real number.
  private func lonePrefix(_ row: PlacementRow) -> UInt64? {
    guard row.storageClass(0) == .real, case let number = row.double(0), !number.isNaN else { return nil }
    let bits = orderedBits(number)
    return isAscending ? bits : ~bits
  }
}

extension SortKeyEncoder.Component {
  /// Converts the store's description of a sort component.
  init(_ component: PlacementComponent) {
    self.init(
      isAscending: component.isAscending, kind: component.kind == .decimal ? .decimal : .init(component.comparator))
  }
}
