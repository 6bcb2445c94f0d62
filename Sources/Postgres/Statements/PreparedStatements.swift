/// The statements that were sent before, and those that were prepared on the server.
///
/// A text is prepared when it is sent for the second time, for the types of its arguments.
struct PreparedStatements {
  private struct Use {
    /// The names on the server by the types of arguments.
    var variants: [(types: [UInt32], name: String)] = []
    var last = 0
  }

  private var uses: [String: Use] = [:]
  private var clock = 0
  private var count = 0
  /// The statements that are still on the server and no longer used.
  private var invalid: [String] = []

  /// The most statements on the server; each takes memory there.
  private static let mostPrepared = 256
  /// The most texts that are remembered after being sent once.
  private static let mostTexts = 1024

  /// What to do with a statement.
  enum Plan {
    /// Send it with its text.
    case once
    /// Prepare it under a name, and send that.
    case prepare(String)
    /// Send the name.
    case run(String)
  }

  /// Notes a use of a statement. One that is to be prepared is taken for prepared from now on: `forget` it if that fails.
  mutating func plan(_ sql: String, _ arguments: BoundArguments) -> Plan {
    clock += 1
    guard var use = uses[sql] else {
      if uses.count >= Self.mostTexts { uses = uses.filter { !$0.value.variants.isEmpty } }
      uses[sql] = Use(last: clock)
      return .once
    }
    use.last = clock
    defer { uses[sql] = use }
    if let known = use.variants.first(where: { arguments.fit($0.types) }) { return .run(known.name) }
    let name = "perilune_\(clock)"
    use.variants.append((arguments.types, name))
    count += 1
    return .prepare(name)
  }

  /// Whether something is to be taken off the server.
  var hasOutdated: Bool { count > Self.mostPrepared || !invalid.isEmpty }

  /// Removes the least recently used statements if there are too many, and the invalidated ones; returns their names on the
  /// server.
  mutating func outdated() -> [String] {
    var names = invalid
    invalid = []
    guard count > Self.mostPrepared else { return names }
    let prepared = uses.filter { !$0.value.variants.isEmpty }.sorted { $0.value.last < $1.value.last }
    for (sql, use) in prepared.prefix(prepared.count / 4) {
      names += use.variants.map(\.name)
      count -= use.variants.count
      uses[sql] = nil
    }
    return names
  }

  /// Prepares everything anew from now on: tables may have changed, which would be an error within a transaction.
  mutating func invalidate() {
    invalid += uses.values.flatMap { $0.variants.map(\.name) }
    (uses, count) = ([:], 0)
  }

  /// The server has forgotten everything.
  mutating func forgetAll() { (uses, count, invalid) = ([:], 0, []) }

  /// Whether a statement is prepared, for any types.
  func has(_ sql: String) -> Bool { uses[sql]?.variants.isEmpty == false }

  /// Forgets that a statement was prepared; it is sent with its text the next time.
  mutating func forget(_ sql: String) {
    count -= uses.removeValue(forKey: sql)?.variants.count ?? 0
  }
}
