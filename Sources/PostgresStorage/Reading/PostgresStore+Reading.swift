import Layouts
public import Modeling
import Postgres
public import Queries
public import Stores

extension PostgresStore {
  /// The keys that a request selects, in its order; integer keys ascend if it has none.
  public func keys(_ request: FetchRequest) throws -> [Int64] {
    let selection = try SplitRequest(request, self)
    if selection.isPushedDown {
      let columns = RowColumns(request.entity, selection.place, self, properties: [])
      let result = try pool.run(selection.select(columns.columns, ordered: true))
      let source = PostgresRowSource(result: result)
      var keys: [Int64] = []
      keys.reserveCapacity(result.rowCount)
      while try source.step() { keys.append(columns.key(source)) }
      if request.sortDescriptors.isEmpty, columns.interner == nil, !selection.isLimited { keys.sort() }
      return keys
    }
    return try matchingKeys(selection)
  }

  /// The same if rows must be evaluated here.
  private func matchingKeys(_ selection: SplitRequest) throws -> [Int64] {
    let request = selection.request
    if selection.order != nil {
      var keys: [Int64] = []
      // The database orders, so no more rows are read than are wanted. Without sort descriptors keys decide; the database
      // orders those that are no integers.
      let isUnsorted = request.sortDescriptors.isEmpty && interner(of: request.entity) == nil
      let most = isUnsorted ? nil : request.fetchLimit.flatMap { $0 > 0 ? $0 + max(0, request.fetchOffset) : nil }
      try MatchedRows(selection, self).forEach { row, _ in
        keys.append(row.key)
        return most.map { keys.count < $0 } ?? true
      }
      if isUnsorted { keys.sort() }
      return selection.slice(keys)
    }
    let order = try SortOrder(request.sortDescriptors, entity: request.entity)
    var found: [(key: Int64, values: [Value])] = []
    let paths = request.sortDescriptors.flatMap(\.expression.paths)
    @discardableResult func read(_ selection: SplitRequest) throws -> Bool {
      let rows = try MatchedRows(selection, self, paths: paths)
      try rows.forEach { row, subject in
        found.append((row.key, try order.keys(of: subject)))
        return true
      }
      return rows.areDecided
    }
    if let (first, parts) = selection.firstRows {
      // As a rule the server orders every row, and then it reads them once.
      try reading {
        if try read(first) { return }
        found = []
        for part in parts { try read(part) }
      }
    } else {
      try read(selection)
    }
    found.sort { left, right in
      let order = order.compare(left.values, right.values)
      return order < 0 || order == 0 && self.order(of: request.entity, left.key, right.key) < 0
    }
    return selection.slice(found).map(\.key)
  }

  /// The rows of a request as they come.
  public func cursor(_ request: FetchRequest, keysOnly: Bool) throws -> RowCursor {
    let selection = try SplitRequest(request, self)
    if selection.isPushedDown {
      let columns = RowColumns(request.entity, selection.place, self, properties: keysOnly ? [] : nil)
      let rows = try pool.stream(selection.select(columns.columns, ordered: true))
      return PostgresRowCursor(rows, columns, request.entity, self)
    }
    if selection.order != nil, !selection.isLimited {
      let matched = try MatchedRows(selection, self, areWhole: true)
      return KeptRowCursor(request.entity, self) { try matched.next() }
    }
    // Rows that are ordered here are read by their keys afterwards.
    var rest = try matchingKeys(selection)[...]
    return KeptRowCursor(request.entity, self) { [unowned self] in
      while !rest.isEmpty {
        let chunk = Array(rest.prefix(1_000))
        rest = rest.dropFirst(1_000)
        var rows: [Int64: KeptRow] = [:]
        let cursor = try self.rows(of: request.entity, keys: chunk)
        while try cursor.step() { rows[cursor.key] = KeptRow(cursor) }
        let found = chunk.compactMap { rows[$0] }
        if !found.isEmpty { return found }
      }
      return []
    }
  }

