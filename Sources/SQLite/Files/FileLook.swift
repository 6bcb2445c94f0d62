internal import CSQLite

/// The file of a database and its write-ahead log, read without SQLite.
package struct FileLook {
  package let header: FileHeader
  /// The write-ahead log; nil if there is none or it is empty.
  package let log: LogFile?

  /// Reads the files of the database at `path`.
  package init(_ path: String) {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    let code = GuardedHandle.open(path, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, &handle)
    header = FileHeader(code == SQLITE_OK ? handle : nil)
    log = LogFile(beside: path) { [size = header.size] count, place in
      var bytes = [UInt8](repeating: 0, count: count)
      guard place + Int64(count) <= size else { return nil }
      return perilune_read_file(handle, &bytes, Int32(clamping: count), place) == SQLITE_OK ? bytes : nil
    }
  }
}
