internal import Glibc
internal import Sockets

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
      descriptor = socket(AF_INET, SocketFile.kind, 0)
      try listen { Self.bindPort(port, $0) == 0 }
      self.address = .port(Self.port(of: descriptor) ?? port)
    case .path(let path):
      descriptor = socket(AF_UNIX, SocketFile.kind, 0)
      _ = SocketFile.removeDead(path)
      try listen { SocketFile.bind($0, to: path) }
    }
  }

  deinit {
    close(descriptor)
    if case .path(let path) = address { unlink(path) }
  }

  private static let backlog: Int32 = 128

  private func listen(_ bind: (Int32) -> Bool) throws(Failure) {
    guard descriptor >= 0, bind(descriptor), Glibc.listen(descriptor, Self.backlog) == 0 else {
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
}
