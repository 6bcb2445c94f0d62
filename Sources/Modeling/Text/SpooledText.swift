internal import Glibc

/// A text in an unnamed file, such as the content of a pipe, so that it can be read more than once.
///
/// The file is in `TMPDIR`, or in `/tmp` if that is not writable, and is deleted with this object.
public final class SpooledText: Sendable {
  /// A path that opens the file, each time from its beginning.
  public var path: String { "/proc/self/fd/\(descriptor)" }
  /// The open file.
  public let descriptor: Int32

  /// The reason why nothing could be copied.
  public struct Failure: Error {
    /// An error number of the C library.
    public var errorNumber: Int32
    /// Whether nothing was read from the source.
    public var isUnread = false
  }

  /// The milliseconds between two questions whether to stop, while nothing comes.
  private static let patience: Int32 = 100

  /// Reads `source` to its end; fails with EINTR soon after `shouldStop` says so. A source may have no end.
  public init(reading source: Int32, shouldStop: () -> Bool = { false }) throws(Failure) {
    descriptor = Self.nameless()
    guard descriptor >= 0 else { throw Failure(errorNumber: errno, isUnread: true) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      if shouldStop() { throw Failure(errorNumber: EINTR) }
      var ready = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
      let count = poll(&ready, 1, Self.patience)
      // After a signal that came in between, reading would wait for what may never come.
      if count == 0 || count < 0 && errno == EINTR { continue }
      let got = read(source, buffer.baseAddress, buffer.count)
      if got == 0 { break }
      if got < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        throw Failure(errorNumber: errno)
      }
      guard Self.append(UnsafeRawBufferPointer(rebasing: buffer[..<got]), to: descriptor) else {
        throw Failure(errorNumber: errno)
      }
    }
    lseek(descriptor, 0, SEEK_SET)
  }

  /// Has `make` write a text part by part; fails with EINTR at the next part after `shouldStop` says so.
  ///
  /// - Throws: Failure; what `make` throws.
  package init(_ shouldStop: @escaping () -> Bool, _ make: (_ write: ([UInt8]) throws -> Void) throws -> Void) throws {
    descriptor = Self.nameless()
    guard descriptor >= 0 else { throw Failure(errorNumber: errno, isUnread: true) }
    try make { [descriptor] part in
      if shouldStop() { throw Failure(errorNumber: EINTR) }
      guard part.withUnsafeBytes({ Self.append($0, to: descriptor) }) else { throw Failure(errorNumber: errno) }
    }
    lseek(descriptor, 0, SEEK_SET)
  }

  /// Writes all bytes; returns false with `errno` on failure.
  private static func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = write(descriptor, bytes.baseAddress! + written, bytes.count - written)
      guard count > 0 || errno == EINTR else { return false }
      written += max(count, 0)
    }
    return true
  }

  /// Creates an unnamed file; returns a negative number on failure.
  private static func nameless() -> Int32 {
    let folders = [getenv("TMPDIR").map { String(cString: $0) }, "/tmp"].compactMap(\.self)
    return folders.lazy.map(Self.nameless).first { $0 >= 0 } ?? -1
  }

  /// Creates an unnamed file in a folder; returns a negative number on failure.
  private static func nameless(in folder: String) -> Int32 {
    var name = Array("\(folder)/perilune-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { return descriptor }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(name)
    return descriptor
  }

  /// Copies the pipe at `path`; returns nil for a regular or missing file.
  public static func ofPipe(_ path: String, shouldStop: () -> Bool) throws(Failure) -> SpooledText? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG, status.st_mode & S_IFMT != S_IFDIR else {
      return nil
    }
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw Failure(errorNumber: errno) }
    defer { close(source) }
    return try SpooledText(reading: source, shouldStop: shouldStop)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

/// The bytes that a descriptor still has, until its end or an error.
package func readToEnd(_ descriptor: Int32) -> [UInt8] {
  var bytes: [UInt8] = []
  let size = 1 << 16
  while true {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: size))
    let count = bytes[start...].withUnsafeMutableBytes { read(descriptor, $0.baseAddress, size) }
    bytes.removeLast(size - max(count, 0))
    if count == 0 || (count < 0 && errno != EINTR) { return bytes }
  }
}
