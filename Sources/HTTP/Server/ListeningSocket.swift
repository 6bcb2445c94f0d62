internal import Glibc

/// A socket of this machine that accepts connections: a port of 127.0.0.1, or a file.
///
/// No other address is ever listened on, so that other machines cannot connect.
package final class ListeningSocket {
  package enum Address: Equatable, Sendable {
    /// A port of 127.0.0.1; 0 for any that is free.
    case port(UInt16)
    /// A file that only the user can open. It must not exist yet, or be a socket that no process listens on.
    case path(String)
  }

  /// Why there is no socket.
  package struct Failure: Error, Equatable {
    package var address: Address
    package var errno: Int32
  }

  package let descriptor: Int32
  /// The address that was given, with the port that was found.
  package private(set) var address: Address

  /// - Throws: Failure.
  package init(_ address: Address) throws(Failure) {
    self.address = address
    switch address {
    case .port(let port):
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Self.flags, 0)
      try listen { Self.bindPort(port, $0) }
      self.address = .port(Self.port(of: descriptor) ?? port)
    case .path(let path):
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Self.flags, 0)
      Self.removeDead(path)
      let mask = umask(0o177)
      defer { umask(mask) }
      try listen { descriptor in Self.withAddress(of: path) { bind(descriptor, $0, $1) } }
    }
  }

  deinit {
    close(descriptor)
    if case .path(let path) = address { unlink(path) }
  }

  private static let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  private static let backlog: Int32 = 128

  private func listen(_ bind: (Int32) -> Int32) throws(Failure) {
    guard descriptor >= 0, bind(descriptor) == 0, Glibc.listen(descriptor, Self.backlog) == 0 else {
      let failure = Failure(address: address, errno: errno)
      // The file is another's.
      address = .port(0)
      throw failure
    }
  }

  /// Accepts a connection; nil if none waits.
  func accept() -> Int32? {
    let accepted = Glibc.accept(descriptor, nil, nil)
    guard accepted >= 0 else { return nil }
    _ = fcntl(accepted, F_SETFL, O_NONBLOCK)
    _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
    return accepted
  }

  private static func bindPort(_ port: UInt16, _ descriptor: Int32) -> Int32 {
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private static func port(of descriptor: Int32) -> UInt16? {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return status == 0 ? UInt16(bigEndian: address.sin_port) : nil
  }

  /// Calls `body` with the address of a file; -1 and ENAMETOOLONG if its path is too long.
  private static func withAddress(of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let isShort = withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard bytes.count < room.count, !bytes.contains(0) else { return false }
      room.copyBytes(from: bytes)
      return true
    }
    guard isShort else {
      errno = ENAMETOOLONG
      return -1
    }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// Removes the file of a socket that no process listens on any more.
  private static func removeDead(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | flags, 0)
    defer { close(probe) }
    if withAddress(of: path, { connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED { unlink(path) }
  }
}
