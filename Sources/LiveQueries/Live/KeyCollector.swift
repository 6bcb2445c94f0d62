/// A set of keys up to a limit.
struct KeyCollector {
  private(set) var keys: Set<Int64> = []
  let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func add(_ key: Int64) throws {
    keys.insert(key)
    if keys.count > limit { throw DependencyObstacle(reason: .tooMany) }
  }

  mutating func add(_ added: [Int64]) throws { for key in added { try add(key) } }
}

/// The reason why the rows that a change affects are unknown.
struct DependencyObstacle: Error {
  var reason: Dependencies.Reason
}
