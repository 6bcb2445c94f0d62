internal import CSQLite
import Foundation

/// A store's file as the file system shows it, before and after SQLite has tried it.
///
/// The file is opened here only after SQLite refused it, or where nobody of this process writes it: closing any descriptor
/// of a file drops all locks that this process holds on it, also those of another store on the same file.
struct StoreFile {
  let path: String
  var isInMemory: Bool { path == ":memory:" }

  /// Says whether there is something to open; throws what stands in the way.
  func exists() throws(StoreError) -> Bool {
    if isInMemory { return false }
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT {
        if hasLog { throw StoreError(.onlyLog, path: path) }
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
  func checkCreatable() throws(StoreError) {
    if isInMemory { return }
    let folder = (path as NSString).deletingLastPathComponent
    guard access(folder.isEmpty ? "." : folder, W_OK) == 0 else {
      throw StoreError(.cannotCreate(String(cString: strerror(errno))), path: path)
    }
  }

  /// Whether both are one file, whatever they are called; a database in memory is nobody else's.
  func isSame(as other: StoreFile) -> Bool {
    if isInMemory || other.isInMemory { return false }
    var (status, otherStatus) = (stat(), stat())
    guard stat(path, &status) == 0, stat(other.path, &otherStatus) == 0 else { return path == other.path }
    return status.st_dev == otherStatus.st_dev && status.st_ino == otherStatus.st_ino
  }

  /// Takes back a file that was made for nothing.
  func removeEmpty() {
    if !isInMemory, size == 0 { unlink(path) }
  }

  private var log: StoreFile { StoreFile(path: path + "-wal") }

  /// Whether there is a write-ahead log with something in it.
  private var hasLog: Bool { log.size > 0 }

  private var size: Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  private var head: [UInt8] {
    guard let file = FileHandle(forReadingAtPath: path) else { return [] }
    defer { try? file.close() }
    return (try? file.read(upToCount: 4096)).map { [UInt8]($0) } ?? []
  }

  private static let magic = Array("SQLite format 3\0".utf8)
  /// The last byte tells the order of bytes in check sums.
  private static let logMagic: [[UInt8]] = [[0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83]]

  /// What is wrong with a file that SQLite called corrupt, no database, or could not open.
  func diagnosis(of fact: StoreError.Fact) -> StoreError.Fact {
    let head = head
    switch fact {
    case .notADatabase where Self.logMagic.contains(where: head.starts): return .isLog(of: withoutLogSuffix)
    case .notADatabase where head.starts(with: Self.magic): return .corrupt("file is not a database")
    case .notADatabase: return looksEncrypted(head) ? .encryptedOrNotADatabase : .notADatabase
    case .corrupt where isShort(head): return .truncated
    case .inputOutput: return unreadableCompanion ?? fact
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

  /// Encrypted databases are whole pages of noise from the first byte on.
  private func looksEncrypted(_ head: [UInt8]) -> Bool {
    head.count >= 1024 && size % 512 == 0 && Set(head.prefix(1024)).count > 240
  }

  /// Whether the header promises more pages than there are.
  private func isShort(_ head: [UInt8]) -> Bool {
    guard head.count >= 32 else { return true }
    let pageSize = Int(head[16]) << 8 | Int(head[17])
    let pages = head[28..<32].reduce(0) { $0 << 8 | Int($1) }
    return pages * (pageSize == 1 ? 65536 : pageSize) > size
  }

  /// Whether the file keeps a write-ahead log, and none is lying about: it can be read without locks.
  var isCleanWAL: Bool { keepsLog && log.size == 0 }

  /// Whether the file keeps a write-ahead log, so that whoever reads it writes beside it.
  var keepsLog: Bool {
    let head = head
    return head.count > 19 && (head[18] == 2 || head[19] == 2)
  }

  /// Whether somebody has the database open, or left it without closing it.
  var hasLogFiles: Bool { ["-wal", "-shm"].contains { access(path + $0, F_OK) == 0 } }

  /// Has SQLite remove an empty write-ahead log, as whoever closes a database last does; one who may only read does not.
  func removeEmptyLog() {
    guard log.size == 0, hasLogFiles, access(path, W_OK) == 0 else { return }
    var database: OpaquePointer?
    if sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK {
      sqlite3_exec(database, "SELECT count(*) FROM sqlite_schema", nil, nil, nil)
    }
    sqlite3_close_v2(database)
  }

  /// Why the file cannot be written.
  var writeObstacle: String {
    if access(path, W_OK) != 0 { return String(cString: strerror(errno)) }
    return isInForeignFolder ? "its folder cannot be written" : "it was opened to be read"
  }

  /// Whether the folder is not ours to write: by its rights, even where they do not bind us, or on a medium that is
  /// read-only.
  var isInForeignFolder: Bool {
    let folder = (path as NSString).deletingLastPathComponent
    let name = folder.isEmpty ? "." : folder
    var status = stat()
    guard stat(name, &status) == 0 else { return false }
    return status.st_mode & 0o222 == 0 || access(name, W_OK) != 0
  }
}
