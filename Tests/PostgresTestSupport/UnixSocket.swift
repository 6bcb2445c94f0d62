import Glibc
import TestSupport

/// Sockets with names in the file system, which block.
enum UnixSocket {
  struct Failure: Error {}

  private static func with(_ path: String, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32) throws -> Int32
  {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard descriptor >= 0, bytes.count < room else { throw Failure() }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else {
      close(descriptor)
      throw Failure()
    }
    return descriptor
  }

  static func listen(_ path: String) throws -> Int32 {
    try with(path) { descriptor, address, size in
      bind(descriptor, address, size) == 0 ? Glibc.listen(descriptor, 64) : -1
    }
  }

  static func connect(_ path: String) throws -> Int32 { try with(path) { Glibc.connect($0, $1, $2) } }

  static func accept(_ listener: Int32) -> Int32? {
    while true {
      let descriptor = Glibc.accept(listener, nil, nil)
      if descriptor >= 0 {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
      }
      if errno != EINTR { return nil }
    }
  }

  /// Reads so many bytes; nil at the end.
  static func read(_ descriptor: Int32, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress.map { $0 + done }, count - done, 0) }
      if got < 0, errno == EINTR { continue }
      if got <= 0 { return nil }
      done += got
    }
    return bytes
  }

  /// Writes all bytes; false where the other side is gone.
  @discardableResult
  static func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      let sent = bytes.withUnsafeBytes {
        send(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done, Int32(MSG_NOSIGNAL))
      }
      if sent < 0, errno == EINTR { continue }
      if sent <= 0 { return false }
      done += sent
    }
    return true
  }
}
