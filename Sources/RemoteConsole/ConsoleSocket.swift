internal import Glibc
internal import Modeling
internal import Sockets

/// Sockets that are files, which only their owner can open.
package enum ConsoleSocket {
  /// Why there is no connection.
  package enum Failure: Error, Equatable {
    /// A call of the system failed.
    case system(errno: Int32)
    /// The path is longer than a socket's can be.
    case longPath(limit: Int)
    /// Another process listens there.
    case taken
    /// The folder is another user's, or others may open it.
    case openFolder
  }

  /// The process at the other end.
  package struct Peer: Equatable, Sendable {
    package var user: UInt32
    package var process: Int32
  }

  /// Listens on a file of mode 0600 in a folder of mode 0700, which is made if it is missing.
  ///
  /// The file of a process that has ended is replaced. Returns a descriptor that does not block.
  package static func listen(at path: String) throws(Failure) -> Int32 {
    guard path.utf8.count <= SocketFile.longestPath else { throw .longPath(limit: SocketFile.longestPath) }
    try makeFolder(of: path)
    switch SocketFile.removeDead(path) {
    case .none: break
    case .listener: throw .taken
    case .file: throw .system(errno: EEXIST)
    }
    let descriptor = socket(AF_UNIX, SocketFile.kind, 0)
    guard descriptor >= 0 else { throw .system(errno: errno) }
    guard SocketFile.bind(descriptor, to: path), Glibc.listen(descriptor, 64) == 0 else {
      let number = errno
      close(descriptor)
      throw .system(errno: number)
    }
    return descriptor
  }

  /// Connects to the file of a socket. Returns a descriptor that does not block.
  package static func connect(to path: String) throws(Failure) -> Int32 {
    guard path.utf8.count <= SocketFile.longestPath else { throw .longPath(limit: SocketFile.longestPath) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .system(errno: errno) }
    guard SocketFile.connect(descriptor, to: path) else {
      let number = errno
      close(descriptor)
      throw .system(errno: number)
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    return descriptor
  }

  /// Two ends of a connection within the process; nil if the system has no more descriptors.
  package static func pair() -> (Int32, Int32)? {
    var ends: [Int32] = [-1, -1]
    return socketpair(AF_UNIX, SocketFile.kind, 0, &ends) == 0 ? (ends[0], ends[1]) : nil
  }

  /// The process that has connected; nil where the system does not say.
  package static func peer(of descriptor: Int32) -> Peer? {
    // The numbers of the process, the user and the group.
    var credentials: [UInt32] = [0, 0, 0]
    var size = socklen_t(12)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
    return Peer(user: credentials[1], process: Int32(bitPattern: credentials[0]))
  }

  /// Whether the other end is closed.
  package static func isHungUp(_ descriptor: Int32) -> Bool {
    var watched = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&watched, 1, 0) == 1 && Int32(watched.revents) & (POLLHUP | POLLERR) != 0
  }

  /// Sends bytes; false if the other end is gone, or has not taken them after so many seconds.
  package static func send(_ bytes: [UInt8], to descriptor: Int32, patience seconds: Double) -> Bool {
    let deadline = monotonicSeconds() + seconds
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { piece in
        Glibc.send(descriptor, piece.baseAddress, piece.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
        continue
      }
      if count < 0, errno == EINTR { continue }
      guard count < 0, errno == EAGAIN else { return false }
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let rest = deadline - monotonicSeconds()
      if rest <= 0 || poll(&ready, 1, Int32(rest * 1000) + 1) < 0 && errno != EINTR { return false }
    }
    return true
  }

  private static func makeFolder(of path: String) throws(Failure) {
    let end = path.lastIndex(of: "/")
    let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    if mkdir(folder, 0o700) == 0 { return }
    var status = stat()
    guard stat(folder, &status) == 0 else { throw .system(errno: errno) }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else { throw .openFolder }
  }
}
