internal import CSQLite

/// How much memory SQLite may take in this process.
///
/// To be set before stores are opened: how much a connection keeps follows from it.
public enum SQLiteMemory {
  /// The most bytes that SQLite may hold, all connections together; nil is no limit. Beyond, statements fail with
  /// `StoreError.Fact.outOfMemory`.
  public static var limit: Int? {
    get {
      let bytes = sqlite3_hard_heap_limit64(-1)
      return bytes > 0 ? Int(bytes) : nil
    }
    set { sqlite3_hard_heap_limit64(Int64(newValue ?? 0)) }
  }

  /// The most bytes that one text, blob or row may have. A value is copied some times on its way to a script.
  static var valueLimit: Int32? { limit.map { Int32(clamping: $0 / 4) } }

  /// `bytes` of a cache, or less where there is a limit.
  package static func share(_ bytes: Int) -> Int { limit.map { min(bytes, max($0 / 8, 256 << 10)) } ?? bytes }
}
