internal import CSQLite
import Glibc
internal import Modeling
package import StoreErrors

extension Connection {
  /// Copies the store to a new file, which bears its name only once it is complete and the disk has it.
  ///
  /// - Throws: StoreError; `.cannotCreate` where there is a file already.
  package func backup(to path: String) throws(StoreError) {
    guard access(path, F_OK) != 0 else { throw StoreError(.cannotCreate("there is a file already"), path: path) }
    let making = try makeFile(beside: path)
    do throws(StoreError) {
      try copy(toFile: making, path)
      try Self.give(making, name: path)
    } catch {
      Glibc.unlink(making)
      throw error
    }
    FolderSync.run(FilePath.folder(of: path))
  }

  /// Makes an empty file that is not open to more people than the store, and returns its path.
  private func makeFile(beside path: String) throws(StoreError) -> String {
    let rights = FileRights(of: self.path)
    while true {
      let making = "\(path).\(String(UInt32.random(), radix: 36))"
      let descriptor = rights?.create(making) ?? open(making, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
      if descriptor < 0, errno == EEXIST { continue }
      guard descriptor >= 0 else { throw StoreError(.cannotCreate(String(cString: strerror(errno))), path: path) }
      Glibc.close(descriptor)
      return making
    }
  }

  /// Copies the store into an empty file, and waits for the disk; errors name `path`.
  private func copy(toFile making: String, _ path: String) throws(StoreError) {
    var target: OpaquePointer?
    let code = GuardedHandle.open(making, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, &target)
    defer { sqlite3_close_v2(target) }
    guard code == SQLITE_OK else { throw failure(code, target, path) }
    // A file that is thrown away where copying fails needs no journal, and is waited for once.
    sqlite3_exec(target, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF", nil, nil, nil)
    try copy(to: target, path)
    let synced = perilune_sync_file(target)
    guard synced == SQLITE_OK else {
      throw StoreError(.inputOutput(String(cString: sqlite3_errstr(synced))), path: path)
    }
  }

  /// Gives a complete file its name, unless another has come by it meanwhile.
  private static func give(_ making: String, name path: String) throws(StoreError) {
    if link(making, path) == 0 {
      Glibc.unlink(making)
    } else if errno == EEXIST {
      throw StoreError(.cannotCreate("there is a file already"), path: path)
    } else if rename(making, path) != 0 {
      // Some file systems have no links.
      throw StoreError(.cannotCreate(String(cString: strerror(errno))), path: path)
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
