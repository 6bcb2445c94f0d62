import Modeling
import Postgres
import Storage
import StoreErrors

/// Writes of a transaction that wait to be sent together: a round trip for some hundred rows instead of one for each.
///
/// Whatever else is sent to the server sends them first, so that all that is read has them. What the server refuses of them is
/// thrown there, at the latest at the commit.
final class PendingWrites {
  /// A statement that writes one row.
  struct Write {
    let sql: PostgresSQL
    let entity: Entity
    /// What is written to a column, for messages.
    let value: (String) -> Value?
    /// Takes note of what was written.
    let finish: (PostgresRowSource) throws -> Void
  }

  static let most = 256
  private(set) var writes: [Write] = []

  func add(_ write: Write) { writes.append(write) }

  func take() -> [Write] {
    defer { writes = [] }
    return writes
  }
}

/// Keys that were taken from a sequence and not given to a row yet.
struct KeyBlocks {
  private var keys: [String: ArraySlice<Int64>] = [:]
  private var sizes: [String: Int64] = [:]

  /// The next key of a table; `read` takes so many from its sequence.
  mutating func next(_ table: String, _ read: (Int64) throws -> [Int64]) rethrows -> Int64? {
    if keys[table]?.isEmpty != false {
      // Who inserts many gets many at once.
      let size = min((sizes[table] ?? 0) * 4 + 1, 512)
      keys[table] = try read(size)[...]
      sizes[table] = size
    }
    return keys[table]?.popFirst()
  }
}

extension PostgresStore {
  /// Sends a write together with others, before anything else is sent.
  func enqueue(_ write: PendingWrites.Write) throws {
    pending.add(write)
    if pending.writes.count >= PendingWrites.most { try flush() }
  }

  /// Sends the writes that wait.
  ///
  /// - Throws: StoreError for the first that is refused; the server's transaction has ended then.
  func flush() throws {
    let writes = pending.take()
    if writes.isEmpty { return }
    let results: [PostgresResult]
    do {
      results = try pool.pipeline(writes.map(\.sql))
    } catch {
      guard let store = error as? StoreError, case .server(let refusal) = store.fact, let index = refusal.index,
        writes.indices.contains(index)
      else { throw error }
      throw named(error, writes[index].entity, writes[index].value)
    }
    for (write, result) in zip(writes, results) { try write.finish(PostgresRowSource(result: result)) }
  }

  /// A key for a new row of a table of ours.
  func newKey(_ table: String, _ name: String) throws -> Int64? {
    try keyBlocks.next(table) { count in
      let result = try pool.run(
        """
        SELECT nextval(pg_get_serial_sequence(\(.text(tables[table].sqlName)), \(.text(name)))) \
        FROM generate_series(1, \(.int(count)))
        """)
      return (0..<result.rowCount).map { result.int($0, 0) }
    }
  }
}
