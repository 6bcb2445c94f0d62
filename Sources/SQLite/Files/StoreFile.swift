import Foundation
import Modeling
package import StoreErrors

/// A store's file in the file system, before and after SQLite has opened it.
///
/// Only SQLite opens the file: closing another descriptor would drop all locks that this process holds on it, including
/// those of another store on the same file.
package struct StoreFile {
  package let path: String

  package init(path: String) { self.path = path }

  package var isInMemory: Bool { path == ":memory:" }

  /// Returns whether there is a file to open; throws the reason why it cannot be opened.
  package func exists() throws(StoreError) -> Bool {
    if isInMemory { return false }
    // SQLite treats an empty name as a temporary database, and C ends the name at a zero byte.
    if path.isEmpty { throw StoreError(.notReadable("the name is empty"), path: path) }
    if path.utf8.contains(0) { throw StoreError(.notReadable("the name has a zero byte"), path: path) }
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT {
        if hasLog { throw StoreError(.onlyLog, path: path) }
        if RollbackJournal(beside: path) != nil { throw StoreError(.onlyJournal, path: path) }
        return false
      }
      throw StoreError(errno == ENOTDIR ? .notFound : .notReadable(String(cString: strerror(errno))), path: path)
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw StoreError(.isDirectory, path: path)
    case S_IFREG: break
    default: throw StoreError(.notReadable("not a regular file"), path: path)
    }
    guard access(path, R_OK) == 0 else {
      throw StoreError(.notReadable(String(cString: strerror(errno))), path: path)
    }
    // SQLite treats a file of one byte as an empty database.
    if status.st_size == 1 { throw StoreError(.notADatabase, path: path) }
    // SQLite removes the log of an empty file. The log may be all that is left of a store.
    if status.st_size == 0, hasLog { throw StoreError(.onlyLog, path: path) }
    return true
  }

  /// Throws the reason why the file cannot be created.
  package func checkCreatable() throws(StoreError) {
    if isInMemory { return }
    guard access(FilePath.folder(of: path), W_OK) == 0 else {
      throw StoreError(.cannotCreate(String(cString: strerror(errno))), path: path)
    }
  }

  /// Whether both paths lead to the same file; false for databases in memory.
  package func isSame(as other: StoreFile) -> Bool {
    if isInMemory || other.isInMemory { return false }
    var (status, otherStatus) = (stat(), stat())
    guard stat(path, &status) == 0, stat(other.path, &otherStatus) == 0 else { return path == other.path }
    return status.st_dev == otherStatus.st_dev && status.st_ino == otherStatus.st_ino
  }

  /// Removes a file that was created and is still empty.
  package func removeEmpty() {
    if !isInMemory, size == 0 { unlink(path) }
  }

  private var log: StoreFile { StoreFile(path: path + "-wal") }

  /// Whether there is a write-ahead log that is not empty.
  private var hasLog: Bool { log.size > 0 }

  private var size: Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// The last byte is the byte order of the checksums.
  private static let logMagic: [[UInt8]] = [[0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83]]

  /// Finds the reason why SQLite called a file corrupt or not a database, or could not open it.
  package func diagnosis(of fact: StoreError.Fact) -> StoreError.Fact {
    let header = FileHeader(path: path, count: 4096)
    switch fact {
    case .notADatabase where Self.logMagic.contains(where: header.bytes.starts): return .isLog(of: withoutLogSuffix)
    case .notADatabase where header.bytes.starts(with: FileHeader.magic): return .corrupt("file is not a database")
    case .notADatabase: return header.looksEncrypted ? .encryptedOrNotADatabase : .notADatabase
    case .corrupt where header.isShort: return .truncated
    case .inputOutput: return unreadableCompanion ?? fact
    // SQLite refused a file with valid first bytes: "unsupported file format".
    case .sql: return header.damage(hasLog: log.size > 0) ?? fact
    default: return fact
    }
  }

  private var withoutLogSuffix: String? { path.hasSuffix("-wal") ? String(path.dropLast(4)) : nil }

  /// An error for a file next to the database that SQLite needs and may not read.
  var unreadableCompanion: StoreError.Fact? {
    for suffix in ["-wal", "-shm", "-journal"] where access(path + suffix, F_OK) == 0 {
      guard access(path + suffix, R_OK) != 0 else { continue }
      return .companionNotReadable(path + suffix, String(cString: strerror(errno)))
    }
    return nil
  }

  /// Whether the file uses a write-ahead log and there is none: it can be read without locks.
  package var isCleanWAL: Bool { keepsLog && log.size == 0 }

  /// Whether the file has a write-ahead log, so that readers write files next to it.
  package var keepsLog: Bool { FileHeader(path: path).keepsLog }

  /// Whether another process has the database open, or left it without closing it.
  package var hasLogFiles: Bool { ["-wal", "-shm"].contains { access(path + $0, F_OK) == 0 } }

  /// Whether there is a write-ahead log next to the file, even if it is empty.
  package var hasLogFile: Bool { access(log.path, F_OK) == 0 }

  /// Whether the file and its folder, in which SQLite keeps its log or journal, can be written.
  package var canBeWritten: Bool { access(path, W_OK) == 0 && !isInForeignFolder }

  /// The reason why the file cannot be written.
  package var writeObstacle: String {
    if access(path, W_OK) != 0 { return String(cString: strerror(errno)) }
    return isInForeignFolder ? "its folder cannot be written" : "it was opened to be read"
  }

  /// Whether reading would leave files next to it that could not be removed.
  package var cannotBeReadInPlace: Bool {
    if isInForeignFolder { return keepsLog }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o222 == 0 || access(path, W_OK) != 0 else { return false }
    return access(path + "-shm", F_OK) != 0 && keepsLog
  }

  /// Whether the folder cannot be written, by its permissions (even if this process ignores them) or because the medium
  /// is read-only.
  package var isInForeignFolder: Bool {
    let name = FilePath.folder(of: path)
    var status = stat()
    guard stat(name, &status) == 0 else { return false }
    return status.st_mode & 0o222 == 0 || access(name, W_OK) != 0
  }
}
