internal import CSQLite
import Glibc
package import StoreErrors

extension Connection {
  /// Copies the store to a new file.
  ///
  /// - Throws: StoreError; `.cannotCreate` where there is a file already.
  package func backup(to path: String) throws(StoreError) {
    guard access(path, F_OK) != 0 else { throw StoreError(.cannotCreate("there is a file already"), path: path) }
    // SQLite would let everybody read what it makes.
    if let rights = FileRights(of: self.path) {
      let descriptor = rights.create(path)
      guard descriptor >= 0 else { throw StoreError(.cannotCreate(String(cString: strerror(errno))), path: path) }
      Glibc.close(descriptor)
    }
    var target: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = GuardedHandle.open(path, flags, &target)
    defer { sqlite3_close_v2(target) }
    do throws(StoreError) {
      guard code == SQLITE_OK else { throw failure(code, target, path) }
      try copy(to: target, path)
    } catch {
      sqlite3_close_v2(target)
      target = nil
      Glibc.unlink(path)
      throw error
    }
  }

  /// A copy that lives as long as its connection and belongs to no file.
  package func privateCopy() throws(StoreError) -> Connection {
    let options = Connection.Options(isConfined: confinement != nil, isInterrupted: isInterrupted)
    let copy = try Connection("", options, name: path)
    do throws(StoreError) {
      try self.copy(to: copy.handle, path)
    } catch {
      copy.close()
      throw error
    }
    return copy
  }

  /// Makes another database the same as this one.
  package func copy(to other: Connection) throws(StoreError) { try copy(to: other.handle, other.path) }

  private func copy(to target: OpaquePointer?, _ path: String) throws(StoreError) {
    guard handle != nil else { throw StoreError(.closed, path: self.path) }
    // SQLite would have us wait for ourselves.
    guard sqlite3_txn_state(handle, "main") != SQLITE_TXN_WRITE else {
      throw StoreError(.openTransaction, path: self.path)
    }
    guard let backup = sqlite3_backup_init(target, "main", handle, "main") else {
      throw failure(sqlite3_errcode(target), target, path)
    }
    var code = SQLITE_OK
    var tries = 0
    while code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED {
      if isInterrupted() {
        code = SQLITE_INTERRUPT
        break
      }
      if code != SQLITE_OK {
        guard wait.again(after: tries) else { break }
        tries += 1
      }
      // Some megabytes at a time, so that an interruption is noticed.
      code = sqlite3_backup_step(backup, 1024)
    }
    let end = sqlite3_backup_finish(backup)
    if code == SQLITE_INTERRUPT { throw StoreError(.interrupted, path: path) }
    guard code == SQLITE_DONE, end == SQLITE_OK else { throw failure(code == SQLITE_DONE ? end : code, target, path) }
  }

  private func failure(_ code: Int32, _ target: OpaquePointer?, _ path: String) -> StoreError {
    let message = sqlite3_errmsg(target).map { String(cString: $0) } ?? ""
    if code == SQLITE_CANTOPEN { return StoreError(.cannotCreate(message), path: path) }
    return StoreError(wait.fact(code: code) ?? .sqlite(code: code, message: message), path: path)
  }
}