  /// The rows with the given keys, in any order. In a transaction they stay as they are until it ends.
  public func rows(of entity: Entity, keys: [Int64]) throws -> RowCursor {
    let compiler = PostgresCompiler(self)
    let place = compiler.place(entity)
    let columns = RowColumns(entity, place, self)
    let family = compiler.family(entity, place.alias)
    let source = try found(place, keys) { condition in
      var sql: PostgresSQL = "SELECT \(columns.columns.joined(", ")) FROM \(place.source.sql) WHERE \(condition)"
      if let family { sql += " AND \(family)" }
      // A save compares these rows with its own; no other write may come between that and its writes.
      if transactions.depth > 0, !entity.isReadOnly, profile.has(.rowLocks) {
        sql += " FOR UPDATE OF \(raw: place.alias)"
      }
      return sql
    }
    return source.map { PostgresRowCursor($0, columns, entity, self) } ?? RowCursor(entity)
  }

  /// The condition that a row has one of some keys; nil for no keys.
  func keyCondition(_ place: PostgresPlace, _ keys: [Int64]) -> PostgresSQL? {
    if keys.isEmpty { return nil }
    let layout = layout(of: place.entity)
    guard let interner = interner(of: place.entity) else {
      return "\(place.column(layout.key.columns[0])) = ANY(\(.ints(keys)))\(placeCondition(place, keys))"
    }
    let columns = layout.key.columns.map {
      SoughtRows.Column(sql: place.column($0), form: tables.form(layout.table, $0))
    }
    return SoughtRows(columns, keys.compactMap(interner.key)).condition
  }

  /// The number of objects, dictionaries or groups that a request selects.
  public func count(_ request: FetchRequest) throws -> Int {
    if request.resultType == .dictionaries, request.isAggregated || request.returnsDistinctResults {
      let cursor = try dictionaries(request, tiesByKey: false)
      var count = 0
      while try cursor.step() { count += 1 }
      return count
    }
    var request = request
    request.sortDescriptors = []
    let selection = try SplitRequest(request, self)
    guard selection.residual == nil else {
      var count = 0
      if let combinations = ValueCombinations(selection) {
        try combinations.forEach {
          count += $0.count
          return true
        }
        return count
      }
      try MatchedRows(selection, self).forEach { _, _ in
        count += 1
        return true
      }
      return selection.sliceCount(of: count)
    }
    let rows = selection.select(["1"], ordered: false)
    let result = try pool.run("SELECT count(*) FROM (\(rows)) AS found")
    return result.rowCount > 0 ? Int(clamping: result.int(0, 0)) : 0
  }

  /// The result of each predicate for every row, by ascending keys.
  public func answers(_ request: FetchRequest, to predicates: [Predicate]) throws -> AnswerCursor {
    var all = FetchRequest(request.entity)
    all.includesSubentities = request.includesSubentities
    let compiled = try predicates.map { try CompiledPredicate($0, entity: request.entity) }
    let rows = try MatchedRows(SplitRequest(all, self), self, paths: predicates.flatMap(\.paths))
    var answers: [(key: Int64, answers: [Bool?])] = []
    try rows.forEach { row, subject in
      answers.append((row.key, try compiled.map { try $0.evaluate(subject) }))
      return true
    }
    answers.sort { $0.key < $1.key }
    return KeptAnswers(answers)
  }

  /// Runs `body`, which only reads, in one snapshot.
  public func reading<Result>(_ body: () throws -> Result) throws -> Result {
    // A snapshot would end a transaction that handwritten SQL began.
    if transactions.depth > 0 || pool.pins > 0 || isInTransactionByHand { return try body() }
    pool.beginSnapshot()
    defer { pool.endSnapshot() }
    return try body()
  }

  /// The value as it was read: no column of this store is sealed.
  public func opened(_ value: Value, of column: ColumnLayout) -> Value { value }
}

extension SplitRequest {
  fileprivate func sliceCount(of count: Int) -> Int {
    let rest = max(0, count - max(0, request.fetchOffset))
    guard let limit = request.fetchLimit, limit > 0 else { return rest }
    return min(rest, limit)
  }
}

private final class KeptAnswers: AnswerCursor {
  private let rows: [(key: Int64, answers: [Bool?])]
  private var position = -1

  init(_ rows: [(key: Int64, answers: [Bool?])]) {
    self.rows = rows
    super.init()
  }

  override func step() -> Bool {
    position += 1
    return position < rows.count
  }

  override var key: Int64 { rows.indices.contains(position) ? rows[position].key : 0 }
  override func answer(_ index: Int) -> Bool? { rows.indices.contains(position) ? rows[position].answers[index] : nil }
}
