internal import CSQLite

/// The only way to a connection of SQLite's: what it opens runs no code that values name.
///
/// `fts3_tokenizer` and `load_extension` fail on it, and its schema is not written as a table (`writable_schema`, shadow
/// tables of full-text indexes). Nothing of ours has to lift this: migrations change tables by ALTER TABLE, backups copy
/// pages. `trusted_schema` stays on: without it, SQLite 3.40 refuses the triggers and views by which files keep and ask
/// their full-text indexes. In its place no function of ours can be called from a schema (`Connection.register`).
package enum GuardedHandle {
  /// Opens `name` as `sqlite3_open_v2` does; `handle` is to be closed whatever comes of it.
  package static func open(_ name: String, _ flags: Int32, _ handle: inout OpaquePointer?) -> Int32 {
    let code = sqlite3_open_v2(name, &handle, flags, nil)
    return code == SQLITE_OK ? perilune_guard_connection(handle) : code
  }
}
