internal import CSQLite
internal import Modeling
package import StoreErrors

/// A statement whose deletions go on, by foreign keys, for more levels than SQLite follows.
///
/// SQLite runs the actions of foreign keys within one another, and refuses more than a thousand levels. Then the statement runs
/// without foreign keys, triggers of the connection note the keys that it deletes, and the actions follow level by level. So
/// chains, and rings, may be as deep as the data. If a foreign key is broken in the end, nothing has happened.
///
/// A statement that returns rows is left to SQLite, since its rows come before its actions.
package struct DeepCascade {
  private let statement: Statement
  private let connection: Connection

  /// Runs a statement that deletes and returns no rows.
  package static func step(_ statement: Statement) throws(StoreError) -> Bool {
    let connection = statement.connection
    // SQLite does not revert the deletions of a refused cascade: the savepoint does. There is none within another statement
    // that writes.
    guard connection.isInTransaction, try connection.mayCascadeInCircles(), (try? connection.run(begin)) != nil else {
      return try statement.stepOnce()
    }
    do throws(StoreError) {
      _ = try statement.stepOnce()
    } catch {
      guard case .sql(message: refusal, _, _) = error.fact else {
        // A failure that has ended the transaction has ended the savepoint, too.
        _ = try? connection.run(end)
        throw error
      }
      try DeepCascade(statement: statement, connection: connection).run(refused: error)
    }
    try connection.run(end)
    return false
  }

  private static let begin = "SAVEPOINT _perilune_cascade"
  private static let takeBack = "ROLLBACK TO _perilune_cascade"
  private static let end = "RELEASE _perilune_cascade"
  private static let refusal = "too many levels of trigger recursion"

  /// Reverts the refused statement, and runs it again; if that fails, ends the savepoint.
  private func run(refused: StoreError) throws(StoreError) {
    do throws(StoreError) {
      try connection.run(Self.takeBack)
      guard try connection.first("PRAGMA foreign_keys") == .int(1) else { throw refused }
      try run()
    } catch {
      statement.reset()
      _ = try? connection.run(Self.takeBack)
      _ = try? connection.run(Self.end)
      throw error
    }
  }

  /// Runs the statement and its actions within the savepoint.
  private func run() throws(StoreError) {
    let broken = try brokenKeys()
    _ = perilune_enable_foreign_keys(connection.handle, 0)
    defer { _ = perilune_enable_foreign_keys(connection.handle, 1) }
    let keys = try ForeignKey.all(of: connection).filter { $0.action != nil }
    var graves: [String: CascadeGrave] = [:]
    for key in keys where graves[key.parent] == nil {
      graves[key.parent] = try CascadeGrave(of: keys.filter { $0.parent == key.parent }, connection)
    }
    _ = try statement.stepOnce()
    let own = connection.lastChanges
    try follow(keys, graves)
    for grave in graves.values { try grave.close() }
    guard try brokenKeys().isSubset(of: broken) else {
      throw StoreError(.constraint("FOREIGN KEY constraint failed"), path: connection.path)
    }
    connection.changesOfCascade = own
  }

  /// Applies the actions to the rows that led to deleted ones, and to those that led to these, until there are no more.
  private func follow(_ keys: [ForeignKey], _ graves: [String: CascadeGrave]) throws(StoreError) {
    var followed = [Int64](repeating: 0, count: keys.count)
    var isMoving = true
    while isMoving {
      isMoving = false
      for (index, key) in keys.enumerated() {
        guard let grave = graves[key.parent], let action = key.action else { continue }
        let last = try grave.last()
        guard last > followed[index] else { continue }
        isMoving = true
        try connection.with(
          "\(action) WHERE (\(key.columns)) IN (\(grave.selection(of: key)))", [.int(followed[index]), .int(last)]
        ) { statement throws(StoreError) in _ = try statement.stepOnce() }
        followed[index] = last
      }
    }
  }

  /// The foreign keys that lead nowhere, each with its row.
  private func brokenKeys() throws(StoreError) -> Set<[Value]> { Set(try connection.all("PRAGMA foreign_key_check")) }
}

extension Connection {
  /// Whether the deletion of a row may delete rows of its own table, and so on.
  fileprivate func mayCascadeInCircles() throws(StoreError) -> Bool {
    // At the beginning of a transaction nothing is read: who has read waits for no lock.
    guard holdsSnapshot else { return true }
    let version = try number(.schemaVersion)
    if let circles, circles.version == version { return circles.areThere }
    let areThere = ForeignKey.leadInCircles(try ForeignKey.all(of: self))
    circles = (version, areThere)
    return areThere
  }
}
