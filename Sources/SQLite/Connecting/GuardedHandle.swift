internal import CSQLite

/// The only way to open a connection of SQLite. Data in the database cannot make such a connection run code.
///
/// `fts3_tokenizer` and `load_extension` fail on it, and its schema cannot be written as a table (`writable_schema`,
/// shadow tables of full-text indexes). Our code never has to lift this: migrations use ALTER TABLE, and backups copy
/// pages. `trusted_schema` stays on: without it, SQLite 3.40 refuses the triggers and views of full-text indexes.
/// Instead, our functions cannot be called from a schema (`Connection.register`).
package enum GuardedHandle {
  /// Opens `name` as `sqlite3_open_v2` does. The caller must close `handle` even after a failure.
  package static func open(_ name: String, _ flags: Int32, _ handle: inout OpaquePointer?) -> Int32 {
    let code = sqlite3_open_v2(name, &handle, flags, nil)
    return code == SQLITE_OK ? perilune_guard_connection(handle) : code
  }
}
