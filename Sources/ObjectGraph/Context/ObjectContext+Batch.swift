public import Modeling
public import Queries
internal import Stores

// Batch requests write at once, outside the context's pending changes.
extension ObjectContext {
  /// Updates attributes and to-ones of all objects that a request selects.
  ///
  /// - Throws: GraphError.pendingChanges when one of the rows has unsaved changes here, .invalid for values that break
  ///   the model's rules.
  public func batchUpdate(
    _ request: FetchRequest, _ changes: [(property: Int, value: Value)], resultType: BatchResultType = .count
  ) throws -> BatchResult {
    let values = try checked(changes, for: request)
    return try batch(request, resultType) { try store.batchUpdate(request, values) }
  }

  /// The values of a batch request as the store takes them.
  ///
  /// - Throws: GraphError.pendingChanges and .invalid.
  func checked(
    _ changes: [(property: Int, value: Value)], for request: FetchRequest
  ) throws -> [(property: Int, value: Value)] {
    try checkNoPendingChanges(request)
    let entity = request.entity
    let values = try changes.map { change in
      let value = try BatchValues.coerce(change.value, at: change.property, of: entity, in: store)
      return (property: change.property, value: value)
    }
    let violations = BatchValues.missing(in: values, entity) + BatchValues.violations(of: values, entity)
    if !violations.isEmpty {
      let id = ObjectID(entity: entity, key: ObjectID.temporaryLimit)
      throw GraphError(
        .invalid(violations.map { ObjectViolation(object: id, label: entity.name, violation: $0) }))
    }
    return values
  }

  /// Deletes all objects that a request selects. The store applies the delete rules.
  ///
  /// - Throws: GraphError.pendingChanges when one of the rows has unsaved changes here.
  public func batchDelete(_ request: FetchRequest, resultType: BatchResultType = .count) throws -> BatchResult {
    try checkNoPendingChanges(request)
    let result = try batch(request, resultType) { try store.batchDelete(request) }
    forgetDeletedRows()
    return result
  }

  /// Inserts rows, given as property values, in one transaction and constant memory.
  ///
  /// `upsert` has the indices of properties that are unique together: a row whose values of these exist already changes the
  /// given other values of that object. `expected` is the likely number of rows, if it is known: indexes may then be built
  /// after them. `restart` makes `rows` begin anew, so that a transaction that the store could not serialize with others is
  /// done again whole; nil for rows that come only once.
  ///
  /// - Throws: GraphError with the number of the wrong row; the errors of `rows`.
  public func batchInsert(
    _ entity: Entity, upsert: [Int] = [], expecting expected: Int = 0, resultType: BatchResultType = .count,
    restart: (() -> Void)? = nil, _ rows: () throws -> [(property: Int, value: Value)]?
  ) throws -> BatchResult {
    var insert = try BatchInsert(self, entity, upsert: upsert, resultType)
    func run() throws {
      while let row = try rows() { try insert.write(row) }
    }
    func runWhole() throws {
      if upsert.isEmpty, expected > 0 {
        try store.bulkInsert(into: entity, expecting: expected, run)
      } else {
        try store.transaction(run)
      }
    }
    do {
      try attributed {
        guard let restart else { return try runWhole() }
        var isFirst = true
        try store.retrying {
          if !isFirst {
            restart()
            insert = try BatchInsert(self, entity, upsert: upsert, resultType)
          }
          isFirst = false
          try runWhole()
        }
      }
    } catch let error as StoreError {
      throw insert.numbered(error)
    }
    refreshAllObjects()
    return insert.result
  }

  /// Marks clean objects whose rows no longer exist as deleted. Call it after rows were deleted past the context.
  public func forgetDeletedRows() {
    refreshAllObjects()
    for table in allTables { table.markMissingGone() }
  }

  /// Runs a batch request, reading the IDs first if the result needs them.
  private func batch(
    _ request: FetchRequest, _ resultType: BatchResultType, _ body: () throws -> Int
  ) throws -> BatchResult {
    var result = BatchResult()
    try attributed {
      try store.retrying {
        try store.transaction {
          if resultType == .objectIDs {
            result.objectIDs = try store.keys(request).map { ObjectID(entity: request.entity, key: $0) }
          }
          result.count = try body()
        }
      }
    }
    refreshAllObjects()
    return result
  }

  func checkNoPendingChanges(_ request: FetchRequest) throws {
    try parent?.checkNoPendingChanges(request)
    let table = table(for: request.entity)
    guard !table.changes.isEmpty else { return }
    var stored = request
    stored.includesPendingChanges = false
    let keys = Set(try store.keys(stored))
    let clashes = table.changes.keys.count { keys.contains(table.key($0)) }
    if clashes > 0 { throw GraphError(.pendingChanges(entity: request.entity.name, count: clashes)) }
  }
}

extension ObjectTable {
  /// Marks referenced clean objects that no longer have a row as deleted.
  fileprivate func markMissingGone() {
    let isReferenced = context.isReferenced?(self) ?? { _ in true }
    let candidates = (0..<Int32(count)).filter {
      isUsed($0) && !isGone($0) && !isDirty($0) && !objectID($0).isTemporary && isReferenced($0)
        && !hasUnsavedMembers($0)
    }
    guard !candidates.isEmpty else { return }
    do {
      var present: Set<Int64> = []
      let cursor = try context.store.rows(of: root, keys: candidates.map { key($0) })
      defer { cursor.close() }
      while try cursor.step() { present.insert(cursor.key) }
      for slot in candidates where !present.contains(key(slot)) { markGone(slot) }
    } catch {
      // If the lookup fails, the error is reported when the objects are accessed.
    }
  }
}
