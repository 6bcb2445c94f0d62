import Modeling
import Queries
import Stores

/// Reads the rows of requests of dictionaries.
struct DictionaryRows {
  private unowned let store: PostgresStore

  init(_ store: PostgresStore) { self.store = store }

  /// The rows of a request; with `tiesByKey`, rows that its order does not tell apart are in the order of their keys.
  func rows(_ request: FetchRequest, tiesByKey: Bool) throws -> ValueCursor {
    var request = request.inlined
    if request.isAggregated || request.havingPredicate != nil {
      return try GroupedDictionaries(request, store).cursor()
    }
    // Distinct dictionaries are sorted by their columns, others only by names that the entity does not have itself.
    for (index, descriptor) in request.sortDescriptors.enumerated() {
      guard case .path(let path) = descriptor.expression, let name = path.onlyName,
        request.returnsDistinctResults || request.entity.index(of: name) == nil,
        let column = request.propertiesToFetch.first(where: { $0.name == name })
      else { continue }
      request.sortDescriptors[index].expression = column.expression
    }
    var columns = request.propertiesToFetch
    if columns.isEmpty {
      columns = request.entity.attributes.filter { !$0.isTransient }.map {
        FetchedColumn($0.name, .path(PropertyPath([$0.name])))
      }
    }
    let values = try columns.map { try CompiledExpression($0.expression, entity: request.entity) }
    let paths = columns.flatMap(\.expression.paths)
    if request.returnsDistinctResults, let rows = try distinctCombinations(request, columns, tiesByKey: tiesByKey) {
      return ValueCursor(rows: rows, columns: columns.map(\.name))
    }
    guard !request.returnsDistinctResults, let rows = try orderedRows(request, paths) else {
      return ValueCursor(rows: try distinctRows(request, values, paths), columns: columns.map(\.name))
    }
    var chunk: ArraySlice<KeptRow> = []
    return ValueCursor(columns: columns.map(\.name)) {
      if chunk.isEmpty { chunk = try rows.next()[...] }
      guard let row = chunk.popFirst() else { return nil }
      return try values.map { try $0.value(of: RowSubject(kept: row, reader: rows.reader)) }
    }
  }

  /// The rows of a request as they come, where limit, offset and order are the database's.
  private func orderedRows(_ request: FetchRequest, _ paths: [PropertyPath]) throws -> MatchedRows? {
    let selection = try SplitRequest(request, store)
    guard selection.order != nil, selection.isPushedDown || !selection.isLimited else { return nil }
    return try MatchedRows(selection, store, paths: paths)
  }

  /// Distinct rows as the server tells them apart, each at the place of its first, or by its values where keys are no numbers;
  /// nil where the server cannot, or where something else than the columns decides the order.
  private func distinctCombinations(
    _ request: FetchRequest, _ columns: [FetchedColumn], tiesByKey: Bool
  ) throws -> [[Value]]? {
    var all = request
    (all.fetchLimit, all.fetchOffset, all.sortDescriptors) = (nil, 0, [])
    let expressions = columns.map(\.expression)
    let order = request.sortDescriptors.map { descriptor in expressions.firstIndex(of: descriptor.expression) }
    guard !order.contains(nil), var combinations = ValueCombinations(try SplitRequest(all, store)),
      expressions.allSatisfy({ combinations.separate(by: $0) })
    else { return nil }
    let isByKey = combinations.addFirstKey()
    guard isByKey || !tiesByKey else { return nil }
    let values = try expressions.map { try CompiledExpression($0, entity: request.entity) }
    let isNew = combinations.differ(in: expressions)
    var found: [(first: Value, row: [Value])] = []
    var places: [[ValueKey]: Int] = [:]
    try combinations.forEach { combination in
      var key = Value.null
      if case .value(let first, _)? = combination.parts.first { key = first }
      let row = try values.map { try $0.value(of: combination.subject) }
      if !isNew {
        let place = places[row.map(ValueKey.init), default: found.count]
        places[row.map(ValueKey.init)] = place
        if place < found.count {
          if key.order(found[place].first) < 0 { found[place] = (key, row) }
          return true
        }
      }
      found.append((key, row))
      return true
    }
    let sorted = found.sorted { left, right in
      for (place, descriptor) in zip(order, request.sortDescriptors) {
        let comparison = place.map { descriptor.compare(left.row[$0], right.row[$0]) } ?? 0
        if comparison != 0 { return comparison < 0 }
      }
      if isByKey { return left.first.order(right.first) < 0 }
      for (one, other) in zip(left.row, right.row) where one.order(other) != 0 { return one.order(other) < 0 }
      return false
    }
    return try SplitRequest(request, store).slice(sorted.map(\.row))
  }

  /// Rows that are counted off or compared here.
  private func distinctRows(
    _ request: FetchRequest, _ values: [CompiledExpression], _ paths: [PropertyPath]
  ) throws -> [[Value]] {
    var all = request
    (all.fetchLimit, all.fetchOffset) = (nil, 0)
    var found: [[Value]] = []
    var seen: Set<[ValueKey]> = []
    let wanted = (request.fetchLimit ?? 0) > 0 ? (request.fetchLimit ?? 0) + max(0, request.fetchOffset) : Int.max
    func add(_ row: KeptRow, _ reader: SubjectReader) throws {
      let dictionary = try values.map { try $0.value(of: RowSubject(kept: row, reader: reader)) }
      if request.returnsDistinctResults, !seen.insert(dictionary.map(ValueKey.init)).inserted { return }
      found.append(dictionary)
    }
    if let rows = try orderedRows(all, paths) {
      while found.count < wanted {
        let chunk = try rows.next()
        if chunk.isEmpty { break }
        for row in chunk { try add(row, rows.reader) }
      }
      return try SplitRequest(request, store).slice(found)
    }
    let keys = try store.keys(all)
    let reader = SubjectReader(store, paths: paths)
    for start in stride(from: 0, to: keys.count, by: 512) where found.count < wanted {
      let chunk = Array(keys[start..<min(start + 512, keys.count)])
      var rows: [Int64: KeptRow] = [:]
      let cursor = try store.rows(of: request.entity, keys: chunk)
      while try cursor.step() { rows[cursor.key] = KeptRow(cursor) }
      try reader.prefetch(Array(rows.values), request.entity)
      for key in chunk {
        if let row = rows[key] { try add(row, reader) }
      }
    }
    return try SplitRequest(request, store).slice(found)
  }
}
