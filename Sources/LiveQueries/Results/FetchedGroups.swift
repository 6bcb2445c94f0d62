internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

/// Dictionaries that cannot be maintained: groups with a median, rows of child contexts. They are fetched again and compared.
struct FetchedGroups {
  private let request: FetchRequest
  private let dependencies: Dependencies?
  /// The column indices that identify a group; all columns if there are no groups.
  private let identity: [Int]
  private(set) var rows: [[Value]]
  /// The rows that were read within an open transaction.
  private var provisional = ProvisionalRows()
  private unowned let store: any ObjectStore
  /// Why they are not maintained.
  let obstacle: LiveExplanation.GroupObstacle?

  /// - Throws: StoreError, PredicateError, `GraphError.tooManyValues` beyond `most` groups.
  init(
    _ request: FetchRequest, _ context: ObjectContext, because obstacle: LiveExplanation.GroupObstacle?,
    most: Int = .max
  ) throws {
    self.obstacle = obstacle
    self.request = request.inlined
    dependencies = try? Dependencies(request.inlined, store: context.store)
    let names = request.dictionaryColumns
    let groups = Set(request.propertiesToGroupBy)
    let fetched = request.propertiesToFetch
    let places = names.indices.filter { fetched.indices.contains($0) && groups.contains(fetched[$0].expression) }
    identity = places.isEmpty || places.count < groups.count ? Array(names.indices) : places
    store = context.store
    provisional.noteEverything(in: store)
    rows = try store.allRows(of: self.request)
    if rows.count > most { throw GraphError(tooMany: most, groupsOf: request) }
  }

  /// The tables that the request reads, in lower case.
  var tables: Set<String> { dependencies?.tables ?? [] }

  /// Whether the next round fetches even if nothing was committed.
  var isDue: Bool { provisional.isDue(in: store) }

  /// Fetches again if the result may have changed; returns the difference, or nil for none.
  mutating func advance(_ round: RoundChanges, in context: ObjectContext, reload: Bool) throws -> ResultsChange? {
    guard mayChange(round, reload: reload) else { return nil }
    provisional.noteEverything(in: store)
    return replace(try context.store.allRows(of: request), round.kind)
  }

  /// Whether a round may have changed the result.
  func mayChange(_ round: RoundChanges, reload: Bool) -> Bool {
    let isTouched = !round.touched.isEmpty && dependencies?.isTouched(by: round.touched) != false
    return reload || isTouched || isDue || round.isWithinTransaction && !provisional.isEmpty
  }

  /// Takes other rows; returns the difference, or nil for none.
  mutating func replace(_ new: [[Value]], _ kind: ResultsChange.Kind) -> ResultsChange? {
    guard new != rows else { return nil }
    let former = rows
    rows = new
    return .compared(kind, former.map(identity(of:)), former, new.map(identity(of:)), new)
  }

  private func identity(of row: [Value]) -> [Value] { identity.map { row[$0] } }
}

extension ResultsChange {
  /// The difference between the former rows and the present ones, which are known by their identities; nil for none. Of
  /// rows with equal identities, the first is the first.
  static func compared<Identity: Hashable>(
    _ kind: Kind, _ oldIdentities: [Identity], _ old: [[Value]], _ newIdentities: [Identity], _ new: [[Value]]
  ) -> ResultsChange? {
    var names: [Identity: [Int64]] = [:]
    for (index, identity) in oldIdentities.enumerated() { names[identity, default: []].append(Int64(index)) }
    for key in names.keys { names[key]?.reverse() }
    var updated: Set<Int64> = []
    var last = Int64(old.count)
    let now = newIdentities.enumerated().map { index, identity -> Int64 in
      guard let name = names[identity]?.popLast() else {
        last += 1
        return last
      }
      if old[Int(name)] != new[index] { updated.insert(name) }
      return name
    }
    let listed = Arrangement(listing: Array(0..<Int64(old.count)))
    let difference = listed.difference(to: Arrangement(listing: now), updated: updated)
    if difference.isEmpty { return nil }
    var change = ResultsChange(kind, difference, entity: nil)
    for list in [\ResultsChange.inserted, \.updated, \.moved] {
      for index in change[keyPath: list].indices {
        change[keyPath: list][index].values = new[change[keyPath: list][index].index ?? 0]
      }
    }
    for list in [\ResultsChange.updated, \.moved] {
      for index in change[keyPath: list].indices {
        change[keyPath: list][index].oldValues = old[change[keyPath: list][index].oldIndex ?? 0]
      }
    }
    for index in change.deleted.indices { change.deleted[index].values = old[change.deleted[index].oldIndex ?? 0] }
    return change
  }
}

extension Arrangement {
  /// Creates an arrangement of names in the given order.
  fileprivate convenience init(listing names: [Int64]) {
    let rows = ArrangedRows()
    for (place, name) in names.enumerated() {
      rows.append(ArrangedRow(key: name, sortKey: SortKey(prefix: UInt64(place))))
    }
    self.init(rows)
  }
}

extension ObjectReading {
  /// Returns all rows of a dictionary request; with `tiesByKey`, rows that are equal by its order come by their
  /// objects' keys.
  func allRows(of request: FetchRequest, tiesByKey: Bool = false) throws -> [[Value]] {
    let cursor = try dictionaries(request, tiesByKey: tiesByKey)
    defer { cursor.close() }
    var rows: [[Value]] = []
    while try cursor.step() { rows.append(cursor.columns.indices.map(cursor.value)) }
    return rows
  }
}
