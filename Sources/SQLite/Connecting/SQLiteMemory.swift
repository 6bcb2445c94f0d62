internal import CSQLite

/// The memory limit of SQLite in this process.
///
/// Set it before opening stores: the cache size of a connection depends on it.
public enum SQLiteMemory {
  /// The maximum number of bytes for all connections together; nil for no limit. Beyond it, statements fail with
  /// `StoreError.Fact.outOfMemory`.
  public static var limit: Int? {
    get {
      let bytes = sqlite3_hard_heap_limit64(-1)
      return bytes > 0 ? Int(bytes) : nil
    }
    set { sqlite3_hard_heap_limit64(Int64(newValue ?? 0)) }
  }

  /// The maximum size of one text, blob or row in bytes. A value is copied several times on its way to a script.
  static var valueLimit: Int32? { limit.map { Int32(clamping: $0 / 4) } }

  /// The size of a cache of `bytes`, reduced if there is a limit.
  package static func share(_ bytes: Int) -> Int { limit.map { min(bytes, max($0 / 8, 256 << 10)) } ?? bytes }
}
