internal import Glibc

/// A file that several processes read and replace as a whole.
///
/// Readers always see a complete version: a new version is written to a temporary file, synchronized and renamed.
struct PreferenceDisk {
  /// A failed operation, with the system's message.
  struct Failure: Error {
    var reason: String
    init(_ code: Int32 = errno) { reason = String(cString: strerror(code)) }
  }

  /// The file's path, with symbolic links resolved.
  let path: String

  init(path: String) {
    guard let resolved = realpath(path, nil) else {
      self.path = path
      return
    }
    self.path = String(cString: resolved)
    free(resolved)
  }

  /// The identity of a version: each is a new file, unless another program writes into the existing one.
  struct Version: Equatable {
    var device: UInt
    var file: UInt
    var size: Int
    var seconds: Int
    var nanoseconds: Int

    init(_ status: stat) {
      device = UInt(status.st_dev)
      file = UInt(status.st_ino)
      size = Int(status.st_size)
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  /// The current version; nil if there is no file.
  var version: Version? {
    var status = stat()
    return stat(path, &status) == 0 ? Version(status) : nil
  }

  var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The file's bytes; nil if it does not exist.
  func read() throws(Failure) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw Failure() }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure() }
      bytes += buffer[..<count]
    }
  }

  /// Runs `body` while no other process writes.
  func locked<Result>(_ body: () throws -> Result) throws -> Result {
    try makeFolder()
    let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure() }
    defer { close(descriptor) }
    // The holder of the lock writes a small file; after two seconds the holder is considered stuck.
    var attempts = 400
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, attempts > 0 else { throw Failure() }
      attempts -= 1
      usleep(5000)
    }
    return try body()
  }

  /// Replaces the file.
  func write(_ bytes: [UInt8]) throws(Failure) {
    let temporary = "\(path).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure() }
    let isWritten = write(bytes, to: descriptor) && fsync(descriptor) == 0
    let failure = Failure()
    guard close(descriptor) == 0, isWritten else {
      unlink(temporary)
      throw isWritten ? Failure() : failure
    }
    guard rename(temporary, path) == 0 else {
      let failure = Failure()
      unlink(temporary)
      throw failure
    }
    syncFolder()
  }

  /// Renames the file, and returns its new path.
  func moveAside() throws(Failure) -> String {
    var number = 1
    while access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
    let target = "\(path).damaged-\(number)"
    guard rename(path, target) == 0 else { throw Failure() }
    return target
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }

  private func makeFolder() throws(Failure) {
    let folder = folder
    var end = folder.startIndex
    while end < folder.endIndex {
      end = folder[folder.index(after: end)...].firstIndex(of: "/") ?? folder.endIndex
      let parent = String(folder[..<end])
      guard mkdir(parent, 0o700) != 0 else { continue }
      let failure = Failure()
      // It does not matter why an existing folder could not be created.
      guard access(parent, F_OK) == 0 else { throw failure }
    }
  }

  private func syncFolder() {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
