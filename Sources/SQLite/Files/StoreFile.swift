import Foundation
import Modeling
package import StoreErrors

/// A store's file as the file system shows it, before and after SQLite has tried it.
///
/// The file is never opened here but by SQLite: closing any other descriptor of a file drops all locks that this process
/// holds on it, also those of another store on the same file.
package struct StoreFile {
  package let path: String

  package init(path: String) { self.path = path }

  package var isInMemory: Bool { path == ":memory:" }

  /// Says whether there is something to open; throws what stands in the way.
  package func exists() throws(StoreError) -> Bool {
    if isInMemory { return false }
    // SQLite takes no name for a database that is gone when it is closed, and C the part before a zero byte.
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
    // SQLite takes a file of one byte for an empty database.
    if status.st_size == 1 { throw StoreError(.notADatabase, path: path) }
    // SQLite removes the log of an empty file, which may be all that is left of a store.
    if status.st_size == 0, hasLog { throw StoreError(.onlyLog, path: path) }
    return true
  }

  /// Throws what stands in the way of making the file.
  package func checkCreatable() throws(StoreError) {
    if isInMemory { return }
    guard access(FilePath.folder(of: path), W_OK) == 0 else {
      throw StoreError(.cannotCreate(String(cString: strerror(errno))), path: path)
    }
  }

  /// Whether both are one file, whatever they are called; a database in memory is nobody else's.
  package func isSame(as other: StoreFile) -> Bool {
    if isInMemory || other.isInMemory { return false }
    var (status, otherStatus) = (stat(), stat())
    guard stat(path, &status) == 0, stat(other.path, &otherStatus) == 0 else { return path == other.path }
    return status.st_dev == otherStatus.st_dev && status.st_ino == otherStatus.st_ino
  }

  /// Takes back a file that was made for nothing.
  package func removeEmpty() {
    if !isInMemory, size == 0 { unlink(path) }
  }

  private var log: StoreFile { StoreFile(path: path + "-wal") }

  /// Whether there is a write-ahead log with something in it.
  private var hasLog: Bool { log.size > 0 }

  private var size: Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// The last byte tells the order of bytes in check sums.
  private static let logMagic: [[UInt8]] = [[0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83]]

  /// What is wrong with a file that SQLite called corrupt, no database, or could not open.
  package func diagnosis(of fact: StoreError.Fact) -> StoreError.Fact {
    let header = FileHeader(path: path, count: 4096)
    switch fact {
    case .notADatabase where Self.logMagic.contains(where: header.bytes.starts): return .isLog(of: withoutLogSuffix)
    case .notADatabase where header.bytes.starts(with: FileHeader.magic): return .corrupt("file is not a database")
    case .notADatabase: return header.looksEncrypted ? .encryptedOrNotADatabase : .notADatabase
    case .corrupt where header.isShort: return .truncated
    case .inputOutput: return unreadableCompanion ?? fact
    // What SQLite refuses although it has found the first bytes right: "unsupported file format".
    case .sql: return header.damage(hasLog: log.size > 0) ?? fact
    default: return fact
    }
  }

  private var withoutLogSuffix: String? { path.hasSuffix("-wal") ? String(path.dropLast(4)) : nil }

  /// A file beside the database that SQLite needs and may not read.
  var unreadableCompanion: StoreError.Fact? {
    for suffix in ["-wal", "-shm", "-journal"] where access(path + suffix, F_OK) == 0 {
      guard access(path + suffix, R_OK) != 0 else { continue }
      return .companionNotReadable(path + suffix, String(cString: strerror(errno)))
    }
    return nil
  }

  /// Whether the file keeps a write-ahead log, and none is lying about: it can be read without locks.
  package var isCleanWAL: Bool { keepsLog && log.size == 0 }

  /// Whether the file keeps a write-ahead log, so that whoever reads it writes beside it.
  package var keepsLog: Bool { FileHeader(path: path).keepsLog }

  /// Whether somebody has the database open, or left it without closing it.
  package var hasLogFiles: Bool { ["-wal", "-shm"].contains { access(path + $0, F_OK) == 0 } }

  /// Why the file cannot be written.
  package var writeObstacle: String {
    if access(path, W_OK) != 0 { return String(cString: strerror(errno)) }
    return isInForeignFolder ? "its folder cannot be written" : "it was opened to be read"
  }

  /// Whether reading would leave files beside it that could not be taken away again.
  package var cannotBeReadInPlace: Bool {
    if isInForeignFolder { return keepsLog }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o222 == 0 || access(path, W_OK) != 0 else { return false }
    return access(path + "-shm", F_OK) != 0 && keepsLog
  }

  /// Whether the folder is not ours to write: by its rights, even where they do not bind us, or on a medium that is
  /// read-only.
  package var isInForeignFolder: Bool {
    let name = FilePath.folder(of: path)
    var status = stat()
    guard stat(name, &status) == 0 else { return false }
    return status.st_mode & 0o222 == 0 || access(name, W_OK) != 0
  }
}
