import Modeling
import Queries
import Stores

extension MemoryStore {
  func keys(_ request: FetchRequest) throws -> [Int64] {
    let request = request.inlined
    let predicate = try request.predicate.map { try CompiledPredicate($0, entity: request.entity) }
    let order = try SortOrder(request.sortDescriptors, entity: request.entity)
    var found: [(key: Int64, values: [Value])] = []
    for key in state.keys(of: request.entity, includesSubentities: request.includesSubentities) {
      guard let subject = MemorySubject(self, request.entity, key) else { continue }
      if let predicate, try predicate.evaluate(subject) != true { continue }
      found.append((key, try order.keys(of: subject)))
    }
    found.sort { left, right in
      let order = order.compare(left.values, right.values)
      return order < 0 || order == 0 && left.key < right.key
    }
    let rest = found.dropFirst(max(0, request.fetchOffset)).map(\.key)
    guard let limit = request.fetchLimit, limit > 0 else { return Array(rest) }
    return Array(rest.prefix(limit))
  }

  func cursor(_ request: FetchRequest, keysOnly: Bool) throws -> RowCursor {
    MemoryCursor(self, request.entity, try keys(request))
  }

  func rows(of entity: Entity, keys: [Int64]) -> RowCursor {
    MemoryCursor(self, entity, keys.filter { state.row(entity, $0)?.entity.isKind(of: entity) == true })
  }

  func count(_ request: FetchRequest) throws -> Int { try keys(request).count }

  func dictionaries(_ request: FetchRequest, tiesByKey: Bool) throws -> ValueCursor {
    if !request.propertiesToGroupBy.isEmpty || request.returnsDistinctResults || request.havingPredicate != nil {
      throw StoreError(.constraint("a store in memory makes no groups"))
    }
    var columns = request.propertiesToFetch
    if columns.isEmpty {
      columns = request.entity.attributes.filter { !$0.isTransient }.map {
        FetchedColumn($0.name, .path(PropertyPath([$0.name])))
      }
    }
    let values = try columns.map { try CompiledExpression($0.expression, entity: request.entity) }
    let rows = try keys(request).map { key -> [Value] in
      guard let subject = MemorySubject(self, request.entity, key) else { return [] }
      return try values.map { try $0.value(of: subject) }
    }
    return ValueCursor(rows: rows, columns: columns.map(\.name))
  }

  func aggregate(_ request: FetchRequest, _ expressions: [Expression]) throws -> [Value] {
    let subjects = try keys(request).compactMap { MemorySubject(self, request.entity, $0) }
    return try expressions.map { expression in
      guard case .function(let name, let arguments, _) = expression, let argument = arguments.first else {
        throw StoreError(.constraint("no aggregate"))
      }
      let value = try CompiledExpression(argument, entity: request.entity)
      let values = try subjects.map { try value.value(of: $0) }.filter { !$0.isNull }
      switch name {
      case .count: return .int(Int64(values.count))
      case .min: return values.min { ($0.compare($1) ?? 0) < 0 } ?? .null
      case .max: return values.max { ($0.compare($1) ?? 0) < 0 } ?? .null
      default: throw StoreError(.constraint("a store in memory has no \(name)"))
      }
    }
  }

  func answers(_ request: FetchRequest, to predicates: [Predicate]) throws -> AnswerCursor {
    let compiled = try predicates.map { try CompiledPredicate($0, entity: request.entity) }
    let keys = state.keys(of: request.entity, includesSubentities: request.includesSubentities)
    return MemoryAnswers(
      try keys.compactMap { MemorySubject(self, request.entity, $0) }.map { subject in
        (subject.key, try compiled.map { try $0.evaluate(subject) })
      })
  }

  func key(of entity: Entity, where indices: [Int], equal values: [Value]) -> Int64? {
    state.keys(of: entity, includesSubentities: true).first { key in
      guard let subject = MemorySubject(self, entity, key) else { return false }
      return zip(indices, values).allSatisfy { index, value in
        if case .object(let id) = value { return subject.reference(at: index)?.key == id.key }
        return subject.attribute(at: index).compare(value) == 0
      }
    }
  }

  func key(of entity: Entity, fromKeyValues values: [Value]) -> Int64? {
    guard values.count == 1 else { return nil }
    if case .int(let key) = values[0] { return key }
    return nil
  }

  func keyValues(of entity: Entity, key: Int64) -> [Value] { [.int(key)] }
  func opened(_ value: Value, of column: ColumnLayout) -> Value { value }
}

/// The rows of some keys, each packed when the cursor stands on it.
private final class MemoryCursor: RowCursor {
  private let store: MemoryStore
  private let stamp: StoreStamp
  private var keys: ArraySlice<Int64>
  private var current: (key: Int64, entity: Entity, row: PackedRow)?

  init(_ store: MemoryStore, _ entity: Entity, _ keys: [Int64]) {
    self.store = store
    self.keys = keys[...]
    stamp = store.stamp
    super.init(entity)
  }

  deinit { current?.row.free() }

  override func step() -> Bool {
    current?.row.free()
    current = nil
    while let key = keys.popFirst() {
      guard let row = store.state.row(fetchedEntity, key) else { continue }
      current = (key, row.entity, PackedRow.pack(row.values))
      return true
    }
    return false
  }

  override func close() {
    keys = []
    current?.row.free()
    current = nil
  }

  override var isCurrent: Bool { store.stamp == stamp }
  override var key: Int64 { current?.key ?? 0 }
  override var entity: Entity { current?.entity ?? fetchedEntity }
  override func storageClass(_ column: Int) -> StorageClass { current?.row.storageClass(column) ?? .null }
  override func integer(_ column: Int) -> Int64 { current?.row.integer(column) ?? 0 }
  override func real(_ column: Int) -> Double { current?.row.real(column) ?? 0 }
  override func bytes(_ column: Int) -> UnsafeRawBufferPointer {
    current?.row.bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }
  override func pack() -> PackedRow { current?.row.copy() ?? super.pack() }
}

private final class MemoryAnswers: AnswerCursor {
  private var rows: ArraySlice<(key: Int64, answers: [Bool?])>
  private var current: (key: Int64, answers: [Bool?]) = (0, [])

  init(_ rows: [(key: Int64, answers: [Bool?])]) {
    self.rows = rows[...]
    super.init()
  }

  override func step() -> Bool {
    guard let next = rows.popFirst() else { return false }
    current = next
    return true
  }

  override var key: Int64 { current.key }
  override func answer(_ index: Int) -> Bool? { current.answers[index] }
}
