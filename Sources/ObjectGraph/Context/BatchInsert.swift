internal import Modeling
internal import Stores

/// Writes rows given as values of properties: new ones, or with `upsert` into the rows that have its values already.
struct BatchInsert {
  private let context: ObjectContext
  private let shape: EntityShape
  private let upsert: [Int]
  private let resultType: BatchResultType
  private var row = 0
  private(set) var result = BatchResult()
  /// The numbers of rows that the store may still refuse.
  private var recent = RecentRows<Int>()

  private var entity: Entity { shape.entity }

  init(_ context: ObjectContext, _ entity: Entity, upsert: [Int], _ resultType: BatchResultType) throws {
    if entity.isAbstract { throw GraphError(.abstractEntity(entity.name)) }
    guard let shape = context.table(for: entity).shapes.first(where: { $0.entity === entity }) else {
      throw GraphError(.otherModel(entity: entity.name))
    }
    self.context = context
    self.shape = shape
    self.upsert = upsert
    self.resultType = resultType
  }

  /// Checks a row and writes it.
  ///
  /// - Throws: GraphError with the number of the row.
  mutating func write(_ values: [(property: Int, value: Value)]) throws {
    row += 1
    do {
      let values = try values.map { (property: $0.property, value: try coerced($0.value, at: $0.property)) }
      let key = try existingKey(values)
      if let key { try update(key, values) }
      let written = try key ?? insert(values)
      recent.note(written, row)
      result.count += 1
      if resultType == .objectIDs { result.objectIDs.append(ObjectID(entity: entity, key: written)) }
    } catch let error as StoreError where error.isInterruption {
      throw error
    } catch let error as GraphError where error.isOfRow {
      throw error
    } catch {
      throw GraphError(.inRow((error as? StoreError).flatMap(recent.place) ?? row, error))
    }
  }

  /// A refusal of a row that was written together with others, with the row's number.
  func numbered(_ error: StoreError) -> any Error {
    recent.place(of: error).map { GraphError(.inRow($0, error)) } ?? error
  }

  private func coerced(_ value: Value, at index: Int) throws -> Value {
    try BatchValues.coerce(value, at: index, of: entity, in: context.store)
  }

  /// The key of the row that already has the values of `upsert`; nil values match no row.
  private func existingKey(_ values: [(property: Int, value: Value)]) throws -> Int64? {
    guard !upsert.isEmpty else { return nil }
    let wanted = try upsert.map { index -> Value in
      guard let value = values.first(where: { $0.property == index })?.value else {
        throw GraphError(.keyNeeded(entity: entity.name, expected: upsert.map { entity.properties[$0].name }))
      }
      return value
    }
    if wanted.contains(where: \.isNull) { return nil }
    guard let key = try context.store.key(of: entity, where: upsert, equal: wanted) else { return nil }
    for context in sequence(first: context, next: \.parent) {
      let table = context.table(for: entity)
      if let slot = table.slot(of: key), table.isDirty(slot) {
        throw GraphError(.pendingChanges(entity: entity.name, count: 1))
      }
    }
    return key
  }

  private func update(_ key: Int64, _ values: [(property: Int, value: Value)]) throws {
    try check(BatchValues.missing(in: values, entity) + BatchValues.violations(of: values, entity))
    let changes = try values.flatMap { index, value -> [(column: Int, value: Value)] in
      upsert.contains(index) ? [] : try columns(index, value)
    }
    _ = try context.store.update(entity, key: key, changes)
  }

  private func insert(_ given: [(property: Int, value: Value)]) throws -> Int64 {
    var values = shape.defaults.row(count: shape.columnCount)
    for (index, value) in given { for (column, value) in try columns(index, value) { values[column] = value } }
    try check(missing(in: values) + BatchValues.violations(of: given, entity))
    return try context.store.insert(entity, values)
  }

  /// Returns what the property's columns store for a value.
  private func columns(_ index: Int, _ value: Value) throws -> [(column: Int, value: Value)] {
    switch shape.layout.properties[index] {
    case .column(let column): return [(column, value)]
    case .reference(let columns, let target):
      guard case .object(let id) = value else { return columns.map { ($0, .null) } }
      if case .key = target { return [(columns[0], .int(id.key))] }
      return Array(zip(columns, try context.store.referenceValues(to: id.key, of: index, in: entity)))
    case .inverse, .join, .none: return []
    }
  }

  /// Returns the mandatory properties that were given no value.
  private func missing(in values: [Value]) -> [Violation] {
    entity.properties.enumerated().compactMap { index, property in
      let column: Int
      switch (property, shape.layout.properties[index]) {
      case (.attribute(let attribute), .column(let place)):
        guard !attribute.isOptional, attribute.isWritable, place != shape.keyColumn else { return nil }
        guard !shape.layout.columns[place].hasStoreDefault else { return nil }
        column = place
      case (.relationship(let relationship), .reference(let places, _)):
        guard !relationship.isOptional else { return nil }
        column = places[0]
      default: return nil
      }
      guard values[column].isNull else { return nil }
      return Violation(entity: entity.name, property: property.name, kind: .missingMandatory, value: .null)
    }
  }

  private func check(_ violations: [Violation]) throws {
    guard !violations.isEmpty else { return }
    let id = ObjectID(entity: entity, key: ObjectID.temporaryLimit)
    let label = "\(entity.name) in row \(row)"
    throw GraphError(.invalid(violations.map { ObjectViolation(object: id, label: label, violation: $0) }))
  }
}

extension StoreError {
  fileprivate var isInterruption: Bool { if case .interrupted = fact { true } else { false } }
}

extension GraphError {
  /// Whether the error already names its row.
  fileprivate var isOfRow: Bool {
    switch fact {
    case .invalid, .inRow: true
    default: false
    }
  }
}
