internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Storage

/// Dictionaries that cannot be maintained row by row: groups, aggregates, distinct values.
struct FetchedGroups {
  private let request: FetchRequest
  private let dependencies: Dependencies?
  /// The places, in a row, of what tells groups apart; all of them where there are no groups.
  private let identity: [Int]
  private(set) var rows: [[Value]]

  init(_ request: FetchRequest, _ context: ObjectContext) throws {
    self.request = request.inlined
    dependencies = try? Dependencies(request.inlined, store: context.store)
    let names = request.dictionaryColumns
    let groups = Set(request.propertiesToGroupBy)
    let fetched = request.propertiesToFetch
    let places = names.indices.filter { fetched.indices.contains($0) && groups.contains(fetched[$0].expression) }
    identity = places.isEmpty || places.count < groups.count ? Array(names.indices) : places
    rows = try context.store.allRows(of: self.request)
  }

  /// The tables that it is read from, in lower case.
  var tables: Set<String> { dependencies?.tables ?? [] }

  /// Fetches again if that may bring anything else; the difference, nil for none.
  mutating func advance(_ occasion: Occasion, in context: ObjectContext, reload: Bool) throws -> ResultsChange? {
    guard reload || !occasion.touched.isEmpty && dependencies?.isTouched(by: occasion.touched) != false else {
      return nil
    }
    let new = try context.store.allRows(of: request)
    guard new != rows else { return nil }
    var names: [[Value]: [Int64]] = [:]
    var last: Int64 = 0
    let old = rows.map { row -> Int64 in
      last += 1
      names[identity.map { row[$0] }, default: []].append(last)
      return last
    }
    // Equal rows stand for one another in their order.
    for key in names.keys { names[key]?.reverse() }
    var updated: Set<Int64> = []
    let now = new.map { row -> Int64 in
      guard let name = names[identity.map { row[$0] }]?.popLast() else {
        last += 1
        return last
      }
      if rows[Int(name) - 1] != row { updated.insert(name) }
      return name
    }
    let difference = Arrangement(listing: old).difference(to: Arrangement(listing: now), updated: updated)
    var change = ResultsChange(occasion.kind, difference, entity: nil)
    for index in change.inserted.indices { change.inserted[index].values = new[change.inserted[index].index ?? 0] }
    for index in change.updated.indices { change.updated[index].values = new[change.updated[index].index ?? 0] }
    for index in change.moved.indices { change.moved[index].values = new[change.moved[index].index ?? 0] }
    for list in [\ResultsChange.updated, \.moved] {
      for index in change[keyPath: list].indices {
        change[keyPath: list][index].oldValues = rows[change[keyPath: list][index].oldIndex ?? 0]
      }
    }
    for index in change.deleted.indices { change.deleted[index].values = rows[change.deleted[index].oldIndex ?? 0] }
    rows = new
    return change
  }
}

extension Arrangement {
  /// An arrangement of names in the order in which they are listed.
  fileprivate convenience init(listing names: [Int64]) {
    let rows = ArrangedRows()
    for (place, name) in names.enumerated() {
      rows.append(ArrangedRow(key: name, sortKey: SortKey(prefix: UInt64(place))))
    }
    self.init(rows)
  }
}

extension ObjectReading {
  /// All rows of a request of dictionaries; `tiesByKey` has those that its order does not tell apart in the order of the
  /// objects' keys.
  func allRows(of request: FetchRequest, tiesByKey: Bool = false) throws -> [[Value]] {
    let cursor = try dictionaries(request, tiesByKey: tiesByKey)
    defer { cursor.close() }
    var rows: [[Value]] = []
    while try cursor.step() { rows.append(cursor.columns.indices.map(cursor.value)) }
    return rows
  }
}

extension FetchRequest {
  /// The names of what dictionaries hold.
  var dictionaryColumns: [String] {
    if resultType == .count { return ["count"] }
    if !propertiesToFetch.isEmpty { return propertiesToFetch.map(\.name) }
    return entity.properties.filter { $0.attribute.map { !$0.isTransient } ?? false }.map(\.name)
  }
}
