internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Storage

/// What a live request needs to find places for rows: statements for what is stored, evaluators for what is not saved.
struct ResultsPlan {
  let request: FetchRequest
  let reader: PlacementReader
  let dependencies: Dependencies
  let isSectioned: Bool
  /// The table of the request's entity, in lower case.
  let table: String
  private let encoder: SortKeyEncoder
  private let predicate: CompiledPredicate?
  private let order: SortOrder
  private let section: CompiledExpression?
  private let store: SQLiteStore
  /// Whether the order is that of one number, read without making a value.
  private let isLoneNumber: Bool
  private let isAscending: Bool

  /// Checks the request and prepares it.
  ///
  /// - Throws: PredicateError for names that the model does not have, and for sections that the order would tear apart.
  init(_ request: FetchRequest, _ store: SQLiteStore) throws {
    let request = request.inSectionOrder.inlined
    self.request = request
    self.store = store
    reader = try PlacementReader(store, request)
    dependencies = try Dependencies(request, store: store)
    isSectioned = request.sectionIdentifier != nil
    table = store.layout(of: request.entity).table.lowercased()
    encoder = SortKeyEncoder(reader.components.map(SortKeyEncoder.Component.init))
    let computed = request.computingDerivedValues
    predicate = try computed.predicate.map { try CompiledPredicate($0, entity: request.entity) }
    order = try SortOrder(computed.sortDescriptors, entity: request.entity)
    section = try computed.sectionIdentifier.map { try CompiledExpression($0, entity: request.entity) }
    isLoneNumber = reader.components.count == 1 && reader.components[0].kind == .number
    isAscending = reader.components.first?.isAscending ?? true
  }

  /// Whether other objects than those of its entity decide.
  var looksAlongRelationships: Bool { dependencies.tables.count > 1 }

  /// Where a stored row belongs.
  func arranged(_ key: Int64, _ row: PlacementRow) -> ArrangedRow {
    ArrangedRow(key: key, sortKey: sortKey(row), section: row.section.map { SectionIdentity.of($0) })
  }

  /// Where an object belongs by its values in memory; nil where it does not match.
  func arranged(_ object: ManagedObject) throws -> ArrangedRow? {
    if let predicate, try predicate.evaluate(object) != true { return nil }
    var values = try order.keys(of: object)
    if values.count < encoder.components.count {
      values += store.keyValues(of: request.entity, key: object.objectID.key)
    }
    return ArrangedRow(
      key: object.objectID.key, sortKey: encoder.encode(values),
      section: try section.map { SectionIdentity.of(try $0.value(of: object)) })
  }

  private func sortKey(_ row: PlacementRow) -> SortKey {
    if isLoneNumber, row.storageClass(0) == .real, case let number = row.double(0), !number.isNaN {
      let bits = orderedBits(number)
      return SortKey(prefix: isAscending ? bits : ~bits)
    }
    return encoder.encode(reader.components.indices.map(row.value))
  }
}

extension SortKeyEncoder.Component {
  /// How the store orders a component of a request.
  init(_ component: PlacementComponent) {
    self.init(
      isAscending: component.isAscending, kind: component.kind == .decimal ? .decimal : .init(component.comparator))
  }
}
